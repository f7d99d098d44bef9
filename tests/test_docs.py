"""What the pages say is true: the reference names all that there is, commands print what is shown.

In a page a block marked ``console`` has commands behind ``$`` and below each what it prints: lines
compared word by word, numbers within 1 %, where ``...`` stands for any lines. In other blocks
lines that begin with ``plancost`` are commands, which must succeed. Blocks marked ``diff`` in
architecture.md are changes of the package, which are applied to a copy of it and tried.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path

import pytest

import plancost
from plancost.cli import exit_codes
from plancost.learn.outcome import Point
from plancost.options import LearnOptions
from plancost.result.model import Likely, ObservationResult, Result
from plancost.use.evaluate import Difference, Evaluation
from plancost.use.monitor import Watch, Watched
from plancost.use.predict import PredictedPlan, Prediction, Scores
from towns import command

ROOT = Path(__file__).parents[1]
REFERENCE = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
PAGES = [
    ROOT / "README.md",
    *sorted(ROOT.glob("docs/*.md")),
    *sorted(ROOT.glob("examples/*/README.md")),
]
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize(
    "name",
    [
        *(f"--{option.name.replace('_', '-')}" for option in fields(LearnOptions)),
        *(
            f"`{key}`"
            for kind in (Result, ObservationResult, Likely)
            for key in kind.__struct_fields__
        ),
        *(
            f"`{field.name}`"
            for kind in (
                Point,
                Prediction,
                PredictedPlan,
                Scores,
                Evaluation,
                Difference,
                Watch,
                Watched,
            )
            for field in fields(kind)
        ),
        *(name for name in plancost.__all__ if name not in ("Observation", "Task", "__version__")),
        *(str(code) for name, code in vars(exit_codes).items() if name.isupper()),
    ],
)
def test_it_is_named(name: str) -> None:
    assert name in REFERENCE


def _blocks(page: Path) -> list[tuple[str, str]]:
    """What they are marked as, and their text."""
    return _BLOCK.findall(page.read_text(encoding="utf-8"))


def _commands(page: Path) -> Iterator[tuple[str, list[str]]]:
    """Each command of a page, with the lines that it is said to print."""
    for kind, block in _blocks(page):
        lines = block.replace("\\\n", " ").splitlines()
        if kind == "console":
            starts = [place for place, line in enumerate(lines) if line.startswith("$ ")]
            for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
                last = lines.index("END", start) if "<<END" in lines[start] else start
                yield "\n".join(lines[start : last + 1])[2:], lines[last + 1 : end]
        elif kind == "":
            for line in lines:
                if line.startswith("plancost ") and " CASE" not in line:
                    yield line, []


def _run(line: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What a command prints; in this process, unless a shell is needed."""
    if line.startswith("plancost ") and not set("|;>&$") & set(line):
        done = command(capsys, *shlex.split(line, comments=True)[1:])
        assert done.status == 0, f"{line}\n{done.err}"
        return f"{done.out}{done.err}"
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    ran = subprocess.run(
        ["sh", "-c", line], env={**os.environ, "PATH": path}, capture_output=True, text=True
    )
    assert ran.returncode == 0, f"{line}\n{ran.stderr}"
    return f"{ran.stdout}{ran.stderr}"


def _is_same(shown: str, real: str) -> bool:
    """Whether a word of a page is what was printed."""
    try:
        return float(real) == pytest.approx(float(shown), rel=0.01, abs=0.01)
    except ValueError:
        return shown == real


def _are_same(shown: Sequence[str], real: Sequence[str]) -> bool:
    """Whether these lines were printed; `...` are any."""
    if not shown or not real:
        return all(line == "..." for line in shown) and not real
    if shown[0] == "...":
        return any(_are_same(shown[1:], real[place:]) for place in range(len(real) + 1))
    words, said = shown[0].split(), real[0].split()
    fits = len(words) == len(said) and all(map(_is_same, words, said))
    return fits and _are_same(shown[1:], real[1:])


@pytest.mark.parametrize(
    "page",
    [pytest.param(page, id=str(page.relative_to(ROOT))) for page in PAGES if any(_commands(page))],
)
def test_commands_print_what_is_shown(
    page: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    for line, shown in _commands(page):
        printed = _run(line, capsys)
        lines = [own.rstrip() for own in printed.splitlines()]
        assert not shown or _are_same(
            [own for own in shown if own], [own for own in lines if own]
        ), f"{line}\n{printed}"


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_python_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    for kind, block in _blocks(page):
        if kind == "python" and "import plancost" in block:
            exec(compile(block, page.name, "exec"), {})


def test_links_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)[^):]*\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_changes_can_be_made(tmp_path: Path) -> None:
    """A concept, a file format and an oracle, in a copy of the package."""
    shutil.copytree(
        ROOT / "src",
        tmp_path / "src",
        ignore=shutil.ignore_patterns("__pycache__", "*.html", "*.js"),
    )
    changes = [
        block for kind, block in _blocks(ROOT / "docs" / "architecture.md") if kind == "diff"
    ]
    assert len(changes) == 3
    for change in changes:
        assert change.count("+++") <= 3
        subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=change, text=True, check=True)
    links = json.dumps({"features": [_feature("ab", "a", "b"), _feature("bc", "b", "c")]})
    (tmp_path / "links.geojson").write_text(links, encoding="utf-8")
    (tmp_path / "trips.csv").write_text("trip,links\nx,ab bc\n", encoding="utf-8")
    program = """if True:
        import plancost
        from plancost.search import planners
        seen = plancost.learn("examples/town", solution="seen")
        streets = plancost.learn(plancost.street_case("links.geojson", "trips.csv"))
        asked = plancost.learn("examples/town", oracle="planners")
        said = [one.optimal_plans for one in (seen, streets, asked)]
        print(plancost.__file__, hasattr(planners, "LM_CUT"), *said)
    """
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    paths = {**os.environ, "PYTHONPATH": str(tmp_path / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=paths, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.split() == [f"{tmp_path}/src/plancost/__init__.py", "True", "5", "1", "3"]


def _feature(link: str, start: str, end: str) -> dict[str, object]:
    """A link of a hundred metres, as GeoJSON."""
    geometry = {"type": "LineString", "coordinates": [[0, 0], [0, 100]]}
    return {"properties": {"link": link, "from": start, "to": end}, "geometry": geometry}

"""No output is one of the inputs, and no two outputs are one file: said before the work."""

from __future__ import annotations

import argparse
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plancost.cli.main import main
from plancost.cli.outputs import OUTPUTS
from plancost.cli.parser import build_parser
from support.command import PLANCOST, in_process, plancost

INPUTS = {
    *("case", "domain", "problem", "costs", "result", "initial_costs", "bounds", "coordinates"),
    *("observations", "training", "calibration", "links", "trips", "nodes", "pairs"),
    *("link_bounds", "proof", "samples", "tasks", "turns"),
}
"""Arguments that name what is read. A new path belongs here, or into `OUTPUTS`."""


@pytest.fixture
def case(example_1: Path) -> Path:
    """A case with a manifest, a result and a table of places."""
    plans = sorted(path.name for path in example_1.glob("*.plan"))
    rows = [f"{plan.partition('.')[0]}.pddl,{plan}" for plan in plans]
    (example_1 / "m.csv").write_text("\n".join(["problem,plan", *rows, ""]))
    (example_1 / "places.csv").write_text("place,x,y\n")
    assert main(["learn", str(example_1), "--quiet", "--output", str(example_1 / "r.json")]) == 0
    (example_1 / "state.json").write_text("precious")
    return example_1


@pytest.fixture
def no_work(case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever begins to work has failed the test."""

    def work(*arguments: object, **named: object) -> None:
        raise AssertionError("it should not have come to this")

    names = ["evaluation.evaluate.evaluate", "monitoring.watch.monitor", "planning.solve.solve"]
    names += ["planning.apply.apply_costs", "observations.case.load_case"]
    # These last: other modules import them when they are imported for the first time.
    for name in [*names, "api.learn.learn", "api.check.verify", "api.check.explain"]:
        monkeypatch.setattr(f"plancost.{name}", work)


def _content(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


LEARN = "learn CASE"
MANIFEST = "learn CASE/m.csv --domain CASE/domain.pddl"
REPORT = "report CASE CASE/r.json --coordinates CASE/places.csv"
SOLVE = "solve CASE/PROBLEM --domain CASE/domain.pddl --costs CASE/r.json"
APPLY = "apply CASE/r.json CASE/PROBLEM --domain CASE/domain.pddl"
MONITOR = "monitor CASE/r.json --domain CASE/domain.pddl --observations CASE/m.csv"


@pytest.mark.usefixtures("no_work")
@pytest.mark.parametrize(
    ("words", "option", "name"),
    [
        *((LEARN, option, "domain.pddl") for option in ("--output", "--report", "--log-file")),
        *((LEARN, "--output", name) for name in ("PROBLEM", "PLAN")),
        *((MANIFEST, "--output", name) for name in ("m.csv", "PROBLEM", "PLAN")),
        (MANIFEST, "--log-file", "PLAN"),
        (f"{LEARN} --initial-costs CASE/r.json", "--output", "r.json"),
        (f"{LEARN} --bounds CASE/places.csv", "--report", "places.csv"),
        ("verify CASE CASE/r.json", "--log-file", "r.json"),
        ("explain CASE CASE/r.json", "--log-file", "PLAN"),
        *((REPORT, "--output", name) for name in ("domain.pddl", "r.json", "places.csv", "PLAN")),
        *((SOLVE, "--output", name) for name in ("domain.pddl", "PROBLEM", "r.json")),
        (APPLY + " --output CASE/new", "--log-file", "r.json"),
        ("evaluate CASE", "--log-file", "domain.pddl"),
        *((MONITOR, "--output", name) for name in ("r.json", "m.csv", "PLAN", "domain.pddl")),
        *((MONITOR, "--state", name) for name in ("r.json", "m.csv", "PLAN", "domain.pddl")),
        (MONITOR + " --training CASE", "--log-file", "PLAN"),
    ],
)
def test_an_input_is_no_output(
    case: Path, capsys: pytest.CaptureFixture[str], words: str, option: str, name: str
) -> None:
    problem = next(p.name for p in sorted(case.glob("*.pddl")) if p.name != "domain.pddl")
    plan = next(path.name for path in sorted(case.glob("*.plan")))

    def named(text: str) -> str:
        text = text.replace("PROBLEM", problem).replace("PLAN", plan)
        return text.replace("CASE", str(case))

    output = case / named(name)
    for number, place in enumerate(_links(output)):
        before = _content(case)
        done = in_process(capsys, *map(named, words.split()), option, place)
        assert done.returncode == 1, done.stderr
        assert done.stderr.startswith(f"plancost: {place}: this file is read"), (number, done)
        assert done.stderr.endswith("writing here would overwrite it; name another file\n")
        assert _content(case) == before


def _links(path: Path) -> Iterator[Path]:
    """A file and other names of it."""
    yield path
    yield path.parent / ".." / path.parent.name / path.name
    link, hard = (path.parent.parent / f"a-{kind}-{path.name}" for kind in ("link", "hard-link"))
    link.symlink_to(path)
    yield link
    hard.hardlink_to(path)
    yield hard


@pytest.mark.usefixtures("no_work")
@pytest.mark.parametrize("words", [f"{LEARN} --pddl-out", f"{MANIFEST} --pddl-out"])
def test_pddl_beside_the_input(case: Path, capsys: pytest.CaptureFixture[str], words: str) -> None:
    (case.parent / "link").symlink_to(case)
    for folder in (case, case.parent / "link"):
        before = _content(case)
        done = in_process(capsys, *words.replace("CASE", str(case)).split(), folder)
        assert done.returncode == 1
        assert "writing PDDL here could overwrite the input" in done.stderr
        assert _content(case) == before


@pytest.mark.usefixtures("no_work")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("--output x", "--report x"),
        ("--output x", "--report y/../x"),
        ("--output x", "--log-file link"),
        ("--output old", "--report hard"),
        ("--output X.json", "--report x.JSON"),
        ("--output x", "--pddl-out x/y"),
        ("--output x", "--checkpoint x"),
        ("--output x/domain.pddl", "--pddl-out x"),
        ("--log-file y/domain.pddl", "--pddl-out y"),
    ],
)
def test_two_outputs_are_two_files(
    case: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    one: str,
    other: str,
) -> None:
    place = tmp_path / "place"
    place.mkdir()
    monkeypatch.chdir(place)
    Path("y").mkdir()
    Path("link").symlink_to("x")
    Path("old").touch()
    Path("hard").hardlink_to("old")
    before = sorted(place.rglob("*"))
    done = in_process(capsys, "learn", case, *one.split(), *other.split())
    assert done.returncode == 2, done.stderr
    assert "--" in done.stderr
    assert "; name " in done.stderr
    assert sorted(place.rglob("*")) == before


def test_what_may_be_written_again(case: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An earlier result inside the case, devices more than once, the state of monitor."""
    done = in_process(capsys, "learn", case, "--quiet", "--output", case / "r.json")
    assert (done.returncode, done.stderr) == (0, "")
    words = ["--output", "/dev/null", "--report", "/dev/null", "--log-file", "/dev/null"]
    assert in_process(capsys, "learn", case, *words).returncode == 0
    (case / "state.json").unlink()
    stream = f"{MONITOR} --state CASE/state.json".replace("CASE", str(case))
    for _ in range(2):
        done = in_process(capsys, *stream.split())
        assert done.returncode == 0, done.stderr
    pages = ["--output", case / "report.html"]
    for _ in range(2):
        assert in_process(capsys, "report", case, case / "r.json", *pages).returncode == 0


def test_evaluate_does_not_overwrite_its_manifest(
    case: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    manifest = (case / "m.csv").rename(case / "measures.csv")
    before = _content(case)
    words = ["--domain", case / "domain.pddl", "--output", case]
    done = in_process(capsys, "evaluate", manifest, *words)
    assert (done.returncode, _content(case)) == (1, before)
    assert "measures.csv: this file is read" in done.stderr


def test_a_pipe_is_read_once(case: Path, tmp_path: Path) -> None:
    """The look at inputs must not take what a pipe holds."""
    output = tmp_path / "out.json"
    output.touch()
    done = subprocess.run(
        [PLANCOST, "learn", case, "--initial-costs", "/dev/stdin", "--output", output],
        input=(case / "r.json").read_text(),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(output.read_text())["refined"]


@pytest.mark.parametrize("output", ["links.csv", "trips.csv", "nodes.csv"])
def test_tables_of_routes(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    output: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("links.csv").write_text("link,from,to\none,a,b\n")
    Path("trips.csv").write_text("trip,links\n1,one\n")
    Path("nodes.csv").write_text("node,x,y\na,0,0\nb,1,0\n")
    before = _content(tmp_path)
    words = ["routes", "learn", "links.csv", "trips.csv", "--nodes", "nodes.csv"]
    done = in_process(capsys, *words, "--output", output)
    assert (done.returncode, _content(tmp_path)) == (1, before)
    assert f"{output}: this file is read" in done.stderr


def test_every_path_is_an_input_or_an_output() -> None:
    """A new option that names a path is protected, or protects, only if it is known which."""
    found = {
        action.dest
        for parser in _parsers(build_parser())
        for action in parser._actions
        if action.type is Path
    }
    assert found == INPUTS | set(OUTPUTS)


def _parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for child in action.choices.values():
                yield from _parsers(child)


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
@pytest.mark.usefixtures("no_work")
def test_nothing_that_is_read_ever_changes(
    case: Path, capsys: pytest.CaptureFixture[str], data: st.DataObject
) -> None:
    """Any options of learn with any files of the case: it is refused, or would begin to work."""
    names = sorted(path.name for path in case.iterdir() if path.suffix in (".pddl", ".plan"))
    options = ["--output", "--report", "--log-file", "--pddl-out", "--checkpoint"]
    chosen = data.draw(st.lists(st.sampled_from(options), min_size=1, max_size=3, unique=True))
    words = [word for option in chosen for word in (option, data.draw(st.sampled_from(names)))]
    paths = [str(case / word) if word in names else word for word in words]
    before = _content(case)
    done = in_process(capsys, "learn", case, *paths)
    assert _content(case) == before
    if set(chosen) != {"--checkpoint"}:  # which is done without, with a note
        assert done.returncode in (1, 2), (words, done.stderr)


def test_the_result_says_so_too(case: Path) -> None:
    """As a user calls it."""
    domain = (case / "domain.pddl").read_bytes()
    done = plancost("learn", case, "--output", case / "domain.pddl")
    assert (done.returncode, done.stdout) == (1, "")
    assert (case / "domain.pddl").read_bytes() == domain
    assert json.loads((case / "r.json").read_text())["verified"]

"""Names that are code for somebody: no output of the command does more than show them."""

from __future__ import annotations

import json
import re
import subprocess
import unicodedata
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from conftest import WriteGraphCase
from plancost.results.pddl_out import folder_names
from support.command import PLANCOST, in_process

EDGES = {"ab": 1, "bc": 1, "ac": 1, "ba": 1}
SCRIPT = "<script>alert(1)<!--"
PLANS = (
    "p1.\x1b[2J\x1b]0;owned\x07.plan",
    "p1.\nplancost: all is well.plan",
    "p1.\u202e\u2028$\\frac{[bold].plan",
    "p1.\udcff\x9b31m.plan",
    f"p1.{SCRIPT}&\"'.plan",
    "p1.²٣.plan",
)
"""Escapes, a line break, text turned around, a byte that is no text, HTML, odd digits."""
GROUPS = ("../../outside", "/etc", "..", "=1+1", f"\x1b[31m{SCRIPT}", "-rf", "x" * 300)


@pytest.fixture
def case(write_graph_case: WriteGraphCase) -> Path:
    folder = write_graph_case(EDGES, ["abc"])
    (plan,) = folder.glob("*.plan")
    for name in PLANS:
        (folder / name).write_text(plan.read_text())
    plan.unlink()
    return folder


def assert_plain(*texts: str) -> None:
    for text in texts:
        wrong = [c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")]
        assert set(wrong) <= {"\n"}


def test_learning_and_checking(
    case: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result, log = tmp_path / "RESULT.json", tmp_path / "log"
    talk = ("--verbose", "--log-file", log)
    done = in_process(capsys, "learn", case, "--output", result, *talk, "--jobs", 1)
    assert done.returncode == 0
    assert_plain(done.stdout, done.stderr, log.read_text(), result.read_text())
    assert "p1.\\x1b[2J\\x1b]0;owned\\x07.plan" in done.stdout
    assert not re.search("^plancost: all is well", done.stdout, re.MULTILINE)
    said = json.loads(result.read_text())
    assert sorted(item["plan"] for item in said["observations"]) == sorted(PLANS)
    shown = in_process(capsys, "verify", case, result, "--json")
    assert_plain(shown.stdout)
    assert json.loads(shown.stdout)["observations"] == [
        {key: item[key] for key in item if key != "explanation"} for item in said["observations"]
    ]
    assert_plain(in_process(capsys, "explain", case, result).stdout)


def test_pictures(case: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = tmp_path / "RESULT.json"
    in_process(capsys, "learn", case, "--output", result, "--quiet")
    for name in ("map.svg", "map.png"):
        done = in_process(capsys, "plot", case, result, "--output", tmp_path / name)
        assert (done.returncode, done.stderr) == (0, "")
    assert_plain((tmp_path / "map.svg").read_text())
    tree = ElementTree.parse(tmp_path / "map.svg")
    tags = {element.tag.rpartition("}")[2] for element in tree.iter()}
    assert "script" not in tags and "foreignObject" not in tags
    assert any(SCRIPT in text for text in tree.getroot().itertext())
    assert (tmp_path / "map.png").read_bytes().startswith(b"\x89PNG")


def test_reports(case: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Notes too: a plan that is left out is named there, and in RESULT.json as it is."""
    (case / PLANS[2]).write_text("(move c a)\n")
    page = tmp_path / "report.html"
    done = in_process(capsys, "learn", case, "--on-invalid", "skip", "--report", page)
    assert done.returncode == 0
    assert_plain(done.stdout, done.stderr, page.read_text())
    assert "p1.\\u202e\\u2028$" in page.read_text()


def test_wrong_files_and_wrong_words(
    case: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (case / PLANS[0]).write_text("(move\x1b[31m a\u202e)\n")
    wrong = in_process(capsys, "learn", case)
    assert wrong.returncode == 1 and wrong.stderr.count("\n") == 1
    usage = in_process(capsys, "learn", case, "--no\x1b[31m")
    assert usage.returncode == 2
    for done in (wrong, usage, in_process(capsys, "learn", tmp_path / PLANS[1])):
        assert_plain(done.stdout, done.stderr)
        assert not re.search("^plancost: all is well", done.stderr, re.MULTILINE)


def test_groups_stay_in_their_folder(
    write_graph_case: WriteGraphCase, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = write_graph_case(EDGES, ["abc"])
    plan = next(case.glob("*.plan")).name
    manifest = case / "m.csv"
    rows = "".join(f'p1.pddl,{plan},"{name.replace(chr(34), chr(34) * 2)}"\n' for name in GROUPS)
    manifest.write_text("problem,plan,group\n" + rows)
    out = tmp_path / "deep" / "er" / "out"
    out.parent.mkdir(parents=True)
    before = set(tmp_path.rglob("*"))
    page = out / "report.html"
    options = ("--domain", case / "domain.pddl", "--pddl-out", out / "pddl", "--report", page)
    done = in_process(capsys, "learn", manifest, *options)
    assert done.returncode == 0
    assert_plain(done.stdout, done.stderr)
    new = {path for path in tmp_path.rglob("*") if path not in before}
    assert new and all(out in (path, *path.parents) or path in out.parents for path in new)
    assert len(list((out / "pddl").iterdir())) == len(GROUPS)
    assert [path.name for path in out.glob("*.html")] == ["report.html"]


def test_folder_names() -> None:
    names = folder_names(GROUPS)
    assert len(set(names)) == len(GROUPS)
    for name in names:
        assert Path(name).name == name and name not in ("", ".", "..")
        assert not name.startswith(("-", ".")) and len(name.encode()) < 255


def test_evaluation(case: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (case / PLANS[0]).rename(case / "p1.=cmd.plan")
    out = tmp_path / "out"
    words = ("--folds", 2, "--methods", "unit", "--output", out)
    done = in_process(capsys, "evaluate", case, *words)
    assert done.returncode == 0
    assert_plain(done.stdout, *(path.read_text() for path in out.iterdir()))


def test_a_terminal_gets_nothing_raw(case: Path) -> None:
    """The installed command, with a file name that is no text, in a plain locale."""
    done = subprocess.run(
        ["env", "LC_ALL=C", PLANCOST, "learn", str(case), "--alternatives", "baseline"],
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0 and b"\x1b" not in done.stdout + done.stderr

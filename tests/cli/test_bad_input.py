"""Whatever is wrong with the files: exit status 1, one sentence, and no result."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from towns import BY_RIVER, DOMAIN, PDDL, PROBLEM, STREETS, Files, command, write

LINKS, TRIPS = STREETS["links.csv"], STREETS["trips.csv"]
MANIFEST = "problem,plan,count\nschool.pddl,school.monday.plan,1\n"

BAD_PDDL: dict[str, Files] = {
    "unknown action": {"school.monday.plan": "(fly home school)\n"},
    "undeclared object": {"school.monday.plan": "(walk home moon)\n"},
    "step not applicable": {"school.monday.plan": "(walk home river)\n(walk home river)\n"},
    "goal missed": {"school.monday.plan": "(walk home river)\n"},
    "empty plan": {"school.monday.plan": ""},
    "binary plan": {"school.monday.plan": b"\xff\xfe\x00\x01"},
    "unbalanced line": {"school.monday.plan": BY_RIVER.replace("river)\n", "river\n", 1)},
    "temporal plan": {"school.monday.plan": "0.0: (walk home river) [1.0]\n"},
    "temporal plan without brackets": {"school.monday.plan": "0.0: walk home river [1.0]\n"},
    "link out of the folder": {"school.monday.plan": None},
    "no domain": {"domain.pddl": None},
    "line separator in a comment": {"school.monday.plan": "; a\u2028(fly home)\n"},
    "cut domain": {"domain.pddl": DOMAIN[:150]},
    "cut problem": {"school.pddl": PROBLEM[:120]},
    "empty domain": {"domain.pddl": ""},
    "binary domain": {"domain.pddl": b"\xff\xfe\x00\x01"},
    "plan without problem": {"work.plan": BY_RIVER},
    "no plans": {name: None for name in PDDL if name.endswith(".plan")},
    "another domain": {"school.pddl": PROBLEM.replace(":domain town", ":domain city")},
    "undeclared type": {"school.pddl": PROBLEM.replace("- place", "- planet")},
    "goal that no plan reaches": {"school.pddl": PROBLEM.replace("(at home)", "")},
}
BAD_STREETS: dict[str, Files] = {
    "missing column of links": {"links.csv": LINKS.replace("link,from,to", "link,from,at")},
    "missing column of trips": {"trips.csv": TRIPS.replace("trip,links", "trip,route")},
    "unknown link": {"trips.csv": TRIPS.replace("r1 r2", "r1 r9")},
    "trip that jumps": {"trips.csv": TRIPS.replace("r1 r2", "r2 r1")},
    "negative count": {"trips.csv": TRIPS.replace(",2", ",-2")},
    "count in parts": {"trips.csv": TRIPS.replace(",2", ",1.5")},
    "no trips": {"trips.csv": "trip,links\n"},
    "no links": {"links.csv": None},
    "total below 1 a link": {"trips.csv": "trip,links,cost\n1,r1 r2,1\n"},
    "misspelt column of trips": {"trips.csv": TRIPS.replace("count", "cont")},
    "misspelt column of links": {"links.csv": LINKS.replace("metres", "y_form")},
    "links and nodes": {"trips.csv": "trip,links,nodes\n1,h,home school\n"},
    "binary links": {"links.csv": b"\xff\xfe\x00\x01"},
    "link given twice": {"links.csv": LINKS + "h,home,school,300\n"},
}
SAYS = {
    "unknown action": "school.monday.plan: step 1 (fly home school)",
    "undeclared object": "declares no object 'moon'",
    "step not applicable": "step 2 (walk home river) cannot be applied: (at home) does not hold",
    "goal missed": "(at school) does not hold at its end",
    "binary plan": "school.monday.plan:1: ",
    "unbalanced line": "school.monday.plan:1: ",
    "temporal plan": "temporal",
    "temporal plan without brackets": "temporal",
    "cut domain": "domain.pddl:3: ",
    "cut problem": "school.pddl:2: ",
    "no domain": "neither domain.pddl",
    "no links": "nor links.csv",
    "plan without problem": "work.plan: no problem fits",
    "another domain": "city",
    "goal that no plan reaches": "school.pddl: this problem has no plan",
    "missing column of links": "links.csv:1: the first line must name the column to",
    "misspelt column of trips": "trips.csv:1: the column 'cont' is nearly called count: write",
    "misspelt column of links": "links.csv:1: the column 'y_form' is nearly called y_from: write",
    "links and nodes": "trips.csv:1: the first line must name a column links or",
    "unknown link": "trips.csv:2: trip 'monday': there is no link 'r9'",
    "trip that jumps": "trips.csv:2: trip 'monday': it jumps",
    "total below 1 a link": "trips.csv:2: trip '1': its known cost 1 is less",
    "total below 1 a step": "school.monday.plan: its known cost 2 is less",
    "missing column": "m.csv:1: ",
    "negative count": "count must be a whole number from 1",
    "count in parts": "count must be a whole number from 1",
}
"""Of what is said: the file and the line or step."""
BAD_MANIFEST = {
    "total below 1 a step": "problem,plan,cost\nschool.pddl,school.monday.plan,2\n",
    "missing column": "problem,count\nschool.pddl,1\n",
    "negative count": MANIFEST.replace(",1\n", ",-1\n"),
    "count in parts": MANIFEST.replace(",1\n", ",0.5\n"),
    "no such plan": MANIFEST.replace("monday", "sunday"),
    "outside": MANIFEST.replace("school.monday.plan", "../outside.plan"),
    "nothing": "",
}


def assert_refused(
    capsys: pytest.CaptureFixture[str], folder: Path, *words: object, output: Path, says: str = ""
) -> None:
    before = {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}
    done = command(capsys, "learn", *words, "--output", output)
    assert (done.status, done.out) == (1, ""), done
    assert done.err.startswith("plancost: ")
    assert done.err.count("\n") == 1, done.err
    assert "plancost: a bug" not in done.err
    assert says in done.err
    after = {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}
    assert after == before
    assert list(output.parent.glob("RESULT*")) == []


@pytest.mark.parametrize("name", BAD_PDDL)
def test_pddl(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = write(tmp_path / "case", PDDL, BAD_PDDL[name])
    if name == "link out of the folder":
        (tmp_path / "outside.plan").write_text(BY_RIVER, encoding="utf-8")
        (case / "school.monday.plan").symlink_to(tmp_path / "outside.plan")
    says = SAYS.get(name, "")
    assert_refused(capsys, case, case, output=tmp_path / "RESULT.json", says=says)


@pytest.mark.parametrize("name", BAD_STREETS)
def test_streets(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = write(tmp_path / "case", STREETS, BAD_STREETS[name])
    says = SAYS.get(name, "")
    assert_refused(capsys, case, case, output=tmp_path / "RESULT.json", says=says)


@pytest.mark.parametrize("name", BAD_MANIFEST)
def test_manifests(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "outside.plan").write_text(BY_RIVER, encoding="utf-8")
    case = write(tmp_path / "case", PDDL, {"m.csv": BAD_MANIFEST[name]})
    words = (case / "m.csv", "--domain", case / "domain.pddl")
    says = SAYS.get(name, "m.csv")
    assert_refused(capsys, case, *words, output=tmp_path / "RESULT.json", says=says)


@pytest.mark.parametrize(
    ("flag", "content"),
    [
        ("--refine", '{"(walk home hill)": 1.5}'),
        ("--refine", '{"(walk home hill)": NaN}'),
        ("--refine", '{"(fly home)": 1}'),
        ("--refine", '{"(walk home hill)": "3"}'),
        ("--refine", '{"(walk home hill)": -1}'),
        ("--refine", "{"),
        ("--bounds", '{"(walk home hill)": [5, 2]}'),
        ("--bounds", '{"(fly *)": 1}'),
        ("--bounds", "3"),
    ],
)
def test_files_of_costs(
    flag: str, content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = write(tmp_path / "case", PDDL, {"costs.json": content})
    words = (case, flag, case / "costs.json")
    assert_refused(capsys, case, *words, output=tmp_path / "RESULT.json")


def test_numbers_of_links(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = write(
        tmp_path / "case", STREETS, {"links.csv": LINKS.replace("\nh", "\n\nh") + "x,a,b,-\n"}
    )
    says = "links.csv:6: the metres of link 'x' must be a number >= 0, not '-'"
    output = tmp_path / "RESULT.json"
    assert_refused(capsys, case, case, "--refine", "metres", output=output, says=says)


def test_names_that_are_no_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = write(tmp_path / "case", PDDL)
    try:
        (case / os.fsdecode(b"school.\xff.plan")).write_text(BY_RIVER, encoding="utf-8")
    except OSError:
        pytest.skip("this system has no such names")
    done = command(capsys, "learn", case, "--output", tmp_path / "RESULT.json")
    assert (done.status, done.err) == (0, "")


@pytest.mark.parametrize("name", [*PDDL, "nothing/RESULT.json", "."])
def test_outputs_never_replace_an_input(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    case = write(tmp_path / "case", PDDL)
    assert_refused(capsys, case, case, output=case / name)

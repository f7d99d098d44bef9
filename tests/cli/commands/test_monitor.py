"""``plancost monitor`` as users call it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conftest import WriteGraphCase, both_ways
from support.command import in_process

SQUARE = both_ways({"ab": 1, "bd": 1, "ac": 1, "cd": 1, "ad": 1})
ROWS = ["p1.plan"] * 4 + ["other"] * 12


@pytest.fixture
def town(write_graph_case: WriteGraphCase, capsys: pytest.CaptureFixture[str]) -> Path:
    """Walkers by b; then, in the stream, walkers by c."""
    case = write_graph_case(SQUARE, ["abd"] * 19)
    (case / "other").write_text("(move a c)\n(move c d)\n")
    write_rows(case, ROWS)
    done = in_process(
        capsys, "learn", case, "--solution", "scf", "--output", case / "RESULT.json", "--quiet"
    )
    assert done.returncode == 0
    return case


def write_rows(case: Path, plans: list[str]) -> None:
    rows = "".join(f"p1.pddl,{plan}\n" for plan in plans)
    (case / "stream.csv").write_text("problem,plan\n" + rows)


def words(case: Path, *more: object) -> list[object]:
    return [
        "monitor", case / "RESULT.json", "--domain", case / "domain.pddl",
        "--observations", case / "stream.csv", "--window", 6, "--run-length", 100, *more,
    ]  # fmt: skip


def test_sentences(town: Path, capsys: pytest.CaptureFixture[str]) -> None:
    new = town / "NEW.json"
    done = in_process(capsys, *words(town, "--output", new))
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "plan 5 (other): outlier, costs 3 where 2 would do, p = 0.050"
    assert any("costs have changed, it seems since plan 5" in line for line in lines)
    assert (
        "plan 10 (other): costs learned again from the last 6 plans; of these 6 are optimal now "
        "and 0 were" in lines
    )
    assert f"wrote {new}" in lines
    assert lines[-1].startswith("16 new plans: 10 optimal when they came, ")
    assert json.loads(new.read_text())["optimal_plans"] == 6


def test_json_lines_and_going_on(town: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = town / "state.json"
    write_rows(town, ROWS[:6])
    first = in_process(capsys, *words(town, "--json", "--state", state))
    write_rows(town, ROWS)
    second = in_process(capsys, *words(town, "--json", "--state", state))
    events = [json.loads(line) for line in (first.stdout + second.stdout).splitlines()]
    assert [event["position"] for event in events] == list(range(1, 17))
    assert [event["costs"] for event in events][-1] == 1
    third = in_process(capsys, *words(town, "--state", state))
    assert third.stdout == "no new plans; 16 have been seen\n"
    state.write_text("no JSON")
    fourth = in_process(capsys, *words(town, "--state", state, "--quiet"))
    assert (fourth.returncode, fourth.stdout) == (0, "")
    assert "is damaged and was put aside as state.json.damaged" in fourth.stderr


@pytest.mark.parametrize(
    ("more", "status", "complaint"),
    [
        (["--false-alarms", "2"], 2, "between 0 and 1"),
        (["--window", "1"], 2, "--window takes a number of at least 2"),
        (["--training", "x", "--calibration", "y"], 2, "not from both"),
        (["--calibration", "/no/such.csv"], 1, "no such folder or manifest"),
        (["--drift", "magic"], 2, "unknown value for --drift"),
    ],
)
def test_wrong_words(
    town: Path,
    more: list[str],
    status: int,
    complaint: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    done = in_process(capsys, *words(town, *more))
    assert done.returncode == status
    assert complaint in done.stderr


def test_groups_are_refused(town: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = town / "RESULT.json"
    in_process(capsys, "learn", town, "--groups", 2, "--output", result, "--quiet")
    done = in_process(capsys, *words(town))
    assert done.returncode == 2
    assert "was learned with groups, and monitor cannot learn again with that" in done.stderr


def test_lines_of_a_log(town: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = town / "log"
    done = in_process(capsys, *words(town, "--quiet", "--log-file", log))
    assert done.returncode == 0
    assert "monitor" in log.read_text().splitlines()[0]


def test_the_domain_is_needed(town: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = in_process(
        capsys, "monitor", town / "RESULT.json", "--observations", town / "stream.csv"
    )
    assert (done.returncode, "add --domain FILE" in done.stderr) == (2, True)

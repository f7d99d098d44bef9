"""``plancost ask``, and ``--samples`` of other commands, as users call them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from conftest import WriteGraphCase, graph_problem
from support.command import plancost
from support.contract import assert_contract
from support.drawn import write

ROADS = {("a", "b"): 1, ("b", "d"): 1, ("a", "c"): 1, ("c", "d"): 1}
AB, BD, AC, CD = (f"(move {a} {b})" for a, b in ROADS)
ROWS: list[Mapping[str, float]] = [
    {AB: ab, BD: 1, AC: ac, CD: 1} for ab, ac in ((1, 2), (1, 3), (5, 3), (1, 4))
]


@pytest.fixture
def case(write_graph_case: WriteGraphCase) -> Path:
    """One went from a to d by b. Samples say by b or by c."""
    folder = write_graph_case(ROADS, ["abd"])
    (folder / "costs.json").write_text(json.dumps({AB: 1, BD: 1, AC: 2, CD: 1}))
    write(folder / "samples.npz", ROWS)
    (folder / "new").mkdir()
    for name, ends in (("p1", "bd"), ("p2", "ad")):
        text = graph_problem(name, "abcd", ROADS, ends[0], ends[1])
        (folder / "new" / f"{name}.pddl").write_text(text)
    return folder


def test_ask(case: Path) -> None:
    words = ("ask", case, case / "costs.json", "--samples", case / "samples.npz")
    done = plancost(*words, "--tasks", case / "new")
    assert (done.returncode, done.stderr) == (0, "")
    rows = [line.split() for line in done.stdout.splitlines() if ".pddl" in line]
    assert rows[0] == ["p2.pddl", "100.0", "%", "75", "%", "1.125", "2", "1"]
    assert rows[1][:3] == ["p1.pddl", "0.0", "%"]
    content = json.loads(plancost(*words, "--tasks", case / "new", "--budget", 1, "--json").stdout)
    assert [task["name"] for task in content["tasks"]] == ["p2.pddl"]
    assert (content["candidates"], content["samples"], content["searched"]) == (2, 4, 4)
    own = json.loads(plancost(*words, "--json").stdout)
    assert [(task["name"], task["observed"]) for task in own["tasks"]] == [("p1.pddl", 1)]
    assert plancost(*words, "--quiet").stdout == ""


def test_what_is_wrong_is_one_sentence(case: Path) -> None:
    words = ("ask", case, case / "costs.json", "--samples")
    done = plancost(*words, case / "nothing.npz")
    assert (done.returncode, done.stdout) == (1, "")
    assert "nothing.npz: there is no such file" in done.stderr
    done = plancost(*words, case / "samples.npz", "--budget", 0)
    assert done.returncode == 2
    done = plancost(*words, write(case / "other.npz", [{AB: 1.0}]))
    assert done.returncode == 1
    assert "the samples are of another result" in done.stderr
    done = plancost("solve", case / "p1.pddl", "--domain", case / "domain.pddl", *words[-1:], case)
    assert done.returncode == 2
    assert "--samples goes with --costs" in done.stderr


def test_solve_with_samples(case: Path) -> None:
    words = (
        *("solve", case / "p1.pddl", "--domain", case / "domain.pddl"),
        *("--costs", case / "costs.json", "--samples", case / "samples.npz"),
        *("--planner", "fast-downward"),
    )
    done = plancost(*words)
    assert (done.returncode, done.stderr) == (0, "")
    rows = [line.split() for line in done.stdout.splitlines() if "%" in line]
    assert [row[-3:] for row in rows] == [["%", "1.125", "yes"], ["25", "%", "1.750"]]
    assert "4 of 4 samples" in done.stdout
    content = json.loads(plancost(*words, "--json").stdout)
    assert content["status"] == "proven"
    assert [plan["probability"] for plan in content["probable"]["plans"]] == [0.75, 0.25]


def test_verify_with_samples(case: Path) -> None:
    words = ("verify", case, case / "costs.json", "--samples", case / "samples.npz")
    done = plancost(*words)
    assert (done.returncode, done.stderr) == (0, "")
    assert "probability" in done.stdout
    assert "75 %" in done.stdout
    content = json.loads(plancost(*words, "--json").stdout)
    assert_contract(content)
    assert content["observations"][0]["probability"] == 0.75
    assert content["observations"][0]["expected_regret"] == pytest.approx(1.125, abs=1e-4)

"""The line that is saved: run, it gives the same result."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest

from conftest import WriteGraphCase, both_ways
from plancost.api.learn import learn
from plancost.cli.main import main
from plancost.explore.command_line import command_line
from plancost.explore.opening import options_of, session_of
from plancost.explore.question import Question
from plancost.learning.problem.concept import Concept, Solution
from plancost.learning.problem.options import LearnOptions
from plancost.observations.case import load_case
from plancost.results.reading import read_result
from plancost.results.result import Result

TABLE_1 = both_ways({"ab": 2, "ac": 2, "bd": 1, "cd": 2, "ce": 2, "df": 1, "ef": 2})
ROUTES = ["abd", "acef", "abdf"]


def run_line(line: str, path: Path) -> Result:
    """What the command writes that a line names."""
    words = [*shlex.split(line)[1:], "--output", str(path), "--quiet"]
    assert main(words) == 0
    return read_result(path)


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"solution": "scf", "max_cost": 7},
        {"refine": True, "bounds": {"(move a *)": (1, 3)}},
    ],
    ids=str,
)
def test_the_same_result(asked: dict[str, Any], write_graph_case: WriteGraphCase) -> None:
    case = write_graph_case(TABLE_1, ROUTES)
    first, loaded = learn(case, **asked), load_case(case)
    words = ["plancost", "learn", str(case), *(["--refine"] if first.refined else [])]
    session = session_of(first, loaded, words)
    question = (
        session.question.with_bound("(move a b)", 3, 3)
        .with_bound("(move c e)", 2, None)
        .with_bound("(move e f)", 1, 4)
        .with_plan("p3.plan", dropped=True)
        .with_plan("p1.plan", required=True)
    )
    options = question.options(options_of(first))
    line = command_line(words, options)
    expected = learn(loaded, options, initial_costs=first.initial_costs)
    found = run_line(line, case / "RESULT.json")
    assert found.costs == expected.costs
    assert (found.secondary, found.upper_bound) == (expected.secondary, expected.upper_bound)
    assert found.observations == expected.observations
    assert Question.of(options_of(found))[0] == question


def test_every_option_that_changes_the_meaning() -> None:
    options = LearnOptions(
        Concept(Solution.ICF, strict=True),
        share=("drive ?a", "load"),
        skip_invalid=True,
        drop=("a b.plan", "$x'.plan"),
        seed=3,
        time_limit_s=5,
    )
    line = command_line(["plancost", "learn", "my case"], options)
    assert shlex.split(line) == [
        "plancost",
        "learn",
        "my case",
        "--solution=icf",
        "--strict",
        "--share=drive ?a",
        "--share=load",
        "--drop=a b.plan",
        "--drop=$x'.plan",
        "--seed=3",
        "--on-invalid=skip",
    ]


def test_costs_in_another_unit() -> None:
    bounds = Question((("mill-lane", 250, 250), ("high-street", 1, 300))).options(LearnOptions())
    line = command_line(["plancost"], bounds, lambda cost: f"{cost / 100:g}")
    assert line == "plancost --fix=mill-lane=2.5 --fix=high-street=..3"

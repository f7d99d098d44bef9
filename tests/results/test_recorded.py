"""The options of RESULT.json, written and read back."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from plancost.learning.problem.concept import Concept, Solution, Ties
from plancost.learning.problem.declaration import Topic
from plancost.learning.problem.options import LearnOptions
from plancost.observations.bounds_files import CostBound
from plancost.observations.plan_costs import Tolerance
from plancost.results.recorded import constrained_by, read_back, recorded_options

FILE = Path("RESULT.json")
PLAIN = {
    "reorderings": "distinct",
    "ties": "alternatives",
    "cost_conflicts": "error",
    "default_cost": None,
    "initial_costs": None,
    "solver": "highs",
    "time_limit": None,
    "seed": 0,
    "on_invalid": "error",
}
USED: dict[str, Any] = {
    "bounds": (CostBound("(move a b)", 2, 5, "RESULT.json"),),
    "max_cost": 9,
    "share": ("move ?a",),
    "linear": ("fly (far ?a ?b)",),
    "suboptimality": Fraction(11, 10),
    "drop": ("p.plan",),
    "require": ("q.plan", "r.plan"),
    "cost_tolerance": Tolerance(Fraction(1, 20), is_part=True),
    "soft_costs": True,
}
RECORDED = {
    "bounds": [["(move a b)", 2, 5]],
    "max_cost": 9,
    "share": ["move ?a"],
    "linear": ["fly (far ?a ?b)"],
    "suboptimality": "11/10",
    "drop": ["p.plan"],
    "require": ["q.plan", "r.plan"],
    "cost_tolerance": "5%",
    "soft_costs": True,
}


def test_what_is_always_recorded() -> None:
    assert list(recorded_options(LearnOptions(), {"groups": 2}).items()) == [
        *PLAIN.items(),
        ("groups", 2),
    ]


def test_the_values_of_what_is_always_recorded() -> None:
    options = LearnOptions(
        Concept(Solution.SCF, ties=Ties.OBSERVED),
        initial_costs=Path("old.json"),
        time_limit_s=2.5,
        skip_invalid=True,
    )
    found = recorded_options(options, {})
    assert (found["ties"], found["initial_costs"]) == ("observed", "old.json")
    assert (found["time_limit"], found["on_invalid"]) == (2.5, "skip")


def test_what_was_used_is_recorded_and_read_back() -> None:
    found = recorded_options(LearnOptions(**USED), {})
    assert list(found.items()) == [*PLAIN.items(), *RECORDED.items()]
    entries = json.loads(json.dumps(found))
    again = {
        **read_back(entries, FILE, Topic.COSTS),
        **read_back(entries, FILE, Topic.OPTIMALITY),
    }
    assert again == {**USED, "ignore_costs": False}


def test_nothing_recorded_is_nothing_used() -> None:
    assert LearnOptions(**read_back({}, FILE, Topic.COSTS)) == LearnOptions()


@pytest.mark.parametrize("entries", ["text", {"share": None}, {"cost_tolerance": 5}], ids=str)
def test_entries_that_cannot_be_read(entries: Any) -> None:  # noqa: ANN401
    with pytest.raises((AttributeError, TypeError)):
        read_back(entries, FILE, Topic.COSTS)


def test_what_constrains_learning() -> None:
    assert constrained_by(PLAIN) is None
    assert constrained_by({"max_cost": 3}) == "bounds on costs"
    assert constrained_by({"linear": ["x"]}) == "linear costs"

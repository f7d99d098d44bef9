"""Options: what is refused, and what a plain value is read as."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plancost.errors import UsageError
from plancost.learning.problem.concept import Concept, Solution
from plancost.learning.problem.options import LearnOptions, OracleName
from plancost.system.clock import Deadline
from plancost.system.processes import usable_cores


def test_decimal_factors_are_exact() -> None:
    assert LearnOptions(suboptimality=1.1).suboptimality == Fraction(11, 10)  # type: ignore[arg-type]


def test_factors_that_are_too_fine_are_refused() -> None:
    with pytest.raises(UsageError, match="four decimal places or a denominator up to 10000"):
        LearnOptions(suboptimality=Fraction("1.000000001"))
    assert LearnOptions(suboptimality=Fraction("1.0001")).suboptimality == Fraction(10001, 10000)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"alternatives": "0"}, "alternatives takes 'exact', a number from 1"),
        ({"alternatives": "some"}, "not 'some'"),
        ({"oracle": "magic"}, "oracle is one of"),
        ({"solver": "magic"}, "solver is one of"),
        ({"concept": "best"}, "concept is one of mcf, scf, icf"),
        ({"time_limit_s": 0}, "time_limit_s takes a number of seconds above 0"),
        ({"jobs": 0}, "jobs takes a whole number from 1 to 1000, not 0"),
        ({"groups": 0}, "groups takes a whole number of at least 1"),
        ({"groups": 2, "alternatives": "3"}, "groups goes with alternatives='exact'"),
        ({"groups": 2, "ranges": True}, "ranges does not go with groups"),
        ({"ignore_costs": True, "soft_costs": True}, "ignore_costs goes with neither"),
        ({"compare_unshared": True}, "compare_unshared goes with share or linear"),
        ({"checkpoint_every_s": -1}, "checkpoint_every_s takes"),
        ({"max_cost": 0}, "max_cost takes a whole number of at least 1"),
    ],
)
def test_what_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        LearnOptions(**given)


def test_the_first_option_that_the_exact_learner_alone_understands() -> None:
    assert LearnOptions().exact_only is None
    assert LearnOptions(share=("schema",)).exact_only == "--share"
    assert LearnOptions(max_cost=3, share=("schema",)).exact_only == "--max-cost"


def test_plain_words_and_numbers() -> None:
    options = LearnOptions("scf", alternatives="12", oracle="symk")  # type: ignore[arg-type]
    assert options.concept == Concept(Solution.SCF)
    assert options.oracle is OracleName.SYMK
    assert options.alternative_count == 12
    assert LearnOptions(alternatives="all").alternative_count is None


def test_the_time_until_a_deadline() -> None:
    options = LearnOptions(time_limit_s=60.0, started_at=0.0)
    assert options.deadline() == Deadline(60.0)
    assert options.until(Deadline()).time_limit_s is None
    soon = Deadline.after(5.0)
    until = options.until(soon).deadline()
    assert until.at is not None and soon.at is not None
    assert until.at == pytest.approx(soon.at, abs=1e-6)
    late = options.until(Deadline.after(-5.0))
    assert late.time_limit_s is not None and late.time_limit_s > 0


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"time_limit_s": "60"}, "time_limit_s takes a number of seconds, not '60'"),
        ({"time_limit_s": float("nan")}, "time_limit_s takes a number of seconds, not nan"),
        ({"jobs": 1.5}, "jobs takes a whole number from 1 to 1000, not 1.5"),
        ({"refine": "yes"}, "refine takes True or False, not 'yes'"),
        ({"share": 5}, "share takes texts, not 5"),
        ({"share": ("a", 5)}, r"share takes texts, not \('a', 5\)"),
        ({"scheduler": 5}, "scheduler takes a text, not 5"),
        ({"checkpoint": 5}, "checkpoint must be a path"),
        ({"seed": None}, "seed takes a whole number, not None"),
        ({"max_cost": 10**13}, "max_cost takes a whole number of at most 1000000000000"),
        ({"graph_limits": 0}, "graph_limits takes a whole number of at least 1, not 0"),
        ({"bounds": 5}, "bounds takes a mapping"),
        ({"cost_tolerance": "x"}, "cost_tolerance takes a number such as 2"),
    ],
)
def test_values_of_other_types(given: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=f"^{message}"):
        LearnOptions(**given)


def test_values_that_are_understood() -> None:
    given: dict[str, Any] = {
        "alternatives": 10,
        "time_limit_s": np.int64(60),
        "share": "schema",
        "graph_limits": 50,
        "checkpoint": "folder",
        "bounds": {"(drive * b)": (2, 5), "(load)": 3},
        "cost_tolerance": 2,
        "jobs": -1,
    }
    found = LearnOptions(**given)
    assert (found.alternatives, found.time_limit_s, found.share) == ("10", 60.0, ("schema",))
    assert (found.graph_limits.states, found.graph_limits.transitions) == (50, 500)
    assert found.checkpoint == Path("folder") and found.jobs == usable_cores()
    assert [bound.to_json() for bound in found.bounds] == [["(drive * b)", 2, 5], ["(load)", 3, 3]]
    assert str(found.cost_tolerance) == "2"

"""Which tasks count, mean and population deviation, by hand."""

from __future__ import annotations

import pytest

from plancost.experiments.plan import BASELINE_ALL, EXACT_ALL
from plancost.experiments.statistics import Outcome, Results, mean_and_deviation
from support.studies import failed, solved, tiny_study

STUDY = tiny_study(("baseline", "10", "100", "exact"), tasks=4)
OUTCOMES = {
    ("grid", 3, 1, "baseline"): solved(0.0),
    ("grid", 3, 2, "baseline"): solved(0.2),
    ("grid", 3, 3, "baseline"): solved(0.4),
    ("grid", 3, 4, "baseline"): solved(1.0),
    ("grid", 3, 1, "10"): solved(0.5),
    ("grid", 3, 2, "10"): solved(0.7),
    ("grid", 3, 3, "10"): failed("planner out of time"),
    ("grid", 3, 4, "10"): failed("planner out of time"),
    ("grid", 3, 1, "100"): failed("solver out of time", 0.9),
    ("grid", 3, 2, "100"): failed("planner out of memory"),
    ("grid", 3, 3, "100"): solved(0.9),
    ("grid", 3, 4, "100"): failed("solver out of time"),
    ("grid", 3, 1, "exact"): solved(0.6),
    ("grid", 3, 2, "exact"): solved(0.7, proved=False),
    ("grid", 3, 3, "exact"): solved(0.9),
    ("grid", 3, 4, "exact"): solved(1.0),
}
RESULTS = Results(STUDY, OUTCOMES)


def test_tasks_count_that_some_k_solved() -> None:
    assert RESULTS.counted_tasks("grid", 3) == [1, 2, 3]


def test_cells_by_hand() -> None:
    baseline = RESULTS.cell("grid", 3, "baseline")
    # 0, 0.2 and 0.4: mean 0.2, variance (0.04 + 0 + 0.04) / 3
    assert baseline.mean == pytest.approx(0.2)
    assert baseline.deviation == pytest.approx((0.08 / 3) ** 0.5)
    assert (baseline.tasks, baseline.runs, baseline.reasons) == (3, 4, ())
    ten = RESULTS.cell("grid", 3, "10")
    assert ten.mean == pytest.approx(0.6)
    assert ten.deviation == pytest.approx(0.1)
    assert (ten.tasks, ten.reasons) == (2, (("planner out of time", 2),))
    hundred = RESULTS.cell("grid", 3, "100")
    assert (hundred.mean, hundred.deviation, hundred.tasks) == (0.9, 0.0, 1)
    assert hundred.reasons == (("planner out of memory", 1), ("solver out of time", 2))


def test_exact_over_the_same_tasks_and_over_all() -> None:
    same = RESULTS.cell("grid", 3, "exact")
    assert same.mean == pytest.approx(2.2 / 3)
    assert (same.tasks, same.unproved) == (3, 1)
    everything = RESULTS.cell("grid", 3, EXACT_ALL)
    assert everything.mean == pytest.approx(3.2 / 4)
    assert everything.tasks == 4


def test_without_any_k_even_the_baseline_is_grey() -> None:
    """As in the paper's table of SCF, barman with 100 plans."""
    rows = ("baseline", "exact")
    outcomes = {place: found for place, found in OUTCOMES.items() if place[3] in rows}
    assert Results(STUDY, outcomes).cell("grid", 3, "baseline").mean is None
    assert Results(STUDY, outcomes).cell("grid", 3, "exact").mean is None
    assert Results(STUDY, outcomes).cell("grid", 3, EXACT_ALL).tasks == 4
    assert Results(STUDY, outcomes).cell("grid", 3, BASELINE_ALL).tasks == 4


def test_nothing_has_no_mean() -> None:
    assert mean_and_deviation([]) == (None, None)
    assert mean_and_deviation([0.25]) == (0.25, 0.0)


def test_where_exact_is_a_bound() -> None:
    """In task 2 it is not proven; k = 100 was solved in task 3 only."""
    assert RESULTS.tasks_with_proof() == 2
    assert not RESULTS.comparable("grid", 3, "10")
    assert RESULTS.comparable("grid", 3, "100")


def test_contradictions() -> None:
    assert RESULTS.contradictions() == []
    above = OUTCOMES | {("grid", 3, 1, "10"): solved(0.65)}
    assert Results(STUDY, above).contradictions() == [
        "grid, 3 plans, task 1, row 10: 0.650, exact 0.600"
    ]
    below = OUTCOMES | {("grid", 3, 1, "all"): solved(0.5)}
    assert len(Results(STUDY, below).contradictions()) == 1
    unproved = OUTCOMES | {("grid", 3, 2, "10"): solved(0.9)}
    assert Results(STUDY, unproved).contradictions() == []


def test_an_outcome_from_a_record() -> None:
    content = {"status": "solved", "reason": None, "plans": 4, "optimal_plans": 3,
               "proved": True, "seconds": {"total": 2.5}}  # fmt: skip
    assert Outcome.of(content) == Outcome(True, 0.75, True, 2.5, None)
    lost = {"status": "failed", "reason": "out of memory", "seconds": {"total": 9}}
    assert Outcome.of(lost) == Outcome(False, None, False, 9.0, "out of memory")

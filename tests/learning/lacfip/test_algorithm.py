"""LACFIP at k = all against brute force, in both objectives, for all concepts."""

from __future__ import annotations

import math

from hypothesis import given, settings

from plancost.learning.incumbent import Incumbent
from plancost.learning.lacfip.algorithm import lacfip
from plancost.learning.problem.task import LearningTask
from plancost.observations.planfile import Plan
from plancost.solver import highs
from plancost.solver.model import Model, Outcome, Status
from plancost.system.clock import Deadline
from support.brute_force import (
    assert_no_worse_than_brute_force,
    best_by_brute_force,
    is_optimal,
)
from support.learned import weight_under
from support.small_tasks import learning_tasks


def solve(model: Model, time_limit_s: float | None, start: list[float] | None) -> Outcome:
    """HiGHS, from a start that must be a solution; there is none only where weights are large."""
    assert start is not None or -1 in model.lower  # a carry between digits
    for value, lower, upper in zip(start or (), model.lower, model.upper, strict=False):
        assert lower <= value <= upper
    for coefficients, lower, upper in model.rows if start else ():
        assert (
            start and lower <= sum(start[column] * c for column, c in coefficients.items()) <= upper
        )
    return highs.solve(model, time_limit_s=time_limit_s, start=start)


@settings(max_examples=250, deadline=None)
@given(learning_tasks())
def test_optimal_in_both_objectives(example: tuple[LearningTask, list[list[Plan]]]) -> None:
    task, plans = example
    answer = Incumbent.baseline(task)
    lacfip(answer, plans, solve, Deadline())
    weight = weight_under(task, answer.costs, plans)
    assert weight == answer.weight
    assert weight == answer.upper_bound, "the bound is proven without caps, so it must meet"
    assert answer.secondary_bound == task.secondary(answer.costs)
    assert min(answer.costs) >= 1
    assert_no_worse_than_brute_force(task, answer.costs, weight, plans)


@settings(max_examples=40, deadline=None)
@given(learning_tasks())
def test_a_solver_that_never_finds_anything_loses_nothing(
    example: tuple[LearningTask, list[list[Plan]]],
) -> None:
    """Out of time in both MILPs: the answer and the bound stay valid."""
    task, plans = example

    def gives_up(model: Model, time_limit_s: float | None, start: list[float] | None) -> Outcome:
        return Outcome(Status.STOPPED, None, None, -math.inf)

    answer = Incumbent.baseline(task)
    lacfip(answer, plans, gives_up, Deadline())
    best = best_by_brute_force(task, plans)
    assert answer.upper_bound >= best.weight
    for number in answer.chosen:
        member = task.candidates[number].observations[0]
        assert is_optimal(task, member, answer.costs, plans[task.candidates[number].task])

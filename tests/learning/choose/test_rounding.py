"""Whole numbers near a mean that keep to rows."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from learning.choose.test_polytope import rows
from plancost.learning.choose.rounding import nearest_integers, rounded
from plancost.learning.problem.concept import Concept
from plancost.learning.problem.rows import Row, is_violated
from plancost.learning.problem.task import LearningTask
from plancost.observations.planfile import Plan
from plancost.system.clock import Deadline
from support.learned import learned
from support.small_tasks import cases, learning_tasks

_MOST = 6


@settings(max_examples=40, deadline=None)
@given(cases(most_actions=4), rows(), st.lists(st.floats(1, 5), min_size=4, max_size=4))
def test_nearest_integers_against_all(
    example: tuple[object, object], all_rows: list[Row], aims: list[float]
) -> None:
    task = LearningTask(example[0], Concept(), None)  # type: ignore[arg-type]
    size = min(4, len(task.parameters))
    own = [row for row in all_rows if all(parameter < size for parameter, _ in row[0])]
    target = np.array([*aims[:size], *([1.0] * (len(task.parameters) - size))])
    found = nearest_integers(task, own, target, Deadline())
    assert found is not None
    assert not any(is_violated(row, found) for row in own)
    spoken = {parameter for coefficients, _ in own for parameter, _ in coefficients}

    def distance(costs: tuple[int, ...]) -> float:
        return float(sum(abs(costs[n] - target[n]) for n in spoken))

    tried = itertools.product(range(1, _MOST + 1), repeat=size)
    fine = [costs for costs in tried if not any(is_violated(row, costs) for row in own)]
    allowed = 0.01 * sum(target[n] for n in spoken) + 1e-6  # how far from the nearest it may stop
    assert distance(found) <= min(map(distance, fine)) + allowed


@settings(max_examples=30, deadline=None)
@given(learning_tasks(most_actions=5))
def test_rounded_costs_keep_all_plans_optimal(
    example: tuple[LearningTask, list[list[Plan]]],
) -> None:
    task, _ = example
    task = LearningTask(task.case, task.concept, None)
    incumbent = learned(task)
    subproblem = incumbent.full
    if subproblem is None:
        return
    # The least costs in another unit are costs under which the plans are optimal, without whole
    # numbers.
    mean = np.asarray(incumbent.costs) * 1.37
    found = rounded(subproblem, incumbent.chosen, mean, Deadline())
    assert found is not None
    costs, factor = found
    assert subproblem.check(costs, incumbent.chosen, Deadline())
    assert np.abs(np.asarray(costs) / factor - mean).max() <= 0.1 * mean.sum()

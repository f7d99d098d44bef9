"""Integer costs out of floating-point ones."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.learning.problem.concept import Concept
from plancost.learning.problem.rows import is_violated
from plancost.learning.problem.task import LearningTask
from plancost.learning.subproblem.integer_costs import (
    Preference,
    round_to_integers,
    solve_integers,
    solve_with_slack,
)
from plancost.observations.planfile import Plan
from plancost.system.clock import Deadline
from support.grid_walks import grid_case, random_walks
from support.random_rows import costs_of, rows_over
from support.small_tasks import learning_tasks


def test_costs_beyond_exact_arithmetic_are_not_rounded() -> None:
    """Scaled up they would not fit into an integer of the machine, and come out negative."""
    assert round_to_integers(np.array([2.0**60, 1.0])) is None
    assert round_to_integers(np.array([3.0, 0.5])) == (6, 1)


@settings(max_examples=100, deadline=None)
@given(learning_tasks(4), st.data())
def test_the_least_of_all_costs_within_bounds(
    example: tuple[LearningTask, list[list[Plan]]], data: st.DataObject
) -> None:
    task, _ = example
    task = replace(task, ranges=((1, 4),) * len(task.case.actions))
    rows = data.draw(rows_over(task))
    everything = range(len(task.parameters))
    weights = data.draw(
        st.none() | st.fixed_dictionaries({action: st.integers(-3, 3) for action in everything})
    )
    budget = None if weights is None else data.draw(st.integers(0, 12) | st.just(10**6))
    preference = None if weights is None or budget is None else Preference(weights, budget)
    found = solve_integers(task, everything, rows, Deadline(), preference)
    fitting = [
        costs
        for costs in product(range(1, 5), repeat=len(everything))
        if not any(is_violated(row, costs) for row in rows)
        and (budget is None or task.secondary(costs) <= budget)
    ]

    def value(costs: tuple[int, ...]) -> int:
        if weights is None:
            return task.secondary(costs)
        return sum(weights[action] * cost for action, cost in enumerate(costs))

    assert found.proven
    assert (found.costs is None) == (not fitting)
    if found.costs is not None:
        assert found.costs in fitting
        assert value(found.costs) == min(map(value, fitting))


@settings(max_examples=60, deadline=None)
@given(learning_tasks(), st.data())
def test_costs_with_room_keep_to_the_rows(
    example: tuple[LearningTask, list[list[Plan]]], data: st.DataObject
) -> None:
    task = LearningTask(example[0].case, example[0].concept, None)
    truth = data.draw(costs_of(task))
    rows = [row for row in data.draw(rows_over(task)) if not is_violated(row, truth)]
    costs = solve_with_slack(task, range(len(task.parameters)), rows, Deadline())
    assert costs is not None, "there are some, and they may be scaled up"
    assert min(costs) >= 1
    assert not any(is_violated(row, costs) for row in rows)


def test_costs_below_the_initial_ones() -> None:
    """Columns that lower a cost count against the objective that raises it."""
    case = grid_case(2, random_walks(2, 2, 2, seed=1))
    count = len(case.actions)
    task = LearningTask(case, Concept(), (3,) * count, ((1, 4),) * count)
    for weight, budget, cost in ((1, 9, 1), (-1, 9, 4), (1, 1, 2), (-1, 0, 3)):
        preference = Preference({0: weight}, budget)
        found = solve_integers(task, range(count), (), Deadline(), preference)
        assert found.proven
        assert found.costs is not None
        assert found.costs[0] == cost
        assert task.secondary(found.costs) <= budget


def test_fractions_are_scaled_up_unless_that_is_forbidden() -> None:
    corner = np.array([1.0, 4 / 3, 2.5])
    assert round_to_integers(corner) == (6, 8, 15)
    assert round_to_integers(corner, scales=False) is None
    assert round_to_integers(np.array([2.0, 3.0000001]), scales=False) == (2, 3)
    assert round_to_integers(np.array([1 / 7, 1 / 13, 3.0])) == (13, 7, 273)
    irrational = np.sqrt(np.array([2.0, 3.0, 5.0, 7.0]))
    assert round_to_integers(irrational) is None

"""Integer costs over the known rows of a set, against all costs within bounds."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.learning.problem.cuts import cuts_of
from plancost.learning.problem.rows import is_violated
from plancost.learning.problem.task import LearningTask, PlanSet
from plancost.learning.subproblem.conflict import Conflict
from plancost.learning.subproblem.integer_search import IntegerSearch
from plancost.learning.subproblem.known_rows import KnownRows
from plancost.observations.planfile import Plan
from plancost.solver.model import Status
from plancost.system.clock import Deadline
from support.small_tasks import learning_tasks

Example = tuple[LearningTask, list[list[Plan]]]
MOST = 3


def known_rows(task: LearningTask, plans: list[list[Plan]]) -> KnownRows:
    """The rows of all simple plans."""
    known = KnownRows(task, range(len(task.parameters)))
    for number, candidate in enumerate(task.candidates):
        known.learn(cuts_of(task, number, plans[candidate.task]))
    return known


def fitting(task: LearningTask, known: KnownRows, chosen: PlanSet) -> list[tuple[int, ...]]:
    """All costs within the bounds that satisfy the rows of a set."""
    rows = known.rows_of_set(chosen)
    return [
        costs
        for costs in product(range(1, MOST + 1), repeat=len(task.parameters))
        if not any(is_violated(row, costs) for row in rows)
    ]


def drawn(example: Example, data: st.DataObject) -> tuple[LearningTask, KnownRows, PlanSet]:
    task = replace(example[0], ranges=((1, MOST),) * len(example[0].case.actions))
    known = known_rows(task, example[1])
    everything = st.sampled_from(range(len(task.candidates)))
    return task, known, data.draw(st.frozensets(everything, min_size=1))


@settings(max_examples=100, deadline=None)
@given(learning_tasks(4), st.data())
def test_the_least_costs_or_a_conflict(example: Example, data: st.DataObject) -> None:
    task, known, chosen = drawn(example, data)
    search, possible = IntegerSearch(known), fitting(task, known, chosen)
    found = search.least(chosen, Deadline())
    if possible:
        assert found in possible
        assert task.secondary(found) == min(map(task.secondary, possible))
        return
    assert isinstance(found, Conflict)
    assert found.contains(chosen)
    few = search.without_redundant_plans(chosen, found, Deadline())
    blamed = few.members(chosen)
    assert not fitting(task, known, blamed)
    weights = dict.fromkeys(range(len(task.parameters)), 1)
    assert search.least(chosen, Deadline(), objective=weights, budget=99) is None


@settings(max_examples=100, deadline=None)
@given(learning_tasks(4), st.data())
def test_integers_near_a_point_of_the_program(example: Example, data: st.DataObject) -> None:
    task, known, chosen = drawn(example, data)
    for number in np.flatnonzero(known.pool.induced(chosen)).tolist():
        known.program.add(number, known.pool.rows[number])
    point = known.program.solve()
    if point.status is not Status.OPTIMAL:
        assert not fitting(task, known, chosen)
        return
    found = IntegerSearch(known).near(point, chosen, Deadline())
    possible = fitting(task, known, chosen)
    assert found in possible if possible else isinstance(found, Conflict)


@settings(max_examples=10, deadline=None)
@given(learning_tasks(4), st.data())
def test_no_time_is_no_conflict(example: Example, data: st.DataObject) -> None:
    _, known, chosen = drawn(example, data)
    assert IntegerSearch(known).least(chosen, Deadline.after(0.0)) is None

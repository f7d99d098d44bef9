"""Integers close to the linear program: they keep to the rows, and columns are free again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.learning.exact.subproblems import full_subproblem
from plancost.learning.problem.concept import Concept
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Run
from plancost.learning.subproblem import integer_search
from plancost.learning.subproblem.cost_lp import CostLP, ProgramPoint
from plancost.learning.subproblem.diving import dive
from plancost.observations.planfile import Plan
from plancost.system.clock import Deadline
from support.grid_walks import grid_case, random_walks
from support.learned import learned
from support.small_tasks import learning_tasks


@settings(max_examples=100, deadline=None)
@given(learning_tasks(), st.booleans())
def test_close_integers_keep_to_all_rows(
    example: tuple[LearningTask, list[list[Plan]]],
    least: bool,
) -> None:
    task, _ = example
    chosen = learned(task).chosen
    subproblem = full_subproblem(Run.of(task.case, LearnOptions(task.concept)), task)
    point = subproblem.relax(chosen, Deadline())
    assert isinstance(point, ProgramPoint)
    costs = subproblem.integers.close(point, chosen, Deadline(), least=least)
    if costs is not None:
        assert not subproblem.broken(costs, chosen)
        assert task.secondary(costs) >= point.objective + task.objective.at_origin - 1e-6
    again = subproblem.program.solve()
    assert again.objective == pytest.approx(point.objective, abs=1e-6), "all columns are released"


def cyclic_program() -> CostLP:
    """Three costs, each two of which add up to at least 5: 2.5 each, and in integers 8 in all."""
    task = LearningTask(grid_case(2, random_walks(2, 1, 1, seed=0)), Concept(), None)
    program = CostLP(task, [0, 1, 2])
    for number, pair in enumerate([(0, 1), (0, 2), (1, 2)]):
        program.add(number, (tuple((action, -1) for action in pair), 5))
    return program


@pytest.mark.parametrize("farthest", [False, True])
def test_a_fractional_corner(*, farthest: bool) -> None:
    program = cyclic_program()
    assert program.solve().objective == pytest.approx(7.5 - 3)
    costs = dive(program, Deadline(), farthest=farthest)
    assert costs is not None
    assert sum(costs[:3]) == 8
    program.release()
    assert program.solve().objective == pytest.approx(7.5 - 3)


def test_farthest_first_where_the_nearest_leave_no_whole_numbers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each dive is asked for once, in this order, and the cheaper end of the two is taken."""
    task = LearningTask(grid_case(2, random_walks(2, 1, 1, seed=0)), Concept(), None)
    subproblem = full_subproblem(Run.of(task.case, LearnOptions(task.concept)), task)
    point = replace(subproblem.program.solve(), costs=np.full(len(task.baseline), 1.5))
    ends: dict[bool, tuple[int, ...] | None] = {}
    orders: list[bool] = []

    def end(*_: object, farthest: bool) -> tuple[int, ...] | None:
        orders.append(farthest)
        return ends[farthest]

    monkeypatch.setattr(integer_search, "dive", end)

    def found(nearest: int | None, farthest: int, *, least: bool) -> int:
        orders.clear()
        for order, cost in ((False, nearest), (True, farthest)):
            ends[order] = None if cost is None else (cost,) * len(task.baseline)
        costs = subproblem.integers.close(point, frozenset(), Deadline(), least=least)
        assert costs is not None
        return costs[0]

    assert (found(None, 3, least=False), orders) == (3, [False, True])
    assert (found(4, 3, least=False), orders) == (4, [False])
    assert (found(4, 3, least=True), orders) == (3, [False, True])
    assert (found(1, 3, least=True), orders) == (1, [False]), "no less is possible"


def test_no_time() -> None:
    assert dive(cyclic_program(), Deadline.after(0.0)) is None

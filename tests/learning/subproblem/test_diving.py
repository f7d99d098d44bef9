"""Integers close to the linear program: they keep to the rows, and columns are free again."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from plancost.learning.exact.subproblems import full_subproblem
from plancost.learning.problem.concept import Concept
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Run
from plancost.learning.subproblem.cost_lp import CostLP, ProgramPoint
from plancost.learning.subproblem.diving import dive
from plancost.observations.planfile import Plan
from plancost.system.clock import Deadline
from support.grid_walks import grid_case, random_walks
from support.learned import learned
from support.small_tasks import learning_tasks


@settings(max_examples=100, deadline=None)
@given(learning_tasks())
def test_close_integers_keep_to_all_rows(example: tuple[LearningTask, list[list[Plan]]]) -> None:
    task, _ = example
    chosen = learned(task).chosen
    subproblem = full_subproblem(Run.of(task.case, LearnOptions(task.concept)), task)
    point = subproblem.relax(chosen, Deadline())
    assert isinstance(point, ProgramPoint)
    costs = subproblem.integers.close(point, chosen, Deadline())
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


def test_a_fractional_corner() -> None:
    program = cyclic_program()
    assert program.solve().objective == pytest.approx(7.5 - 3)
    costs = dive(program, Deadline())
    assert costs is not None
    assert sum(costs[:3]) == 8
    program.release()
    assert program.solve().objective == pytest.approx(7.5 - 3)


def test_no_time() -> None:
    assert dive(cyclic_program(), Deadline.after(0.0)) is None

"""The linear program in the costs against SciPy's, with rows that come and go."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from plancost.learning.problem.rows import Row
from plancost.learning.problem.task import LearningTask
from plancost.learning.subproblem.cost_lp import CostLP
from plancost.observations.planfile import Plan
from plancost.solver.model import Status
from support.random_rows import rows_over
from support.small_tasks import learning_tasks


def least_sum(rows: list[Row], actions: int) -> float | None:
    """The least sum of costs that satisfy the rows, by SciPy."""
    matrix = np.zeros((len(rows), actions))
    for line, (coefficients, _) in zip(matrix, rows, strict=True):
        for action, coefficient in coefficients:
            line[action] = coefficient
    limits = [-margin for _, margin in rows]
    costs, some = np.ones(actions), bool(rows)
    found = linprog(
        costs, A_ub=matrix if some else None, b_ub=limits if some else None, bounds=(1, None)
    )
    assert found.status in (0, 2), found.message
    return found.fun


@settings(max_examples=100, deadline=None)
@given(learning_tasks(), st.data())
def test_rows_that_come_and_go(
    example: tuple[LearningTask, list[list[Plan]]], data: st.DataObject
) -> None:
    task = LearningTask(example[0].case, example[0].concept, None)
    rows = data.draw(rows_over(task, 6))
    program = CostLP(task, range(len(task.parameters)))
    for number, row in enumerate(rows):
        program.add(number, row)
    for _ in range(3):
        wanted = np.array([data.draw(st.booleans()) for _ in rows], dtype=bool)
        program.keep_only(wanted)
        active = [row for row, is_wanted in zip(rows, wanted, strict=True) if is_wanted]
        assert [program.holds(number) for number in range(len(rows))] == wanted.tolist()
        point, least = program.solve(), least_sum(active, len(task.parameters))
        assert set(point.rows) <= set(active)
        if least is None:
            assert point.status is Status.INFEASIBLE
        else:
            assert point.status is Status.OPTIMAL
            assert point.objective + task.objective.at_origin == pytest.approx(least)
            assert float(point.costs.sum()) == pytest.approx(least)
        for number in np.flatnonzero(~wanted).tolist():
            program.add(number, rows[number])

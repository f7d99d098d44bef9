"""Columns of costs: filled up from the origin, they say what costs say."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.learning.problem.task import Costs, LearningTask
from plancost.learning.subproblem.cost_columns import CostColumns
from plancost.observations.planfile import Plan
from support.random_rows import costs_of, rows_over
from support.small_tasks import learning_tasks


def filled(task: LearningTask, columns: CostColumns, costs: Costs) -> list[float]:
    """The columns for some costs: the pieces of each action one after the other."""
    left = {
        (action, sign): max(0, sign * (costs[action] - task.objective.origin[action]))
        for action in columns.actions
        for sign in (1, -1)
    }
    values = []
    for column in columns.columns:
        taken = min(left[column.action, column.sign], column.most)
        left[column.action, column.sign] -= int(taken)
        values.append(float(taken))
    assert not any(left.values()), "the pieces reach as far as the bounds"
    return values


@settings(max_examples=150, deadline=None)
@given(learning_tasks(), st.data())
def test_columns_say_what_costs_say(
    example: tuple[LearningTask, list[list[Plan]]], data: st.DataObject
) -> None:
    task, _ = example
    if data.draw(st.booleans()):
        ends = st.none() | st.integers(3, 6)
        bounds = tuple((data.draw(st.integers(1, 3)), data.draw(ends)) for _ in task.case.actions)
        task = replace(task, ranges=bounds)
    columns = CostColumns(task, range(len(task.parameters)))
    costs = data.draw(costs_of(task))
    values = filled(task, columns, costs)
    objective = sum(column.slope * x for column, x in zip(columns.columns, values, strict=True))
    assert objective == task.secondary(costs) - task.objective.at_origin
    for coefficients, margin in data.draw(rows_over(task)):
        line, limit = columns.translate(coefficients, -margin)
        left = sum(value * values[column] for column, value in line.items())
        right = sum(value * costs[action] for action, value in coefficients) + margin
        assert left - limit == right

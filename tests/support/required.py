"""Learning tasks with plans that must be optimal, and what is right by the definitions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import strategies as st

from plancost.learning.exact.required_plans import RequiredPlansError
from plancost.learning.incumbent import Incumbent
from plancost.learning.problem.task import LearningTask
from plancost.observations.planfile import Plan
from support.brute_force import cost_functions, is_optimal
from support.learned import learned, weight_under
from support.small_tasks import learning_tasks

Example = tuple[LearningTask, list[list[Plan]]]


@st.composite
def demanding_tasks(draw: st.DrawFn) -> Example:
    """A learning task with bounds on all costs and some plans that must be optimal."""
    task, plans = draw(learning_tasks(5))
    least = st.integers(1, 2)
    ranges = tuple((draw(least), draw(st.integers(2, 4))) for _ in task.case.actions)
    numbers = range(len(task.case.observations))
    required = draw(st.frozensets(st.sampled_from(numbers), min_size=1, max_size=2))
    return replace(task, ranges=ranges, required=required), plans


def allowed(task: LearningTask, plans: list[list[Plan]]) -> list[tuple[int, ...]]:
    """The cost functions under which all required plans are optimal, from the definitions."""
    return [
        tuple(costs)
        for costs in cost_functions(task).tolist()
        if all(
            is_optimal(task, number, costs, plans[task.case.observations[number].task])
            for number in task.required
        )
    ]


def check_answer(
    example: Example, answer_of: Callable[[LearningTask], Incumbent] = learned
) -> None:
    """The answer is the best of all costs under which the required plans are optimal."""
    task, plans = example
    costs = allowed(task, plans)
    if not costs:
        with pytest.raises(RequiredPlansError, match="no costs that keep to what is known make"):
            answer_of(task)
        return
    answer = answer_of(task)
    most = max(weight_under(task, item, plans) for item in costs)
    least = min(task.secondary(item) for item in costs if weight_under(task, item, plans) == most)
    assert answer.costs in costs
    assert answer.plans == answer.most_plans == weight_under(task, answer.costs, plans) == most
    assert task.secondary(answer.costs) == answer.secondary_bound == least

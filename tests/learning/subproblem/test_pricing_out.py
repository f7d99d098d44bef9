"""Actions that no chosen plan uses cost more than every chosen plan, and the others stay."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.learning.problem.task import LearningTask
from plancost.learning.subproblem.pricing_out import PricesOut, priced_out
from plancost.observations.planfile import Plan
from support.random_rows import costs_of
from support.small_tasks import learning_tasks


@settings(max_examples=100, deadline=None)
@given(learning_tasks(), st.data())
def test_unused_actions_are_priced_out(
    example: tuple[LearningTask, list[list[Plan]]], data: st.DataObject
) -> None:
    task, _ = example
    chosen = data.draw(st.frozensets(st.sampled_from(range(len(task.candidates)))))
    costs = data.draw(costs_of(task))
    found = priced_out(task, chosen, costs)
    used = {name for number in chosen for name in task.candidates[number].plan}
    most = max((task.cost(task.candidates[n].plan, costs) for n in chosen), default=0)
    for name, before, after in zip(task.case.actions, costs, found, strict=True):
        assert after == before if name in used else after > most
    floats = PricesOut(task, chosen)(np.array(costs, dtype=np.float64))
    if task.initial_costs is None:
        assert tuple(floats.tolist()) == found
    else:
        assert np.all(floats <= np.array(found))
        assert all(
            after > most or name in used
            for name, after in zip(task.case.actions, floats.tolist(), strict=True)
        )

"""Cuts out of listed plans: all that costs break, and none that they do not."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.learning.problem.cuts import cuts_of
from plancost.learning.problem.rows import is_violated
from plancost.learning.problem.task import LearningTask
from plancost.learning.separation.listed import ListedSeparator
from plancost.observations.planfile import Plan
from plancost.system.clock import Deadline
from support.small_tasks import learning_tasks


@settings(max_examples=200, deadline=None)
@given(learning_tasks(), st.data())
def test_a_plan_has_a_cut_if_and_only_if_its_rows_are_broken(
    example: tuple[LearningTask, list[list[Plan]]], data: st.DataObject
) -> None:
    task, plans = example
    size = len(task.parameters)
    costs = data.draw(st.lists(st.integers(1, 6), min_size=size, max_size=size))
    everyone = range(len(task.candidates))
    separator = ListedSeparator(task, plans)
    broken = {
        number
        for number in everyone
        for cut in cuts_of(task, number, plans[task.candidates[number].task])
        if is_violated(cut.row, costs)
    }
    for exact, given_costs in ((True, np.array(costs)), (False, np.array(costs, dtype=float))):
        found = separator.violated(given_costs, everyone, exact=exact, deadline=Deadline())
        assert found is not None
        assert {cut.candidate for cut in found} == broken
        for cut in found:
            assert is_violated(cut.row, costs)
            assert cut.row == task.row(task.candidates[cut.candidate], cut.alternative)


@settings(max_examples=20, deadline=None)
@given(learning_tasks())
def test_out_of_time_is_no_answer(example: tuple[LearningTask, list[list[Plan]]]) -> None:
    task, plans = example
    separator = ListedSeparator(task, plans)
    assert separator.effort([0]) == 1
    costs = np.asarray(task.baseline)
    assert separator.violated(costs, [0], exact=True, deadline=Deadline.after(0.0)) is None

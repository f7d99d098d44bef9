"""From costs of actions back to the parameters that they are made of."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.errors import InputError
from plancost.learning.problem.fitting import parameters_of
from support.linear_tasks import (
    Example,
    composed,
    compositions,
)
from support.small_tasks import learning_tasks


@settings(max_examples=30, deadline=None)
@given(learning_tasks(6), st.data())
def test_costs_back_to_parameters(example: Example, data: st.DataObject) -> None:
    task, _ = example
    composition = data.draw(compositions(task))
    numbers = [data.draw(st.integers(1, 50)) for _ in composition.parameters]
    costs = composition.costs(numbers)
    found = parameters_of(composition, task.case.actions, costs)
    assert composition.costs(found) == costs


def test_costs_that_are_not_linear() -> None:
    composition = composed(["(a)", "(b)", "(c)"], {"(a)": (1,), "(b)": (2,), "(c)": (3,)})
    with pytest.raises(InputError, match="not linear"):
        parameters_of(composition, ["(a)", "(b)", "(c)"], [1, 2, 4])

"""The second objective against its definition, on all small costs."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.errors import InputError
from plancost.learning.problem.cost_model import CostModel
from plancost.learning.problem.second_objective import SecondObjective
from plancost.observations.bounds_files import Range
from support.linear_tasks import composed

ACTIONS = ("(a)", "(b)", "(c)")
MOST = 5
ranges = st.tuples(st.integers(1, 3), st.none() | st.integers(3, MOST))


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.sampled_from(["x", "y"]), min_size=3, max_size=3),
    st.none() | st.tuples(*[st.integers(0, MOST)] * 3),
    st.none() | st.tuples(*[ranges] * 3),
    st.integers(0, 20),
)
def test_sums_of_costs_and_of_distances(
    classes: list[str],
    initial: tuple[int, ...] | None,
    bounds: tuple[Range, ...] | None,
    most: int,
) -> None:
    structure = CostModel.by_names(classes)
    objective = SecondObjective(structure, ACTIONS, initial, bounds)
    allowed = [
        costs
        for costs in product(range(1, 2 * MOST), repeat=len(structure.parameters))
        if all(
            low <= cost and (high is None or cost <= high)
            for cost, (low, high) in zip(
                structure.costs(costs), bounds or [(1, None)] * 3, strict=True
            )
        )
    ]
    for costs in allowed:
        each = structure.costs(costs)
        value = sum(each)
        if initial is not None:
            value = sum(abs(cost - wish) for cost, wish in zip(each, initial, strict=True))
        assert objective.value(costs) == value
        if value <= most:
            for parameter, cost in enumerate(costs):
                greatest = objective.greatest(parameter, most)
                assert greatest is None or cost <= greatest
    least = min(map(objective.value, allowed))
    assert objective.floor == objective.at_origin == least
    assert objective.baseline in allowed
    assert objective.value(objective.baseline) == least


def test_bounds_of_actions_that_share_a_cost_must_meet() -> None:
    structure = CostModel.by_names(["x", "x", "y"])
    objective = SecondObjective(structure, ACTIONS, None, ((3, None), (1, 2), (1, None)))
    with pytest.raises(
        InputError, match=r"\(a\), \(b\) share one cost, .* at least 3 and at most 2"
    ):
        _ = objective.terms


def test_linear_costs_begin_with_their_constants_alone() -> None:
    """At what is usual in the schema, and no less than any of its bounds."""
    structure = composed(ACTIONS, {"(a)": (2,), "(b)": (0,), "(c)": (1,)})
    free = SecondObjective(structure, ACTIONS, None, None)
    assert free.baseline == (1, 0)
    bounded = SecondObjective(structure, ACTIONS, None, ((1, None), (1, None), (4, None)))
    assert bounded.baseline == (4, 0)
    refined = SecondObjective(structure.with_links(), ACTIONS, (3, 3, 9), None)
    assert refined.baseline[:2] == (3, 0)
    assert structure.costs(refined.baseline) == [3, 3, 3]
    assert refined.value(refined.baseline) == 6

"""The most likely costs: the gradient, and where it is zero."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.learning.choose.likelihood import LEAST_COST, Likelihood, usual_cost, whole_costs
from plancost.learning.choose.walks import Vector
from plancost.system.clock import Deadline

PLANS = np.array([[1.0, 1.0, 0.0], [0.0, 1.0, 2.0], [1.0, 0.0, 1.0]])
"""Three plans that compete, as counts of three actions."""


def sums(costs: Vector) -> tuple[float, Vector]:
    """Ten plans are drawn from the three."""
    weights = np.exp(-PLANS @ costs)
    return 10 * math.log(weights.sum()), 10 * (weights / weights.sum()) @ PLANS


@settings(deadline=None, max_examples=20)
@given(
    counts=st.lists(st.integers(0, 10), min_size=3, max_size=3).filter(lambda c: sum(c) == 10)
    | st.just([4, 3, 3]),
    spread=st.sampled_from([0.5, 2.0]),
    costs=st.lists(st.floats(0.1, 3), min_size=3, max_size=3),
)
def test_the_loss_has_its_least_value_where_costs_are_most_likely(
    counts: list[int], spread: float, costs: list[float]
) -> None:
    model = Likelihood(np.array(counts) @ PLANS, sums, np.full(3, 2.0), spread)
    at = np.array(costs)
    value, gradient = model.loss(at)
    for number in range(3):
        step = np.eye(3)[number] * 1e-5
        slope = (model.loss(at + step)[0] - model.loss(at - step)[0]) / 2e-5
        assert gradient[number] == pytest.approx(slope, abs=1e-5)
    best = model.most_likely(Deadline(), tolerance=1e-12)
    assert best is not None
    assert np.all(best >= LEAST_COST)
    assert model.loss(best)[0] <= value + 1e-9
    assert np.abs(model.loss(best)[1][best > 1.01 * LEAST_COST]).max(initial=0.0) < 1e-3
    assert model.most_likely(Deadline.after(0.0)) is None
    assert np.all(model.curvature(best) > spread**-2)


def test_infinite_sums_and_whole_costs() -> None:
    model = Likelihood(np.ones(1), lambda costs: (math.inf, costs), np.ones(1), 1.0)
    assert model.loss(np.ones(1))[0] == math.inf
    assert usual_cost(1) == 1.0
    assert whole_costs({"a": 0.00001, "b": 1.2345}) == {"a": 1, "b": 1234}


def test_weights_of_features() -> None:
    """Costs that are linear in features have the most likely weights."""
    features = np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 3.0]])
    model = Likelihood(np.array([6.0, 3.0, 1.0]) @ PLANS, sums, np.full(3, 2.0), 1e6)
    weights = model.fitted(features, Deadline())
    assert weights is not None
    best = model.loss(features @ weights)[0]
    for change in ((0.05, 0.0), (0.0, 0.05)):
        for sign in (-1, 1):
            other = np.maximum([LEAST_COST, 0.0], weights + sign * np.array(change))
            assert model.loss(features @ other)[0] >= best - 1e-6
    assert model.fitted(features, Deadline.after(0.0)) is None

"""Maximum entropy on networks: the gradient, and the other implementation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.routes.maxent import LinkEntropy
from plancost.routes.network import Link, Network, Trip
from plancost.system.clock import Deadline
from support.small_networks import draw_trips, small_networks


def walks(network: Network, costs: dict[str, float], start: str, end: str, most: int) -> float:
    """Brute force: the sum over walks of so many links at most that end where they arrive."""
    if start == end:
        return 1.0
    at = {start: 1.0}
    total = 0.0
    for _ in range(most):
        after: dict[str, float] = {}
        for place, weight in at.items():
            for link in network.leaving.get(place, ()):
                if not link.is_loop:
                    more = weight * math.exp(-costs[link.name])
                    after[link.end] = after.get(link.end, 0.0) + more
        at = after
        total += at.pop(end, 0.0)
    return total


@settings(deadline=None, max_examples=30)
@given(network=small_networks(), seeds=st.lists(st.integers(0, 999), min_size=1, max_size=3))
def test_the_loss_is_that_of_all_walks(network: Network, seeds: list[int]) -> None:
    trips = draw_trips(network, seeds)
    model = LinkEntropy(network, trips, spread=1.0)
    generator = np.random.default_rng(0)
    costs = model.usual_cost + generator.normal(size=len(model.names)) * 0.2
    named = dict(zip(model.names, costs.tolist(), strict=True))
    expected = 0.5 * float(np.sum((costs - model.usual_cost) ** 2))
    for trip in trips:
        ends = network.visited(trip.links)
        expected += sum(named[name] for name in trip.links[: ends.index(ends[-1])])
        expected += math.log(walks(network, named, ends[0], ends[-1], 200))
    value, gradient = model.loss(costs)
    assert value == pytest.approx(expected)
    for number in range(len(costs)):
        step = np.zeros(len(costs))
        step[number] = 1e-6
        slope = (model.loss(costs + step)[0] - model.loss(costs - step)[0]) / 2e-6
        assert gradient[number] == pytest.approx(slope, abs=1e-4)


TOWN = Network((Link("1", "a", "b"), Link("2", "b", "c"), Link("3", "a", "c"), Link("4", "c", "a")))


def test_driven_links_become_cheap() -> None:
    costs = LinkEntropy(TOWN, [Trip("x", ("1", "2"), 9), Trip("y", ("3",))]).learn()
    assert costs is not None
    assert costs["1"] + costs["2"] < costs["3"]
    assert LinkEntropy(TOWN, [Trip("x", ("1",))]).learn(Deadline.after(1e-9)) is None


def test_an_infinite_sum_is_an_infinite_loss() -> None:
    model = LinkEntropy(TOWN, [Trip("x", ("1",))])
    value, _ = model.loss(np.full(4, -1.0))
    assert value == math.inf

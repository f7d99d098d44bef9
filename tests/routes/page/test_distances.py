"""Costs between places against trying all routes."""

from __future__ import annotations

import math

import pytest
from hypothesis import given

from plancost.errors import InputError
from plancost.routes.network import Link, Network
from plancost.routes.page.distances import Distances
from support.networks import cost, costed_networks, simple_routes


@given(costed_networks())
def test_distances_are_those_of_the_cheapest_routes(case: tuple[Network, dict[str, int]]) -> None:
    network, costs = case
    distances = Distances(network, costs)
    every = range(len(network.place_names))
    ahead = dict(distances.from_places(every))
    behind = dict(distances.to_places(every))
    for one, start in enumerate(network.place_names):
        for two, end in enumerate(network.place_names):
            routes = simple_routes(network, start, end)
            best = min((cost(route, costs) for route in routes), default=math.inf)
            assert ahead[one][two] == behind[two][one] == best


def test_each_place_is_searched_once() -> None:
    distances = Distances(Network((Link("l", "a", "b"),)), {"l": 3})
    assert [place for place, _ in distances.from_places([1, 0, 1])] == [1, 0]


def test_costs_beyond_exact_numbers_are_refused() -> None:
    network = Network((Link("l", "a", "b"),), source="links.csv")
    Distances(network, {"l": 2**51})
    with pytest.raises(InputError, match=r"links\.csv: costs of up to \d+ are too large"):
        Distances(network, {"l": 2**52})

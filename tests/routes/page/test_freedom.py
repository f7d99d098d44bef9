"""The least cost that leaves trips optimal, against trying all costs."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import assume, given
from hypothesis import strategies as st

from plancost.routes.network import Link, Network
from plancost.routes.page.freedom import least_costs
from plancost.routes.search import RouteGraph
from support.small_networks import all_routes, cost, costed_networks, routes_between


def is_optimal(
    network: Network, trip: tuple[str, ...], costs: Mapping[str, int], *, strict: bool
) -> bool:
    start, end = network.by_name[trip[0]].start, network.by_name[trip[-1]].end
    others = (route for route in routes_between(network, start, end) if route != trip)
    own = cost(trip, costs) + strict
    return all(own <= cost(route, costs) for route in others)


@given(costed_networks(), st.booleans(), st.data())
def test_against_trying_all_costs(
    case: tuple[Network, dict[str, int]], strict: bool, data: st.DataObject
) -> None:
    network, costs = case
    optimal = [
        route for route in all_routes(network) if is_optimal(network, route, costs, strict=strict)
    ]
    assume(optimal)
    trips = data.draw(st.lists(st.sampled_from(optimal), unique=True, min_size=1, max_size=4))
    number = {link.name: position for position, link in enumerate(network.links)}
    routes = [[number[name] for name in trip] for trip in trips]
    found = least_costs(RouteGraph(network, costs), routes, strict=strict)
    used = {name for trip in trips for name in trip}
    for link, least in zip(network.links, found.tolist(), strict=True):
        if link.name in used:
            assert least == 0
            continue
        fitting = [
            value
            for value in range(1, 9)
            if all(
                is_optimal(network, trip, {**costs, link.name: value}, strict=strict)
                for trip in trips
            )
        ]
        assert fitting == list(range(least, 9))


def test_a_link_that_would_beat_a_trip_or_tie_with_it() -> None:
    links = [("ab", "a", "b"), ("bc", "b", "c"), ("ac", "a", "c"), ("ca", "c", "a")]
    network = Network(tuple(Link(*link) for link in links))
    graph = RouteGraph(network, {"ab": 2, "bc": 3, "ac": 9, "ca": 4})
    assert least_costs(graph, [[0, 1]]).tolist() == [0, 0, 5, 1]
    assert least_costs(graph, [[0, 1]], strict=True).tolist() == [0, 0, 6, 1]
    assert least_costs(graph, []).tolist() == [1, 1, 1, 1]

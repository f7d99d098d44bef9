"""Cheapest alternatives against trying all routes."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from plancost.routes.network import Link, Network
from plancost.routes.page.alternatives import cheapest_alternative, cheapest_route
from plancost.routes.page.distances import Distances
from support.networks import all_simple_routes, cost, costed_networks, simple_routes


@given(costed_networks(), st.data())
def test_no_other_route_is_cheaper(
    case: tuple[Network, dict[str, int]], data: st.DataObject
) -> None:
    network, costs = case
    routes = all_simple_routes(network)
    assume(routes)
    trip = data.draw(st.sampled_from(routes))
    start, end = network.by_name[trip[0]].start, network.by_name[trip[-1]].end
    others = [route for route in simple_routes(network, start, end) if route != trip]
    distances = Distances(network, costs)
    number = {link.name: position for position, link in enumerate(network.links)}
    goal = distances.number[end]
    _, to_end = next(distances.to_places([goal]))
    found = cheapest_alternative(distances, [number[name] for name in trip], to_end)
    if found is None:
        assert not others
    else:
        names = tuple(network.links[link].name for link in found.links)
        assert names in others
        assert found.cost == cost(names, costs) == min(cost(route, costs) for route in others)
    best = cheapest_route(distances, distances.number[start], goal, to_end)
    assert best is not None
    assert best.cost == min(cost(route, costs) for route in [trip, *others])
    assert sum(int(distances.cost[link]) for link in best.links) == best.cost


def test_a_way_back_over_the_trip_is_no_alternative() -> None:
    """From b over x back to a is the cheapest deviation, but leads through a again."""
    links = [("ab", "a", "b"), ("bc", "b", "c"), ("bx", "b", "x"), ("xa", "x", "a")]
    links += [("ac", "a", "c"), ("xc", "x", "c")]
    network = Network(tuple(Link(*link) for link in links))
    costs = {"ab": 1, "bc": 10, "bx": 1, "xa": 1, "ac": 10, "xc": 20}
    distances = Distances(network, costs)
    _, to_end = next(distances.to_places([distances.number["c"]]))
    found = cheapest_alternative(distances, [4], to_end)
    assert found is not None and found.links == (0, 1) and found.cost == 11
    found = cheapest_alternative(distances, [0, 1], to_end)
    assert found is not None and found.links == (4,) and found.cost == 10

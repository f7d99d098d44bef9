"""Cheapest other routes against trying all routes."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from plancost.routes.alternatives import cheapest_routes
from plancost.routes.network import Link, Network
from plancost.routes.page.other_routes import cheapest_other
from plancost.routes.search import RouteGraph
from plancost.routes.turns import Turns
from support.small_networks import all_routes, cost, costed_networks, routes_between


@given(costed_networks(), st.data())
def test_no_other_route_is_cheaper(
    case: tuple[Network, dict[str, int]], data: st.DataObject
) -> None:
    network, costs = case
    routes = all_routes(network)
    assume(routes)
    trip = data.draw(st.sampled_from(routes))
    start, end = network.by_name[trip[0]].start, network.by_name[trip[-1]].end
    others = [route for route in routes_between(network, start, end) if route != trip]
    graph = RouteGraph(network, costs)
    number = {link.name: position for position, link in enumerate(network.links)}
    steps = [number[name] for name in trip]
    found = cheapest_other(graph, (start, end), steps, graph.togo(end))
    if found is None:
        assert not others
    else:
        names = tuple(network.links[link].name for link in found.links)
        assert names in others
        assert found.cost == cost(names, costs) == min(cost(route, costs) for route in others)


def test_a_way_back_over_the_trip_is_no_alternative() -> None:
    """From b over x seems cheapest, but from x the cheapest way leads through a again."""
    links = [("ab", "a", "b"), ("bc", "b", "c"), ("bx", "b", "x"), ("xa", "x", "a")]
    links += [("ac", "a", "c"), ("xc", "x", "c")]
    network = Network(tuple(Link(*link) for link in links))
    graph = RouteGraph(network, {"ab": 1, "bc": 5, "bx": 1, "xa": 1, "ac": 10, "xc": 20})
    togo = graph.togo("c")
    found = cheapest_other(graph, ("a", "c"), [4], togo)
    assert found is not None and (found.links, found.cost) == ((0, 1), 6)
    found = cheapest_other(graph, ("a", "c"), [0, 1], togo)
    assert found is not None and (found.links, found.cost) == ((4,), 10)


@given(costed_networks(), st.data())
def test_with_turns_against_the_two_cheapest_routes(
    case: tuple[Network, dict[str, int]], data: st.DataObject
) -> None:
    network, costs = case
    pairs = [
        (one.name, two.name) for one in network.links for two in network.leaving.get(one.end, ())
    ]
    classes = {pair: data.draw(st.sampled_from(["left", "right"])) for pair in pairs}
    turns = Turns({pair: name for pair, name in classes.items() if data.draw(st.booleans())})
    graph = RouteGraph(network, {**costs, "turn:left": 3, "turn:right": 1}, turns)
    start, end = data.draw(st.permutations(sorted({*network.place_names, "a", "b"})))[:2]
    assume(start in network.place_names and end in network.place_names)
    togo = graph.togo(end)
    two = cheapest_routes(graph, start, end, 2, togo)
    assume(two)
    found = cheapest_other(graph, (start, end), two[0].links, togo)
    assert (found.cost if found else None) == (two[1].cost if len(two) > 1 else None)

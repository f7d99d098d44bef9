"""Why trips are not cheapest routes, in streets."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.errors import InputError
from plancost.routes.costs import LearnedRoutes
from plancost.routes.explaining import detours, explain_trips, in_streets
from plancost.routes.learning import RouteOptions, learn_routes
from plancost.routes.network import Link, Network, Trip
from plancost.routes.prediction import RouteCosts, score_trips
from plancost.routes.turns import Turns
from support.small_networks import draw_trips, small_networks, small_turns


@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_detours_add_up(data: st.DataObject) -> None:
    """What a trip costs more than the cheapest route, it costs more on its detours."""
    network = data.draw(small_networks())
    turns = data.draw(st.none() | small_turns(network))
    names = [link.name for link in network.links] + list(turns.names if turns else ())
    costs = RouteCosts({name: data.draw(st.integers(1, 4)) for name in names}, turns=turns)
    seeds = data.draw(st.lists(st.integers(0, 999), min_size=1, max_size=4))
    trips = draw_trips(network, seeds, turns)
    graph = costs.graph(network)
    for score, _ in score_trips(network, costs, trips):
        found = detours(network, graph, score.trip.links, score.predicted.links)
        more = sum(item.driven_cost - item.cheaper_cost for item in found)
        assert more == score.cost - score.predicted.cost
        for item in found:
            assert network.visited(item.driven)[0] == item.start
            assert network.visited(item.driven)[-1] == item.end


def test_the_turn_between_two_detours_counts_once() -> None:
    """A round by e, then another one back over b: the left turn is between the two."""
    ends = {"0": "ea", "1": "ab", "3": "ad", "4": "ba", "5": "ba", "6": "be"}
    network = Network(tuple(Link(name, *places) for name, places in ends.items()))
    costs = RouteCosts(
        {**dict.fromkeys(ends, 1), "turn:left": 1}, turns=Turns({("0", "1"): "left"})
    )
    found = detours(network, costs.graph(network), ("6", "0", "1", "5", "3"), ("4", "3"))
    assert [(item.driven_cost, item.cheaper_cost) for item in found] == [(2, 1), (4, 1)]


ROUND = Network(
    (
        Link("1", "a", "b", street="High Street"),
        Link("2", "b", "c", street="High Street"),
        Link("3", "c", "a"),
        Link("4", "b", "a"),
    )
)


def test_a_round_trip() -> None:
    graph = RouteCosts({"1": 1, "2": 2, "3": 3, "4": 1}).graph(ROUND)
    (found,) = detours(ROUND, graph, ("1", "2", "3"), ())
    assert (found.start, found.end, found.driven_cost, found.cheaper) == ("a", "a", 6, ())
    (found,) = detours(ROUND, graph, ("1", "4", "1"), ("1",))
    assert (found.driven, found.cheaper, found.driven_cost) == (("4", "1"), (), 2)
    assert in_streets(ROUND, ("1", "2", "3")) == "High Street (1 2), 3"


def test_conflicts_of_the_result() -> None:
    """a to b by c, and a to c by b: the triangle of the paper."""
    names = [(a + b, a, b) for a in "ABC" for b in "ABC" if a != b]
    network = Network(tuple(Link(*name) for name in names))
    trips = [Trip("1", ("AC", "CB"), line=2), Trip("2", ("AB", "BC"), line=3)]
    result = learn_routes(network, trips, RouteOptions())
    assert (result.optimal_plans, result.proved) == (1, True)
    found = explain_trips(network, LearnedRoutes.of(result), trips, result)
    (lost,) = (item for item in found if not item.optimal)
    other = "2" if lost.trip.name == "1" else "1"
    assert lost.conflicts == (other,)
    assert lost.reasons[0].startswith("in conflict: these plans cannot all be optimal")
    assert len(lost.detours) == 1
    assert lost.to_json()["conflicts"] == [other]
    (won,) = (item for item in found if item.optimal)
    assert (won.detours, won.reasons) == ((), ())


def test_parts_of_trips_are_explained_as_they_were_learned() -> None:
    links = [("1", "a", "b"), ("2", "b", "a"), ("3", "a", "c"), ("4", "b", "c")]
    network = Network(tuple(Link(*names) for names in links))
    trips = [Trip("t", ("1", "2", "3"))]
    result = learn_routes(network, trips, RouteOptions(split=True))
    learned = LearnedRoutes.of(result)
    found = explain_trips(network, learned, trips, result)
    assert [item.trip.name for item in found] == ["t part 1 of 2", "t part 2 of 2"]
    (alone,) = explain_trips(network, learned, trips)
    assert not alone.optimal


def test_streets_back_to_their_own_place_are_left_out() -> None:
    links = [("1", "a", "b"), ("2", "b", "c"), ("3", "a", "c"), ("s", "b", "b")]
    network = Network(tuple(Link(*names) for names in links))
    learned = LearnedRoutes({"1": 5, "2": 5, "3": 1})
    trips = [Trip("x", ("1", "s", "2")), Trip("y", ("s",))]
    detour, loop = explain_trips(network, learned, (trip for trip in trips))
    assert (detour.cost, detour.cheapest.cost) == (10, 1)
    assert [way.driven for way in detour.detours] == [("1", "2")]
    assert (loop.optimal, loop.cost, loop.detours) == (True, 0, ())


def test_a_forbidden_turn_is_named() -> None:
    network = Network((Link("1", "a", "b"), Link("2", "b", "c")))
    turns = Turns({}, frozenset({("1", "2")}))
    learned = LearnedRoutes({"1": 1, "2": 1}, turns=turns)
    with pytest.raises(InputError, match="trip x turns from link 1 into 2, which is forbidden"):
        explain_trips(network, learned, [Trip("x", ("1", "2"))])

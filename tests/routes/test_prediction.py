"""Predicted routes, against brute force over all routes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.errors import InputError, UsageError
from plancost.routes.costs import LearnedRoutes
from plancost.routes.explaining import explain_trips
from plancost.routes.learning import learn_routes
from plancost.routes.network import Link, Network, Trip
from plancost.routes.prediction import RouteCosts, Shares, predict_routes, score_trips
from plancost.routes.read_pairs import Pair
from plancost.routes.search import RouteGraph
from plancost.routes.turns import Turns
from support.small_networks import actions_of, routes_between, small_networks, small_turns


@st.composite
def costed(
    draw: st.DrawFn, *, with_turns: bool
) -> tuple[Network, dict[str, int], dict[str, int], Turns | None]:
    """A network with costs and second numbers, from few values so that there are ties."""
    network = draw(small_networks())
    turns = draw(small_turns(network)) if with_turns else None
    names = [link.name for link in network.links] + list(turns.names if turns else ())
    costs = {name: draw(st.sampled_from([1, 1, 2, 3])) for name in names}
    second = {name: draw(st.integers(1, 2)) for name in names}
    return network, costs, second, turns


def best(
    network: Network,
    costs: dict[str, int],
    second: dict[str, int],
    turns: Turns | None,
    pair: Pair,
) -> list[tuple[int, tuple[str, ...]]]:
    """All routes in the order in which they are predicted."""
    place = {link.name: number for number, link in enumerate(network.links)}

    def key(route: Sequence[str]) -> tuple[object, ...]:
        own = actions_of(route, turns)
        totals = [
            sum(values[name] * often for name, often in own.items()) for values in (costs, second)
        ]
        return (*totals, len(route), [place[name] for name in route])

    routes = sorted(routes_between(network, pair.start, pair.end, turns), key=key)
    return [(int(str(key(route)[0])), route) for route in routes]


@pytest.mark.parametrize("with_turns", [False, True])
@pytest.mark.parametrize("alternatives", [1, 4])
@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_the_cheapest_routes(data: st.DataObject, *, with_turns: bool, alternatives: int) -> None:
    network, costs, second, turns = data.draw(costed(with_turns=with_turns))
    pairs = [Pair(start, end) for start, end in product(network.place_names, repeat=2)]
    found = predict_routes(network, RouteCosts(costs, second, turns), pairs, alternatives)
    for pair, routes in zip(pairs, found, strict=True):
        expected = best(network, costs, second, turns, pair)[:alternatives]
        assert [(route.cost, route.links) for route in routes] == expected
        assert [route.rank for route in routes] == list(range(1, len(routes) + 1))


@settings(deadline=None, max_examples=30)
@given(costed(with_turns=False))
def test_costs_beyond_floats(drawn: tuple[Network, dict[str, int], dict[str, int], None]) -> None:
    """Where sums are not exact in floats, routes are the same in larger units, and 1 counts."""
    network, costs, second, _ = drawn
    large = {name: cost * 2**52 + cost for name, cost in costs.items()}
    pairs = [Pair(start, end) for start, end in product(network.place_names, repeat=2)]
    usual = predict_routes(network, RouteCosts(costs, second), pairs, 3)
    found = predict_routes(network, RouteCosts(large, second), pairs, 3)
    for one, other in zip(usual, found, strict=True):
        assert [route.links for route in one] == [route.links for route in other]
        for route, same in zip(one, other, strict=True):
            assert same.cost == route.cost * (2**52 + 1)


TOWN = Network((Link("1", "a", "b"), Link("2", "b", "c"), Link("3", "a", "c"), Link("4", "c", "c")))


def test_scores() -> None:
    costs = RouteCosts({"1": 1, "2": 1, "3": 3})
    trips = [Trip("x", ("1", "2"), 3), Trip("y", ("3",)), Trip("z", ("1", "2", "4"))]
    scores = [score for score, _ in score_trips(TOWN, costs, trips)]
    assert [score.overlap for score in scores] == [1.0, 0.0, 0.8]
    assert [score.exact for score in scores] == [True, False, False]
    assert [(score.cost, score.optimal) for score in scores] == [(2, True), (3, False), (2, True)]
    shares = Shares.of(scores)
    assert shares.trips == 5
    assert (shares.overlap, shares.exact, shares.optimal) == pytest.approx((3.8 / 5, 3 / 5, 4 / 5))


def test_a_link_without_a_cost_is_named() -> None:
    with pytest.raises(InputError, match="link 2 of the network has no cost there"):
        predict_routes(TOWN, RouteCosts({"1": 1, "3": 1}), [Pair("a", "b")])
    closed = Network(TOWN.links[:2])
    (routes,) = predict_routes(closed, RouteCosts({"1": 1, "2": 1, "3": 1}), [Pair("a", "c")])
    assert routes[0].links == ("1", "2")


def test_no_route_is_none() -> None:
    graph = RouteGraph(TOWN, {"1": 1, "2": 1, "3": 1})
    assert graph.cheapest("c", graph.togo("a")) is None
    assert predict_routes(TOWN, RouteCosts({"1": 1, "2": 1, "3": 1}), [Pair("c", "a")]) == [[]]


@pytest.mark.parametrize(
    ("links", "words"),
    [
        (("9",), "trip odd uses the link 9, which is not in"),
        (("2", "1"), "trip odd has a gap: link 2 ends in c, and link 1 after it starts in a"),
        ((), "trip odd is empty"),
    ],
)
def test_what_is_not_on_the_network_is_named(links: tuple[str, ...], words: str) -> None:
    costs, odd = RouteCosts({"1": 1, "2": 1, "3": 1}), [Trip("odd", links)]
    for use in (
        lambda: score_trips(TOWN, costs, odd),
        lambda: explain_trips(TOWN, LearnedRoutes(costs.costs), odd),
        lambda: learn_routes(TOWN, odd),
    ):
        with pytest.raises(InputError, match=words):
            use()
    for pair in (Pair("a", "nowhere"), Pair("nowhere", "a")):
        with pytest.raises(InputError, match="there is no place nowhere in"):
            predict_routes(TOWN, costs, [pair])


@pytest.mark.parametrize("price", [1, 9])
def test_a_forbidden_turn_is_named(price: int) -> None:
    turns = Turns({}, frozenset({("1", "2")}))
    costs = RouteCosts({"1": 1, "2": 1, "3": price}, turns=turns)
    for network in (TOWN, Network(TOWN.links[:2])):
        with pytest.raises(InputError, match="trip x turns from link 1 into 2, which is forbidden"):
            score_trips(network, costs, [Trip("x", ("1", "2"))])


@pytest.mark.parametrize("cost", [0, -1, "3", 2.5, None, float("nan"), True])
def test_what_is_no_cost(cost: object) -> None:
    with pytest.raises(InputError, match="the cost of 1 must be a whole number of at least 1, not"):
        RouteCosts({"1": cost})  # type: ignore[dict-item]
    with pytest.raises(InputError, match="costs must be a mapping"):
        RouteCosts([cost])  # type: ignore[arg-type]


@pytest.mark.parametrize("alternatives", [0, -1, "3", 2.5, None])
def test_what_is_no_number_of_routes(alternatives: object) -> None:
    costs = RouteCosts({"1": 1, "2": 1, "3": 3})
    wrong: Any = alternatives
    for use in (
        lambda: predict_routes(TOWN, costs, [Pair("a", "c")], wrong),
        lambda: score_trips(TOWN, costs, [Trip("x", ("3",))], wrong),
    ):
        with pytest.raises(UsageError, match="alternatives takes a whole number of at least 1"):
            use()


def test_what_callers_may_give() -> None:
    costs = {"1": 1, "2": 1, "3": 3}
    usual = predict_routes(TOWN, RouteCosts(costs), [Pair("a", "c")])
    assert predict_routes(TOWN, costs, iter([("a", "c")])) == usual
    assert len(score_trips(TOWN, costs, iter([Trip("x", ("3",))]))) == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"network": None}, "network must be a Network"),
        ({"costs": LearnedRoutes({"1": 1})}, "costs must be RouteCosts"),
        ({"costs": None}, "costs must be RouteCosts.* not None"),
        ({"pairs": None}, "pairs must be several Pair.* not None"),
        ({"pairs": [("a", "b", "c")]}, r"pairs must be several Pair.* not \('a'"),
        ({"pairs": [Pair("a", ["c"])]}, "pairs must be several Pair"),  # type: ignore[arg-type]
    ],
)
def test_what_is_refused(words: dict[str, Any], message: str) -> None:
    given: dict[str, Any] = {
        "network": TOWN,
        "costs": {"1": 1, "2": 1, "3": 3},
        "pairs": [("a", "c")],
    }
    with pytest.raises(UsageError, match=message):
        predict_routes(**(given | words))


def test_shares_of_nothing() -> None:
    with pytest.raises(InputError, match="there is no trip to score"):
        Shares.of([])

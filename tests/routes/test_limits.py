"""Known costs of links and of turns: what they may be, in units, and in what is learned."""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plancost.errors import InputError, UsageError
from plancost.routes.learning import RouteOptions, learn_routes
from plancost.routes.limits import (
    Limit,
    parse_fixed,
    read_limits,
    turn_costs,
    with_turn_costs,
)
from plancost.routes.network import Link, Network, Trip
from plancost.routes.turns import Turns

NETWORK = Network(
    tuple(
        Link(name, start, end, {"minutes": Fraction(minutes)})
        for name, start, end, minutes in [
            ("ab", "a", "b", "1.5"),
            ("bd", "b", "d", "1.5"),
            ("ac", "a", "c", "1"),
            ("cd", "c", "d", "1"),
            ("ad", "a", "d", "4"),
        ]
    )
)
TURNS = Turns({("ab", "bd"): "left", ("ac", "cd"): "right"})


def test_numbers_are_in_the_unit_of_the_initial_numbers() -> None:
    fixed = parse_fixed("ab=0.26")
    assert (fixed.name, fixed.least, fixed.greatest) == ("ab", Fraction("0.26"), Fraction("0.26"))
    bound = fixed.in_units(100)
    assert (bound.pattern, bound.least, bound.greatest) == ("ab", 26, 26)
    with pytest.raises(InputError, match=r"0\.26 is no whole number of units at .* 10; .*=50"):
        fixed.in_units(10)
    assert parse_fixed("ab=0").in_units(10).greatest == 1
    assert parse_fixed("a=b=2").name == "a=b"
    with pytest.raises(UsageError, match="takes a link and a number"):
        parse_fixed("ab")
    with pytest.raises(UsageError, match="not 'ab=-1'"):
        parse_fixed("ab=-1")


@pytest.mark.parametrize(
    ("text", "least", "greatest"),
    [("ab=0.5..2", "0.5", "2"), ("ab=.5..", "0.5", None), ("ab= .. 2.5", None, "2.5")],
)
def test_two_numbers_are_bounds(text: str, least: str | None, greatest: str | None) -> None:
    found = parse_fixed(text)
    ends = [None if number is None else Fraction(number) for number in (least, greatest)]
    assert (found.name, [found.least, found.greatest]) == ("ab", ends)


@pytest.mark.parametrize("text", ["ab=..", "ab=2..1", "ab=1..x", "ab=-1..2", "=1..2"])
def test_what_is_no_range(text: str) -> None:
    with pytest.raises(UsageError, match="or two such as"):
        parse_fixed(text)


def test_bounds_are_rounded_inwards() -> None:
    limit = Limit("ab", Fraction("0.11"), Fraction("0.29"), "here")
    assert (limit.in_units(10).least, limit.in_units(10).greatest) == (2, 2)
    with pytest.raises(InputError, match="no whole number of units for ab at the scale 1"):
        limit.in_units(1)
    with pytest.raises(InputError, match="counted exactly up to"):
        parse_fixed("ab=99999999999").in_units(1000)


@pytest.mark.parametrize("name", ["bounds.csv", "bounds.json"])
def test_files(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(
        "link,least,greatest\nab,0.5,2\nac,,3\n"
        if name.endswith("csv")
        else '{"ab": [0.5, 2], "ac": [null, 3]}'
    )
    one, two = read_limits(path)
    assert (one.name, one.least, one.greatest) == ("ab", Fraction(1, 2), Fraction(2))
    assert (two.name, two.least, two.greatest) == ("ac", None, Fraction(3))
    assert one.source == (f"{path}:2" if name.endswith("csv") else str(path))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("link,least,greatest\nab,soon,2\n", "bounds.csv:2: the bounds of ab must be numbers"),
        ("link,least,greatest\nab,-1,2\n", "not negative, not '-1'"),
        ("link,least,greatest\nab,3,2\n", "ab has a least cost above its greatest"),
        ("link,least,greatest\n,3,2\n", "expected a link, least and greatest"),
        ("street,least\nab,3\n", "must name the columns link,least,greatest"),
        ("link,least,greatest\n", "this file has no bounds"),
    ],
)
def test_wrong_files(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bounds.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_limits(path)


def test_turn_costs() -> None:
    costs = turn_costs("left=0.1, u=2")
    assert costs == {"left": Fraction("0.1"), "u-turn": 2}
    assert turn_costs("given") is None
    for wrong in ("left", "left=x", "left=-1", ""):
        with pytest.raises(UsageError, match="turn_costs takes classes of turns with numbers"):
            turn_costs(wrong)
    turns, limits = with_turn_costs(TURNS, {"left": Fraction(2), "right": Fraction(0)})
    assert turns.classes == {("ab", "bd"): "left"}
    assert [(limit.name, limit.least) for limit in limits] == [("turn:left", Fraction(2))]
    with pytest.raises(UsageError, match="no turns of the class 'up'; there are left, right"):
        with_turn_costs(TURNS, {"up": Fraction(2)})
    with pytest.raises(UsageError, match="needs the column cost"):
        with_turn_costs(TURNS, None)
    given_costs = Turns({("ab", "bd"): "5"}, given={"5": Fraction(5)})
    assert [limit.greatest for limit in with_turn_costs(given_costs, None)[1]] == [5]


def test_fixed_costs_are_kept_and_turns_too() -> None:
    turns, limits = with_turn_costs(TURNS, {"left": Fraction("0.5")})
    options = RouteOptions("minutes", turns=turns, limits=(*limits, parse_fixed("ac=1.2")))
    result = learn_routes(NETWORK, [Trip("t", ("ab", "bd"))], options)
    assert result.options["scale"] == 10  # of 1.5, 0.5 and 1.2
    assert result.costs["turn:left"] == 5
    assert result.costs["ac"] == 12
    assert result.optimal_plans == 1


def test_a_fixed_number_is_never_rounded() -> None:
    whole = Network(
        tuple(Link(x.name, x.start, x.end, {"m": Fraction(100)}) for x in NETWORK.links)
    )
    trips = [Trip("t", ("ab", "bd"))]
    result = learn_routes(whole, trips, initial="m", limits={"ac": 0.4})
    assert (result.options["scale"], result.costs["ac"]) == (5, 2)
    for options in (RouteOptions(), RouteOptions("m", 1)):
        limited = replace(options, limits=(parse_fixed("ac=2.5"),))
        with pytest.raises(InputError, match=r"2\.5 is no whole number of units.*scale=2 with"):
            learn_routes(whole, trips, limited)


def test_a_link_back_to_its_own_place_has_no_bounds() -> None:
    network = Network((*NETWORK.links, Link("loop", "b", "b", {"minutes": Fraction(1)})))
    trips = [Trip("t", ("ab", "loop", "bd"))]
    result = learn_routes(network, trips, limits=(parse_fixed("loop=3"), parse_fixed("ac=4")))
    assert ("loop" in result.costs, result.costs["ac"]) == (False, 4)


def test_a_class_whose_turns_are_forbidden_has_no_bounds() -> None:
    turns = replace(TURNS, forbidden=frozenset({("ac", "cd")}))
    turns, limits = with_turn_costs(turns, {"left": Fraction(2), "right": Fraction(3)})
    result = learn_routes(NETWORK, [Trip("t", ("ab", "bd"))], turns=turns, limits=limits)
    assert (result.costs["turn:left"], "turn:right" in result.costs) == (2, False)


def test_a_link_may_be_called_star() -> None:
    network = Network((*NETWORK.links, Link("*", "a", "d")))
    result = learn_routes(network, [Trip("t", ("ad",))], limits={"*": 5}, max_cost=7)
    assert result.costs["*"] == 5
    assert result.costs["ab"] == 1


def test_limits_of_callers() -> None:
    trips = [Trip("t", ("ab", "bd"))]
    for limits in ({}, {"ac": 3}):
        with pytest.raises(UsageError, match="not of links: give limits such as"):
            learn_routes(NETWORK, trips, bounds={"ab": (4, 4)}, limits=limits)
    for wrong in (5, "ab=3", [("ab", 3)], None):
        with pytest.raises(UsageError, match="limits must be a mapping such as"):
            learn_routes(NETWORK, trips, limits=wrong)
    with pytest.raises(InputError, match="must be numbers that are not negative, not 'soon'"):
        learn_routes(NETWORK, trips, limits={"ab": "soon"})
    with pytest.raises(InputError, match="here: the least cost of ab must be a number"):
        Limit("ab", float("nan"), None, "here")  # type: ignore[arg-type]
    assert Limit("ab", 0.5, 2, "here").least == Fraction(1, 2)  # type: ignore[arg-type]


def test_unknown_names() -> None:
    trips = [Trip("t", ("ab", "bd"))]
    with pytest.raises(InputError, match="there is no link xy in the network"):
        learn_routes(NETWORK, trips, RouteOptions(limits=(parse_fixed("xy=1"),)))
    with pytest.raises(InputError, match="costs of turns need turns"):
        learn_routes(NETWORK, trips, RouteOptions(limits=(parse_fixed("turn:left=1"),)))


@given(
    st.lists(st.tuples(st.integers(1, 3), st.integers(0, 2)), min_size=5, max_size=5),
    st.lists(st.integers(0, 2), min_size=1, max_size=3),
)
def test_as_many_optimal_as_by_brute_force(
    bounds: list[tuple[int, int]], driven: list[int]
) -> None:
    """All costs within small bounds, against every one of them."""
    routes = (("ab", "bd"), ("ac", "cd"), ("ad",))
    limits = tuple(
        Limit(link.name, Fraction(least), Fraction(least + more), "here")
        for link, (least, more) in zip(NETWORK.links, bounds, strict=True)
    )
    trips = [Trip(str(number), routes[route]) for number, route in enumerate(driven)]
    names = [link.name for link in NETWORK.links]
    best = 0
    for costs in itertools.product(*(range(low, low + more + 1) for low, more in bounds)):
        of = dict(zip(names, costs, strict=True))
        totals = [sum(of[link] for link in route) for route in routes]
        best = max(best, sum(totals[route] == min(totals) for route in driven))
    result = learn_routes(NETWORK, trips, RouteOptions(limits=limits))
    assert (result.optimal_plans, result.proved) == (best, True)
    assert all(
        low <= result.costs[name] <= low + more
        for name, (low, more) in zip(names, bounds, strict=True)
    )

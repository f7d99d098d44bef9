"""Networks and trips as data."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from plancost.errors import InputError
from plancost.routes.network import Link, Network, Trip, driven, ends

LINKS = (
    Link("1", "a", "b", {"minutes": Fraction(1), "metres": Fraction(9)}),
    Link("2", "b", "c", {"minutes": Fraction(2)}),
    Link("3", "a", "b", {"metres": Fraction(3), "minutes": Fraction(1, 2)}, ((0, 0), (1, 1))),
    Link("4", "c", "c", {"minutes": Fraction(2)}),
)
NETWORK = Network(LINKS, {"b": (1.0, 2.0), "c": (3.0, 4.0)})


def test_links_are_found_by_name_and_by_ends() -> None:
    assert NETWORK.by_name["2"] is LINKS[1]
    assert NETWORK.by_ends["a", "b"] == (LINKS[0], LINKS[2])
    assert NETWORK.leaving["a"] == (LINKS[0], LINKS[2])
    assert NETWORK.place_names == ("a", "b", "c")
    assert [link.name for link in LINKS if link.is_loop] == ["4"]


def test_columns_are_the_numbers_that_every_link_has() -> None:
    assert NETWORK.columns == ("minutes",)
    assert Network(()).columns == ()


def test_a_link_runs_along_its_shape_or_straight() -> None:
    assert NETWORK.points(LINKS[2]) == ((0, 0), (1, 1))
    assert NETWORK.points(LINKS[1]) == ((1.0, 2.0), (3.0, 4.0))
    assert NETWORK.points(LINKS[0]) == ()


def test_places_and_gaps_of_a_route() -> None:
    assert NETWORK.visited(("1", "2", "4")) == ("a", "b", "c", "c")
    assert NETWORK.gap(("1", "2", "4")) is None
    assert NETWORK.gap(("2", "1")) == (LINKS[1], LINKS[0])
    assert ends(NETWORK, Trip("t", ("1", "2"))) == ("a", "c")
    assert driven([Trip("t", ("1", "2"), 3), Trip("u", ("1",))]) == {"1": 4, "2": 3}


def test_a_link_listed_twice_is_refused() -> None:
    with pytest.raises(InputError, match="the link 1 is listed twice"):
        Network((LINKS[0], LINKS[0]))


def test_numbers_of_links_are_exact() -> None:
    for given in (1.5, "1.5", Fraction(3, 2)):
        assert Link("1", "a", "b", {"m": given}).numbers == {"m": Fraction(3, 2)}  # type: ignore[dict-item]


@pytest.mark.parametrize("value", ["x", None, float("nan"), float("inf"), True])
def test_what_is_no_number_of_a_link(value: object) -> None:
    with pytest.raises(InputError, match="the m of link 1 must be a number, not "):
        Link("1", "a", "b", {"m": value})  # type: ignore[dict-item]


@pytest.mark.parametrize("count", [0, -1, "3", 2.5, None, True, float("nan"), 10**30])
def test_what_is_no_count_of_a_trip(count: object) -> None:
    with pytest.raises(InputError, match="trip t: count must be a whole number from 1 to"):
        Trip("t", ("1",), count)  # type: ignore[arg-type]


def test_what_callers_may_give() -> None:
    links: Any = [Link("1", "a", "b")]
    assert Network(links).links == tuple(links)
    names: Any = ["1"]
    trip = Trip("t", names, 3.0)  # type: ignore[arg-type]
    assert (trip.links, trip.count, type(trip.count)) == (("1",), 3, int)


@pytest.mark.parametrize(
    ("kind", "values", "message"),
    [
        (Link, ("", "a", "b"), "a link and its ends must have names, not ''"),
        (Link, ("1", 2, 3), "a link and its ends must have names, not 2"),
        (Link, ("1", "a", "b", 5), "numbers of link 1 must be a mapping"),
        (Network, (None,), "a network is made of several Link, not None"),
        (Network, ([("1", "a", "b")],), "a network is made of several Link, not "),
        (Trip, (5, ("1",)), "the name of a trip must be a text, not 5"),
        (Trip, ("t", "12"), "links of trip t must be several names.* not '12'"),
        (Trip, ("t", None), "links of trip t must be several names.* not None"),
        (Trip, ("t", (["1"],)), "links of trip t must be several names"),
    ],
)
def test_what_is_refused(
    kind: Callable[..., object], values: tuple[object, ...], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        kind(*values)

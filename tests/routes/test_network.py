"""Networks and trips as data."""

from __future__ import annotations

from fractions import Fraction

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

"""Trips cut into parts."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plancost.routes.loops import without_loops
from plancost.routes.network import Link, Network, Trip
from plancost.routes.split import cuts_of, split_trip

TOWN = Network(tuple(Link(f"{a}{b}", a, b) for a in "ABCDE" for b in "ABCDE"))


@st.composite
def trips(draw: st.DrawFn) -> Trip:
    """Walks that may visit a place as often as they like, but not twice in a row."""
    places = [draw(st.sampled_from("ABCDE"))]
    for place in draw(st.lists(st.sampled_from("ABCDE"), min_size=1, max_size=12)):
        if place != places[-1]:
            places.append(place)
    if len(places) < 2:
        places.append("A" if places[0] != "A" else "B")
    links = tuple(a + b for a, b in itertools.pairwise(places))
    return Trip("t", links, 3, "g", "8:00", 7)


@given(trips())
def test_parts_make_up_the_trip_and_visit_no_place_twice(trip: Trip) -> None:
    split = split_trip(TOWN, trip)
    assert tuple(link for part in split.parts for link in part.links) == trip.links
    for part in split.parts:
        visited = TOWN.visited(part.links)
        assert len(set(visited)) == len(visited) > 1
        assert (part.count, part.group, part.time, part.line) == (3, "g", "8:00", 7)
    visited = TOWN.visited(trip.links)
    assert bool(split.places) == (len(set(visited)) < len(visited)) == (len(split.parts) > 1)
    assert [TOWN.visited(part.links)[-1] for part in split.parts[:-1]] == list(split.places)


@pytest.mark.parametrize(
    ("places", "cuts"),
    [
        ("ABCD", []),
        ("ABA", [1]),
        ("ABCBA", [2]),
        ("ABCDA", [2]),
        ("EABCBD", [3]),
        ("ABABAB", [1, 2, 3, 4]),
    ],
)
def test_they_are_cut_where_they_turn_back(places: str, cuts: list[int]) -> None:
    assert cuts_of(places) == cuts


def test_a_street_back_to_its_own_place_cannot_be_cut() -> None:
    with pytest.raises(ValueError, match="A is visited twice"):
        cuts_of("AAB")


def test_loops_are_left_out() -> None:
    given_trips = (Trip("t", ("AB", "BB", "BC")), Trip("u", ("AA",)), Trip("v", ("AB",)))
    network, left, notes = without_loops(TOWN, given_trips)
    assert [trip.links for trip in left] == [("AB", "BC"), ("AB",)]
    assert len(network.links) == 20
    assert notes == (
        "5 links are left out, since they lead back to their own place",
        "2 trips drive such links; they are taken without them",
        "these trips have no other link and are left out: u",
    )
    plain = Network((Link("1", "A", "B"),))
    assert without_loops(plain, ()) == (plain, (), ())

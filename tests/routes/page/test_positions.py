"""Where places and links are drawn."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from plancost.routes.network import Link, Network
from plancost.routes.page.positions import EXTENT, find_positions, length_column

SQUARE = (Link("1", "a", "b"), Link("2", "b", "c"), Link("3", "c", "d"), Link("4", "d", "a"))


def test_given_coordinates_keep_their_proportions() -> None:
    places = {
        "a": (1000.0, 500.0),
        "b": (3000.0, 500.0),
        "c": (3000.0, 1500.0),
        "d": (1000.0, 1500.0),
    }
    found = find_positions(Network(SQUARE, places))
    half = EXTENT // 2
    assert found.places == ((0, half), (EXTENT, half), (EXTENT, 0), (0, 0))
    assert found.words == ""


def test_degrees_are_narrower_in_the_north() -> None:
    places = {"a": (15.0, 60.0), "b": (15.2, 60.0), "c": (15.2, 60.1), "d": (15.0, 60.1)}
    found = find_positions(Network(SQUARE, places)).places
    width, height = found[1][0] - found[0][0], found[0][1] - found[3][1]
    assert height / width == pytest.approx(0.5 / math.cos(math.radians(60.05)), rel=1e-3)


def test_ends_of_shapes_are_coordinates() -> None:
    shapes = {"1": ((0, 0), (5, 3), (10, 0)), "2": ((10, 0), (10, 10)), "3": ((10, 10), (0, 10))}
    links = tuple(Link(x.name, x.start, x.end, {}, shapes.get(x.name, ())) for x in SQUARE)
    found = find_positions(Network(links))
    assert found.places == ((0, EXTENT), (EXTENT, EXTENT), (EXTENT, 0), (0, 0))
    assert found.bends == {0: ((EXTENT // 2, EXTENT * 7 // 10),)}


def test_points_that_are_one_on_the_screen_are_one() -> None:
    shape = ((0, 0), (0, 1e-9), (5, 5), (5, 5 + 1e-9), (10, 10), (10, 10))
    links = (Link("1", "a", "b", {}, shape), Link("2", "b", "a"))
    assert find_positions(Network(links)).bends == {0: ((EXTENT // 2, EXTENT // 2),)}


def test_a_place_without_coordinates_is_between_its_neighbours() -> None:
    places = {"a": (0.0, 0.0), "b": (1000.0, 0.0), "c": (1000.0, 1000.0), "d": (math.nan, 3.0)}
    found = find_positions(Network(SQUARE, places))
    assert found.places[3] == (EXTENT // 2, EXTENT // 2)
    assert found.words == "1 place has no coordinates and is drawn between others"


def test_without_coordinates_places_are_laid_out_by_length() -> None:
    links = tuple(
        Link(str(n), str(n), str(n + 1), {"Minutes": Fraction(9 if n == 3 else 1)})
        for n in range(6)
    )
    found = find_positions(Network(links))
    lengths = [math.dist(found.places[n], found.places[n + 1]) for n in range(6)]
    assert max(range(6), key=lengths.__getitem__) == 3
    assert "laid out by the Minutes of links" in found.words
    assert all(0 <= x <= EXTENT and 0 <= y <= EXTENT for x, y in found.places)


def test_links_of_no_length_and_single_spots() -> None:
    links = tuple(Link(x.name, x.start, x.end, {"km": Fraction(0)}) for x in SQUARE)
    assert len(set(find_positions(Network(links)).places)) == 4
    same = dict.fromkeys("abcd", (7.0, 7.0))
    assert find_positions(Network(SQUARE, same)).places == ((0, 0),) * 4


def test_the_column_of_lengths() -> None:
    assert length_column(Network((Link("1", "a", "b", {"Length": Fraction(3)}),))) == "Length"
    assert length_column(Network((Link("1", "a", "b", {"minutes": Fraction(3)}),))) is None

"""Coordinates from names, values and files."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.errors import InputError
from plancost.observations.pddl import parse_problem
from plancost.pictures.coordinates import from_file, from_names, from_values, read_coordinates

PATTERNS = ["c{}-{}", "loc-x{}-y{}", "p_{}_{}", "x{}y{}", "f{}-{}f", "pos-0{}-0{}", "city7-{}-{}"]


def neighbours(cells: list[tuple[int, int]]) -> list[tuple[int, int]]:
    return [
        (a, b)
        for (a, (x1, y1)), (b, (x2, y2)) in product(enumerate(cells), repeat=2)
        if abs(x1 - x2) + abs(y1 - y2) == 1
    ]


@pytest.mark.parametrize("pattern", PATTERNS)
@settings(deadline=None)
@given(across=st.integers(2, 5), up=st.integers(2, 5))
def test_names_of_a_grid(pattern: str, across: int, up: int) -> None:
    cells = [(x, y) for x in range(across) for y in range(up)]
    names = [pattern.format(*cell) for cell in cells]
    assert from_names(names, neighbours(cells)) == cells


def test_rows_count_downwards_and_y_may_come_first() -> None:
    cells = [(0, 0), (0, 1), (1, 0), (1, 1)]
    ways = neighbours(cells)
    assert from_names([f"y{a}x{b}" for a, b in cells], ways) == [(0, 0), (1, 0), (0, 1), (1, 1)]
    rows = from_names([f"row{a}-col{b}" for a, b in cells], ways)
    assert rows == [(0, 0), (1, 0), (0, -1), (1, -1)]


@pytest.mark.parametrize(
    "names",
    [
        ["a", "b", "c", "d"],
        ["n1", "n2", "n3", "n4"],
        ["c0-0", "c0-1", "d1-0", "d1-1"],
        ["c0-0", "c0-1", "c1-0", "depot"],
        ["c0-0", "c00-0", "c1-0", "c1-1"],
        ["c0-0-0", "c0-1-1", "c1-0-2", "c1-1-3"],
    ],
    ids=str,
)
def test_other_names_are_no_coordinates(names: list[str]) -> None:
    assert from_names(names, [(0, 1), (1, 2), (2, 3)]) is None


def test_ways_to_far_places_are_no_grid() -> None:
    names = [f"city{a}-loc{b}" for a, b in [(1, 1), (1, 9), (5, 2), (9, 17)]]
    assert from_names(names, [(0, 1), (1, 2), (2, 3)]) is None


@pytest.mark.parametrize(("x", "y"), [("x", "y"), ("pos-x", "pos-y"), ("lon", "lat")])
def test_values_of_the_problem(x: str, y: str) -> None:
    problem = parse_problem(
        f"(define (problem p) (:domain d) (:objects a b) (:init (= ({x} a) 3) (= ({y} a) 4.5) "
        f"(= ({x} b) 0) (= ({y} b) 1) (= (fuel a) 2) (= (fuel b) 7)) (:goal (p)))"
    )
    assert from_values(["a", "b"], [problem]) == [(3, 4.5), (0, 1)]
    assert from_values(["a", "b", "c"], [problem]) is None


def test_a_file(tmp_path: Path) -> None:
    path = tmp_path / "places.csv"
    path.write_text("place,x,y,comment\nA,1,2,\nb,-0.5,1e2,far\n")
    assert read_coordinates(path) == {"a": (1, 2), "b": (-0.5, 100)}
    assert from_file(["b", "a"], path) == [(-0.5, 100), (1, 2)]
    with pytest.raises(InputError, match="no coordinates of c and 1 more places"):
        from_file(["a", "c", "d"], path)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "columns place,x,y"),
        ("name,x,y\na,1,2\n", "columns place,x,y"),
        ("place,x,y\na,1\n", "places.csv:2: 'a' needs two numbers"),
        ("place,x,y\na,1,2\nb,north,3\n", "places.csv:3: 'b' needs"),
        ("place,x,y\na,nan,2\n", "needs two numbers"),
        ("place,x,y\na,1,2\nA,3,4\n", "places.csv:3: 'a' has two positions"),
    ],
)
def test_a_file_that_is_wrong(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "places.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=words):
        read_coordinates(path)
    with pytest.raises(InputError, match="cannot read"):
        read_coordinates(tmp_path / "missing.csv")

"""Positions for networks without coordinates."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from plancost.pictures.large_layout import lay_out_large


def grid(side: int) -> list[tuple[int, int]]:
    across = [(side * y + x, side * y + x + 1) for y in range(side) for x in range(side - 1)]
    down = [(side * y + x, side * y + x + side) for y in range(side - 1) for x in range(side)]
    return across + down


def test_a_grid_looks_like_a_grid() -> None:
    side = 20
    edges = grid(side)
    found = np.array(lay_out_large(side * side, edges, [250.0] * len(edges)))
    lengths = [math.dist(found[one], found[two]) for one, two in edges]
    assert min(lengths) > 0.6 and max(lengths) < 1.6
    corners = found[[0, side - 1, side * side - 1, side * side - side]]
    diagonals = math.dist(corners[0], corners[2]), math.dist(corners[1], corners[3])
    sides = [math.dist(corners[n], corners[(n + 1) % 4]) for n in range(4)]
    assert min(diagonals) > 1.2 * max(sides)


def test_long_edges_are_long() -> None:
    edges = [(n, n + 1) for n in range(9)]
    found = lay_out_large(10, edges, [1.0] * 8 + [4.0])
    lengths = [math.dist(found[one], found[two]) for one, two in edges]
    assert lengths[8] > 3 * max(lengths[:8])


def test_parts_stand_apart() -> None:
    found = lay_out_large(8, [(0, 1), (1, 2), (2, 0), (3, 4), (5, 6)], [1.0] * 5)
    assert len(found) == 8
    for one in range(3):
        for two in range(3, 8):
            assert math.dist(found[one], found[two]) > 0.5


@given(st.integers(0, 12), st.data())
def test_any_graph_has_finite_positions_and_always_the_same(
    count: int, data: st.DataObject
) -> None:
    numbers = st.integers(0, max(0, count - 1))
    edges = data.draw(st.lists(st.tuples(numbers, numbers), max_size=20 if count else 0))
    lengths = data.draw(st.lists(st.floats(0.001, 1000), min_size=len(edges), max_size=len(edges)))
    found = lay_out_large(count, edges, lengths)
    assert len(found) == count
    assert all(math.isfinite(x) and math.isfinite(y) for x, y in found)
    assert found == lay_out_large(count, edges, lengths)

"""Graphs without coordinates get positions that can be looked at."""

from __future__ import annotations

from itertools import combinations
from math import dist

from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.pictures.layout import lay_out


@settings(deadline=None)
@given(st.data())
def test_positions_are_finite_apart_and_the_same_again(data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 14))
    nodes = st.integers(0, count - 1)
    edges = data.draw(st.lists(st.tuples(nodes, nodes), max_size=30))
    found = lay_out(count, edges)
    assert len(found) == count
    assert lay_out(count, edges) == found
    assert all(dist(a, b) > 0.05 for a, b in combinations(found, 2))
    assert all(abs(x) + abs(y) < 10 * count + 10 for x, y in found)


def test_a_grid_looks_like_one() -> None:
    cells = [(x, y) for x in range(5) for y in range(5)]
    edges = [
        (a, b)
        for a, b in combinations(range(25), 2)
        if abs(cells[a][0] - cells[b][0]) + abs(cells[a][1] - cells[b][1]) == 1
    ]
    found = lay_out(25, edges)
    lengths = [dist(found[a], found[b]) for a, b in edges]
    assert max(lengths) < 1.6 * min(lengths)


def test_no_nodes() -> None:
    assert lay_out(0, []) == []

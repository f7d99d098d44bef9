"""A point well inside, equalities, and directions that keep them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.learning.choose.polytope import extended, polytope_of
from plancost.learning.choose.prior import Prior
from plancost.learning.problem.rows import Row
from plancost.system.clock import Deadline

_SIZE = 4


def uniform(lower: float = 1.0, upper: float = 20.0, size: int = _SIZE) -> Prior:
    """All costs between two bounds."""
    one = np.ones(size)
    return Prior(lower * one, upper * one, one, 0 * one)


@st.composite
def rows(draw: st.DrawFn) -> list[Row]:
    """Comparisons of sums of costs that equal costs satisfy."""
    found = []
    for _ in range(draw(st.integers(1, 5))):
        left = draw(st.lists(st.integers(0, _SIZE - 1), min_size=1, max_size=2))
        right = draw(st.lists(st.integers(0, _SIZE - 1), min_size=len(left), max_size=3))
        counts = {n: left.count(n) - right.count(n) for n in range(_SIZE)}
        coefficients = tuple((n, c) for n, c in counts.items() if c)
        if coefficients:
            found.append((coefficients, 0))
    return found


@settings(max_examples=100, deadline=None)
@given(rows())
def test_centre_equalities_and_directions(example: list[Row]) -> None:
    prior = uniform()
    found = polytope_of(example, prior, Deadline())
    assert found is not None
    room = found.limits - found.matrix @ found.centre
    assert room[found.equalities] == pytest.approx(np.zeros(found.equalities.sum()), abs=1e-6)
    assert np.all(room[~found.equalities] > 1e-6)
    kept = found.matrix[found.equalities] @ found.directions.toarray()
    assert kept == pytest.approx(np.zeros(kept.shape), abs=1e-9)
    # No point with room in such a row exists: those drawn at random break it or touch it.
    points = np.random.default_rng(0).uniform(1.0, 20.0, (_SIZE, 4000))
    inside = np.all(found.matrix @ points <= found.limits[:, None], axis=0)
    assert not found.equalities.any() or not inside.any()
    spoken = {n for coefficients, _ in example for n, _ in coefficients}
    rank = (
        np.linalg.matrix_rank(found.matrix[found.equalities].toarray()) if any(room < 1e-6) else 0
    )
    assert found.directions.shape[1] == len(spoken) - rank


def test_two_plans_of_one_task_that_are_optimal_cost_the_same() -> None:
    both: list[Row] = [(((0, 1), (1, -1)), 0), (((0, -1), (1, 1)), 0)]
    found = polytope_of(both, uniform(), Deadline())
    assert found is not None
    assert found.equalities.sum() == 2
    assert found.directions.toarray()[:, 0].tolist() == [1.0, 1.0, 0.0, 0.0]


def test_rows_that_leave_nothing() -> None:
    contradiction: list[Row] = [(((0, 20), (1, -1)), 1)]
    assert polytope_of(contradiction, uniform(), Deadline()) is None


def test_more_rows_are_taken_in_where_the_centre_has_room() -> None:
    first: list[Row] = [(((0, 1), (1, -1)), 0)]
    old = polytope_of(first, uniform(), Deadline())
    assert old is not None
    wide: Row = (((2, 1), (3, -3)), 0)
    found = extended(old, [*first, wide], uniform())
    assert found is not None
    assert found.directions.shape[1] == 4
    assert sorted(found.free.tolist()) == [0, 1, 2, 3]
    tight: Row = (((0, -1), (1, 1)), 0)
    assert extended(old, [*first, tight], uniform()) is None

"""Programs with large numbers, against the same programs with small ones."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.solver import highs
from plancost.solver.model import Model, Status
from plancost.solver.nearby import is_large
from support.small_models import best_by_trying, small_models


def moved(model: Model, by: list[int]) -> Model:
    """The same program with every column larger by a number."""
    rows = []
    for line, lower, upper in model.rows:
        there = sum(int(value) * by[column] for column, value in line.items())
        rows.append((line, lower + there, upper + there))
    return replace(
        model,
        lower=[side + at for side, at in zip(model.lower, by, strict=True)],
        upper=[side + at for side, at in zip(model.upper, by, strict=True)],
        rows=rows,
    )


@settings(max_examples=100, deadline=None)
@given(small_models(), st.sampled_from([2**31, 10**12 - 1]), st.data())
def test_far_from_0(model: Model, far: int, data: st.DataObject) -> None:
    """Whole numbers far from 0 are as good as those near it."""
    best = best_by_trying(model)
    by = [data.draw(st.integers(far - 5, far)) for _ in model.lower]
    outcome = highs.solve(moved(model, by))
    if best is None:
        assert outcome.status is Status.INFEASIBLE
        return
    assert outcome.status is Status.OPTIMAL
    assert outcome.values is not None
    terms = zip(model.objective, outcome.values, by, strict=True)
    assert sum(weight * (value - at) for weight, value, at in terms) == pytest.approx(best)


def test_what_was_left_out_is_put_back() -> None:
    """The relaxation's optimum is far from the whole one, at a side that is far from it."""
    model = Model()
    x = model.add_column(0, 10**9, objective=-1, integer=True)
    y = model.add_column(0, inf, objective=10, integer=True)
    model.add_row({x: 2.0, y: -2.0}, 1.0, 2 * 10**9 + 1.0)
    assert is_large(model)
    outcome = highs.solve(model)
    assert outcome.status is Status.OPTIMAL
    assert outcome.values == (10**9, 0)


def test_small_programs_stay_as_they_are() -> None:
    model = Model()
    model.add_column(0, 10, objective=-1, integer=True)
    assert not is_large(model)

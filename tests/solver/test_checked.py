"""What a solver says, checked against the model that it was asked about."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.errors import SolverError
from plancost.solver import highs
from plancost.solver.checked import checked
from plancost.solver.model import Model, Outcome, Status
from support.small_models import small_models


def knapsack() -> Model:
    """Minimise -x - y over whole numbers with 2 x + 2 y <= 3: one of them is 1."""
    model = Model()
    for _ in range(2):
        model.add_column(0, 1, objective=-1, integer=True)
    model.add_row({0: 2.0, 1: 2.0}, upper=3.0)
    return model


@pytest.mark.parametrize(
    ("values", "objective", "bound", "complaint"),
    [
        ((1.0, 1.0), -2.0, -2.0, "breaks its constraints"),
        ((0.5, 0.5), -1.0, -1.0, "is not whole"),
        ((2.0, -1.0), -1.0, -1.0, "is outside its bounds"),
        ((math.nan, 0.0), -1.0, -1.0, "is no number"),
        ((1.0,), -1.0, -1.0, "does not fit its model"),
        ((1.0, 0.0), -2.0, -2.0, "worth something else"),
        ((1.0, 0.0), math.nan, -1.0, "worth something else"),
        ((0.0, 0.0), 0.0, 1.0, "better than its own bound"),
        ((1.0, 0.0), -1.0, math.nan, "bound that is no number"),
        (None, None, -1.0, "gives none"),
    ],
)
def test_what_contradicts_its_own_model_is_an_error(
    values: tuple[float, ...] | None, objective: float | None, bound: float, complaint: str
) -> None:
    outcome = Outcome(Status.OPTIMAL, values, objective, bound)
    with pytest.raises(SolverError, match=complaint):
        checked(knapsack(), outcome, "HiGHS", gap=1e-6)


def test_optimal_with_a_gap_is_only_stopped() -> None:
    early = checked(knapsack(), Outcome(Status.OPTIMAL, (0.0, 0.0), 0.0, -1.0), "HiGHS", gap=1e-6)
    assert early.status is Status.STOPPED
    right = highs.solve(knapsack())
    assert (right.status, right.objective) == (Status.OPTIMAL, -1.0)


@settings(deadline=None)
@given(small_models(), st.data())
def test_a_point_counts_only_if_it_keeps_to_its_model(model: Model, data: st.DataObject) -> None:
    point = tuple(float(data.draw(st.integers(-1, 4))) for _ in model.lower)
    objective = sum(value * x for value, x in zip(model.objective, point, strict=True))
    fits = all(
        low <= x <= high for low, x, high in zip(model.lower, point, model.upper, strict=True)
    ) and all(
        lower <= sum(value * point[column] for column, value in line.items()) <= upper
        for line, lower, upper in model.rows
    )
    outcome = Outcome(Status.OPTIMAL, point, objective, objective)
    if fits:
        assert checked(model, outcome, "HiGHS", gap=0.0) == outcome
        nearly = tuple(x + 1e-7 for x in point)
        assert checked(model, replace(outcome, values=nearly), "HiGHS", gap=0.0).values == nearly
    else:
        with pytest.raises(SolverError, match="HiGHS gives a solution that"):
            checked(model, outcome, "HiGHS", gap=0.0)
    nothing = Outcome(Status.INFEASIBLE, None, None, math.inf)
    assert checked(model, nothing, "HiGHS", gap=0.0) is nothing

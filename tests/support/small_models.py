"""Small integer programs with known answers, for both solvers."""

from __future__ import annotations

import itertools
import math
from random import Random

from hypothesis import strategies as st

from plancost.solver.model import Model

_LARGEST = 3


def knapsack() -> Model:
    """Items 5/8, 7/11, 4/6, 3/4 (weight/value) into 14: the last three, worth 21."""
    model = Model()
    values, weights = (8, 11, 6, 4), (5, 7, 4, 3)
    columns = [model.add_column(0, 1, objective=-value, integer=True) for value in values]
    model.add_row(
        {column: float(weight) for column, weight in zip(columns, weights, strict=True)}, upper=14.0
    )
    return model


def hard_model() -> Model:
    """A market split problem (Cornuejols and Dawande): easy to start, hopeless to finish."""
    random = Random(7)
    model = Model()
    columns = [model.add_column(0, 1, integer=True) for _ in range(50)]
    for _ in range(6):
        weights = {column: float(random.randrange(100)) for column in columns}
        half = float(sum(weights.values()) // 2)
        over, under = model.add_column(objective=1), model.add_column(objective=1)
        model.add_row({**weights, over: -1.0, under: 1.0}, half, half)
    return model


@st.composite
def small_models(draw: st.DrawFn) -> Model:
    """Up to four integer columns from 0 to 3 and a few rows of all kinds."""
    model = Model()
    columns = [
        model.add_column(0, _LARGEST, objective=draw(st.integers(-4, 4)), integer=True)
        for _ in range(draw(st.integers(1, 4)))
    ]
    for _ in range(draw(st.integers(0, 4))):
        used = draw(st.lists(st.sampled_from(columns), min_size=1, unique=True))
        line = {column: float(draw(st.sampled_from([-3, -2, -1, 1, 2, 3]))) for column in used}
        lower = float(draw(st.integers(-6, 6)))
        width = draw(st.sampled_from([0.0, 2.0, math.inf]))
        if draw(st.booleans()):
            model.add_row(line, lower, lower + width)
        else:
            model.add_row(line, upper=lower)
    return model


def best_by_trying(model: Model) -> float | None:
    """The least objective over all points, or None if there is none."""
    found = []
    for point in itertools.product(range(_LARGEST + 1), repeat=len(model.lower)):
        totals = [sum(c * point[column] for column, c in row.items()) for row, _, _ in model.rows]
        if all(
            lower <= total <= upper
            for total, (_, lower, upper) in zip(totals, model.rows, strict=True)
        ):
            found.append(sum(c * x for c, x in zip(model.objective, point, strict=True)))
    return min(found, default=None)

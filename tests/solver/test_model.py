"""A program under construction: columns and rows by number, nothing shared between two."""

from __future__ import annotations

import math

from plancost.solver.model import Model


def test_columns_and_rows_are_numbered() -> None:
    model = Model()
    assert model.add_column() == 0
    assert model.add_column(-1, 4, objective=2.5, integer=True) == 1
    assert model.add_row({0: 1.0}) == 0
    assert model.add_row({0: 1.0, 1: -2.0}, 0.0, 3.0) == 1
    assert (model.lower, model.upper) == ([0.0, -1], [math.inf, 4])
    assert (model.objective, model.integer) == ([0.0, 2.5], [False, True])
    assert model.rows == [({0: 1.0}, -math.inf, math.inf), ({0: 1.0, 1: -2.0}, 0.0, 3.0)]
    assert Model() == Model([], [], [], [], [])

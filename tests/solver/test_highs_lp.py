"""The warm-started linear program: optimum, duals and infeasibility proofs known by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.solver.default import new_lp
from plancost.solver.lp import WarmStartedLP
from plancost.solver.model import Status

COEFFICIENTS = st.lists(st.integers(-3, 3), min_size=3, max_size=3).filter(any)
ROWS = st.lists(st.tuples(COEFFICIENTS, st.integers(-4, 6)), max_size=5)


def two_columns() -> WarmStartedLP:
    """Minimise 2 x + 3 y over 0 <= x <= 4, 0 <= y."""
    program = new_lp()
    assert program.add_column(0.0, 4.0, objective=2.0) == 0
    assert program.add_column(objective=3.0) == 1
    return program


def test_rows_come_and_go() -> None:
    program = two_columns()
    assert program.solve().objective == 0.0
    assert program.add_row({0: -1.0, 1: -1.0}, -6.0) == 0  # x + y >= 6
    solution = program.solve()
    assert solution.status is Status.OPTIMAL
    assert solution.values == pytest.approx([4.0, 2.0])
    assert solution.objective == pytest.approx(14.0)
    assert solution.multipliers == pytest.approx([3.0])
    program.change_row_bound(0, math.inf)
    assert program.solve().objective == 0.0
    program.change_row_bound(0, -3.0)
    assert program.solve().objective == pytest.approx(6.0)
    program.change_column_bounds(0, 0.0, 0.0)
    assert program.solve().objective == pytest.approx(9.0)


def test_no_point() -> None:
    program = two_columns()
    program.add_row({0: 1.0, 1: 1.0}, 6.0)
    program.add_row({0: 1.0, 1: 2.0}, 1.0)
    program.add_row({0: -2.0, 1: -2.0}, -4.0)  # x + y >= 2, against x + 2 y <= 1
    solution = program.solve()
    assert solution.status is Status.INFEASIBLE
    one, two, three = solution.multipliers
    assert one == 0.0 and two > 0.0 and two == pytest.approx(2 * three)


def test_no_time() -> None:
    program = two_columns()
    program.add_row({0: -1.0, 1: -1.0}, -6.0)
    solution = program.solve(0.0)
    assert solution.status is Status.STOPPED
    assert len(solution.values) == len(solution.multipliers) == 0
    assert program.solve().objective == pytest.approx(14.0)


@settings(deadline=None)
@given(ROWS)
def test_multipliers_prove_the_answer(rows: list[tuple[list[int], int]]) -> None:
    """By weak duality over 0 <= column <= 5: what the multipliers leave is a bound."""
    program = new_lp()
    weights = np.array([1.0, 2.0, 0.0])
    for weight in weights.tolist():
        program.add_column(0.0, 5.0, objective=weight)
    matrix = np.array([row for row, _ in rows], dtype=float).reshape(len(rows), 3)
    limits = np.array([limit for _, limit in rows], dtype=float)
    for row, limit in zip(matrix.tolist(), limits.tolist(), strict=True):
        program.add_row(dict(enumerate(row)), limit)
        program.solve()
    solution = program.solve()
    assert np.all(solution.multipliers >= 0.0)
    feasible = solution.status is Status.OPTIMAL
    left = solution.multipliers @ matrix + (weights if feasible else 0.0)
    bound = 5.0 * np.minimum(0.0, left).sum() - solution.multipliers @ limits
    if feasible:
        assert np.all(matrix @ solution.values <= limits + 1e-6)
        assert bound == pytest.approx(solution.objective, abs=1e-6)
    else:
        assert solution.status is Status.INFEASIBLE and bound > 1e-9


@settings(max_examples=50, deadline=None)
@given(ROWS, ROWS)
def test_rows_and_columns_in_bulk_are_the_same_program(
    first: list[tuple[list[int], int]], second: list[tuple[list[int], int]]
) -> None:
    """Added one by one and many at a time, also between two solves."""
    single, bulk = new_lp(), new_lp()
    for _ in range(3):
        single.add_column(0.0, 5.0, objective=1.0)
    bulk.add_columns([(0.0, 5.0, 1.0)] * 3)
    bulk.add_columns([])
    for rows in (first, second):
        lines = [
            ({column: float(c) for column, c in enumerate(row) if c}, float(upper))
            for row, upper in rows
        ]
        for line, upper in lines:
            single.add_row(line, upper)
        bulk.add_rows(lines)
        one, many = single.solve(), bulk.solve()
        assert one.status is many.status
        assert len(one.multipliers) == len(many.multipliers)
        if one.status is Status.OPTIMAL:
            assert one.objective == pytest.approx(many.objective)

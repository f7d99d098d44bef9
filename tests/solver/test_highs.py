"""HiGHS on models whose answers are known by hand, and against trying every point."""

from __future__ import annotations

import itertools
import math
import signal
import threading
import time

import pytest
from hypothesis import given, settings

from plancost.solver.highs import solve
from plancost.solver.model import Model, Outcome, Status
from support.small_models import best_by_trying, hard_model, knapsack, small_models


def test_a_knapsack() -> None:
    outcome = solve(knapsack())
    assert outcome.status is Status.OPTIMAL
    assert outcome.objective == pytest.approx(-21)
    assert outcome.bound == pytest.approx(-21)
    assert [round(value) for value in outcome.values or ()] == [0, 1, 1, 1]


def test_equality_rows() -> None:
    model = Model()
    x, y = (model.add_column(0, 10, objective=c, integer=True) for c in (3, 2))
    model.add_row({x: 2.0, y: 3.0}, 12.0, 12.0)
    outcome = solve(model)
    assert outcome.values == pytest.approx((0, 4))
    model.add_row({x: 1.0, y: -1.0}, 2.0, 2.0)
    assert solve(model).status is Status.INFEASIBLE


def test_ranged_rows_and_negative_bounds() -> None:
    model = Model()
    x = model.add_column(-5, 5, objective=1, integer=True)
    y = model.add_column(-math.inf, math.inf, objective=1)
    model.add_row({x: 1.0, y: 2.0}, -4.0, 9.0)
    outcome = solve(model)
    assert outcome.objective == pytest.approx(-4.5)
    assert outcome.values == pytest.approx((-5, 0.5))


def test_infeasible() -> None:
    model = Model()
    x = model.add_column(0, 1, integer=True)
    model.add_row({x: 1.0}, 0.2, 0.8)
    outcome = solve(model)
    assert (outcome.status, outcome.values, outcome.bound) == (Status.INFEASIBLE, None, math.inf)


def test_columns_without_an_upper_bound() -> None:
    """Costs have no cap; the objective keeps them finite."""
    model = Model()
    x, y = (model.add_column(1, objective=1, integer=True) for _ in range(2))
    model.add_row({x: -7.0, y: 2.0}, lower=1.0)
    assert solve(model).values == pytest.approx((1, 4))


def test_a_continuous_model() -> None:
    model = Model()
    x, y = (model.add_column(0, 4, objective=-1) for _ in range(2))
    model.add_row({x: 2.0, y: 1.0}, upper=5.0)
    model.add_row({x: 1.0, y: 2.0}, upper=5.0)
    outcome = solve(model)
    assert outcome.status is Status.OPTIMAL
    assert outcome.objective == pytest.approx(-10 / 3)


@pytest.mark.parametrize("columns", [0, 2])
def test_a_model_without_rows(columns: int) -> None:
    model = Model()
    for _ in range(columns):
        model.add_column(3, 8, objective=2, integer=True)
    outcome = solve(model)
    assert outcome.status is Status.OPTIMAL
    assert outcome.objective == pytest.approx(6 * columns)
    assert outcome.values == pytest.approx((3,) * columns)


def test_no_time_at_all() -> None:
    assert solve(knapsack(), time_limit_s=0.0) == Outcome(Status.STOPPED, None, None, -math.inf)


def test_a_time_limit_keeps_the_best_point_and_a_bound() -> None:
    started = time.monotonic()
    outcome = solve(hard_model(), time_limit_s=0.5)
    assert time.monotonic() - started < 5
    assert outcome.status is Status.STOPPED
    assert outcome.values is not None
    assert outcome.objective is not None
    assert outcome.bound <= outcome.objective


def test_a_start_is_used() -> None:
    outcome = solve(knapsack(), start=[0.0, 1.0, 1.0, 1.0])
    assert outcome.objective == pytest.approx(-21)


def test_the_same_seed_gives_the_same_answer() -> None:
    model = Model()
    columns = [model.add_column(0, 1, objective=-1, integer=True) for _ in range(12)]
    for a, b in itertools.combinations(columns, 2):
        if (a + b) % 3 == 0:
            model.add_row({a: 1.0, b: 1.0}, upper=1.0)
    assert solve(model, seed=3) == solve(model, seed=3)


def test_ctrl_c_stops_it_at_once() -> None:
    """HiGHS runs in C; Python alone would look at the signal only when it is done."""
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    started = time.monotonic()
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            solve(hard_model(), time_limit_s=60)
    finally:
        timer.cancel()
    assert time.monotonic() - started < 10


@settings(max_examples=80, deadline=None)
@given(small_models())
def test_random_models_against_trying_every_point(model: Model) -> None:
    outcome = solve(model)
    best = best_by_trying(model)
    if best is None:
        assert outcome.status is Status.INFEASIBLE
    else:
        assert outcome.status is Status.OPTIMAL
        assert outcome.objective == pytest.approx(best)
        assert outcome.bound == pytest.approx(best)

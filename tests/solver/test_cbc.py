"""CBC as a separate program: known answers, and agreement with HiGHS."""

from __future__ import annotations

import importlib
import math
import time
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings

from plancost.errors import SolverError
from plancost.solver import highs
from plancost.solver.cbc import solve
from plancost.solver.model import Model, Outcome, Status
from support.small_models import best_by_trying, hard_model, knapsack, small_models


def test_a_knapsack() -> None:
    outcome = solve(knapsack())
    assert outcome.status is Status.OPTIMAL
    assert outcome.objective == pytest.approx(-21)
    assert outcome.bound == pytest.approx(-21)
    assert outcome.values == pytest.approx((0, 1, 1, 1))


def test_equality_ranged_and_free() -> None:
    model = Model()
    x = model.add_column(-5, 5, objective=1, integer=True)
    y = model.add_column(-math.inf, math.inf, objective=1)
    model.add_row({x: 1.0, y: 2.0}, -4.0, 9.0)
    assert solve(model).values == pytest.approx((-5, 0.5))
    model.add_row({x: 1.0, y: 1.0}, 2.0, 2.0)
    assert solve(model).objective == pytest.approx(2)


def test_infeasible() -> None:
    model = Model()
    x = model.add_column(0, 1, integer=True)
    model.add_row({x: 1.0}, 0.2, 0.8)
    assert solve(model) == Outcome(Status.INFEASIBLE, None, None, math.inf)
    model = Model()
    x = model.add_column(0, 10, integer=True)
    model.add_row({x: 1.0}, lower=20.0)
    assert solve(model) == Outcome(Status.INFEASIBLE, None, None, math.inf)


def test_columns_without_an_upper_bound() -> None:
    model = Model()
    x, y = (model.add_column(1, objective=1, integer=True) for _ in range(2))
    model.add_row({x: -7.0, y: 2.0}, lower=1.0)
    assert solve(model).values == pytest.approx((1, 4))


def test_no_time_at_all() -> None:
    assert solve(knapsack(), time_limit_s=0.0) == Outcome(Status.STOPPED, None, None, -math.inf)


def test_a_time_limit() -> None:
    started = time.monotonic()
    outcome = solve(hard_model(), time_limit_s=1.0)
    assert time.monotonic() - started < 8
    assert outcome.status is Status.STOPPED
    if outcome.objective is not None:
        assert outcome.bound <= outcome.objective


def test_a_model_without_rows() -> None:
    model = Model()
    for _ in range(2):
        model.add_column(3, 8, objective=2, integer=True)
    outcome = solve(model)
    assert outcome.objective == pytest.approx(12)
    assert outcome.values == pytest.approx((3, 3))


def test_cbc_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:  # noqa: ANN401
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(SolverError, match=r"pip install plancost\[cbc\]"):
        solve(knapsack())


def test_cbc_that_breaks(monkeypatch: pytest.MonkeyPatch) -> None:
    for program, message in (("/bin/false", "exit code 1"), ("/bin/true", "no solution file")):
        fake = SimpleNamespace(cbc_bin_path=lambda program=program: program)
        monkeypatch.setattr(importlib, "import_module", lambda name, fake=fake: fake)
        with pytest.raises(SolverError, match=message):
            solve(knapsack())


@settings(max_examples=25, deadline=None)
@given(small_models())
def test_agrees_with_highs_and_with_trying_every_point(model: Model) -> None:
    mine, other = solve(model), highs.solve(model)
    assert mine.status is other.status
    best = best_by_trying(model)
    if best is not None:
        assert mine.objective == pytest.approx(best)
        assert mine.bound == pytest.approx(best)
        assert other.objective == pytest.approx(best)

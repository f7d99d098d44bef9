"""SCIP within the clock, and ended by Ctrl-C."""

from __future__ import annotations

import os
import signal
import threading
import time
from random import Random

import pytest
from pyscipopt import Model, quicksum

from plancost.clock import Clock
from plancost.learn.scip import solve


def hard_program() -> Model:
    """Takes minutes."""
    random, model = Random(1), Model()
    columns = [model.addVar(vtype="B", obj=-random.randint(50, 99)) for _ in range(120)]
    for _ in range(30):
        weights = [random.randint(1, 99) for _ in columns]
        terms = zip(weights, columns, strict=True)
        model.addCons(quicksum(weight * column for weight, column in terms) <= 1500)
    return model


def test_the_clock() -> None:
    model, began = hard_program(), time.monotonic()
    solve(model, Clock(0.5))
    assert (model.getStatus(), model.getNSols() > 0) == ("timelimit", True)
    assert time.monotonic() - began < 5


def test_ctrl_c_keeps_what_was_found() -> None:
    model, began = hard_program(), time.monotonic()
    threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        solve(model, Clock())
    assert time.monotonic() - began < 10
    assert model.getNSols() > 0

"""HiGHS and SCIP, as everything here calls them: quiet, one thread, ended by the clock and Ctrl-C.

Solvers do not notice Ctrl-C, or swallow it. So they run in a thread without Python's lock; whoever
is interrupted while waiting, or has waited long enough, tells them to stop. (HiGHS goes on for 13 s
at the root of an integer program otherwise.)
"""

from __future__ import annotations

import contextlib
import math
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import highspy
import numpy as np

from plancost.clock import Clock
from plancost.errors import SolverError
from plancost.learn.rows import Vector

if TYPE_CHECKING:
    from pyscipopt import Model

_STINT_S = 2.0
"""So long HiGHS is deaf."""
_GRACE_S = 0.5
"""So long SCIP has to notice the limit itself."""
_NO_LIMIT_S = 1e20
_POLL_S = 0.1
"""How often an interrupted solver is told again, in case it had not yet begun."""


def quiet_highs(**options: Any) -> highspy.Highs:
    """A silent solver on one core; without options simplex, which keeps its basis between calls."""
    highs = highspy.Highs()  # type: ignore[no-untyped-call]
    chosen = options or {"threads": 1, "presolve": "off", "solver": "simplex"}
    for name, value in {"output_flag": False, **chosen}.items():
        highs.setOptionValue(name, value)
    return highs


def run(highs: highspy.Highs, clock: Clock) -> highspy.HighsModelStatus:
    """Solve by the simplex method, within the clock.

    HiGHS stops now and then, so that Ctrl-C is noticed, and goes on from its basis.
    """
    while True:
        highs.setOptionValue("time_limit", highs.getRunTime() + min(clock.remaining, _STINT_S))
        highs.run()
        status = highs.getModelStatus()
        if status != highspy.HighsModelStatus.kTimeLimit:
            return status
        clock.check()


def run_at_once(highs: highspy.Highs, seconds: float) -> highspy.HighsModelStatus:
    """Solve by a method that has no basis to go on from; Ctrl-C ends it."""
    seconds = max(0.1, min(seconds, 1e6))
    highs.setOptionValue("time_limit", highs.getRunTime() + seconds)
    if not highs.HandleUserInterrupt:
        highs.HandleUserInterrupt = True
    _ended_by_others(highs.run, highs.cancelSolve, seconds)
    return highs.getModelStatus()


def solution(highs: highspy.Highs, columns: int) -> tuple[Vector, Vector]:
    """The values of so many columns, and the multipliers of the rows."""
    found = highs.getSolution()
    values, multipliers = np.asarray(found.col_value), np.asarray(found.row_dual)
    if (
        len(values) != columns
        or not np.isfinite(values).all()
        or not np.isfinite(multipliers).all()
    ):
        raise SolverError(f"HiGHS ended with {highs.getModelStatus()} and without numbers")
    return values, multipliers


def run_scip(model: Model, clock: Clock, seed: int = 0) -> None:
    """Optimize until the clock's limit; the model then has SCIP's status, bound and solutions."""
    limit = clock.remaining
    model.hideOutput()
    model.setParams(
        {
            "misc/catchctrlc": False,
            "timing/clocktype": 2,  # wall clock
            "limits/time": limit if math.isfinite(limit) else _NO_LIMIT_S,
            "parallel/maxnthreads": 1,
            "lp/threads": 1,
            "randomization/randomseedshift": seed % 2**31,
        }
    )
    try:
        _ended_by_others(model.optimizeNogil, model.interruptSolve, limit + _GRACE_S)
    except MemoryError:
        raise
    except Exception as error:  # SCIP raises plain exceptions
        raise SolverError(f"SCIP failed: {error}") from error


def _ended_by_others(run: Callable[[], object], stop: Callable[[], object], seconds: float) -> None:
    """Run a solver to its end, or until it stops after so many seconds or an interrupt; its
    exceptions come here.
    """
    failures: list[Exception] = []
    ended = threading.Event()  # joining a thread is not safe against Ctrl-C before Python 3.13

    def work() -> None:
        try:
            run()
        except Exception as error:
            failures.append(error)
        finally:
            ended.set()

    threading.Thread(target=work, daemon=True).start()
    try:
        ended.wait(min(seconds, threading.TIMEOUT_MAX))
    finally:
        while not ended.is_set():
            with contextlib.suppress(Exception):
                stop()
            ended.wait(_POLL_S)
    if failures:
        raise failures[0]

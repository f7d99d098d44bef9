"""SCIP, as everything here calls it: quiet, one thread, within the clock, ended by Ctrl-C.

SCIP's own handling of Ctrl-C would swallow it. So the solver runs in a thread without Python's
lock, and whoever is interrupted while waiting for it tells it to stop.
"""

from __future__ import annotations

import contextlib
import math
import threading

from pyscipopt import Model

from plancost.clock import Clock
from plancost.errors import SolverError

_POLL_S = 0.1
"""How often an interrupted solver is told again, in case it had not yet begun."""
_NO_LIMIT_S = 1e20


def solve(model: Model, clock: Clock, seed: int = 0) -> None:
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
    failures: list[Exception] = []
    ended = threading.Event()  # joining a thread is not safe against Ctrl-C before Python 3.13
    threading.Thread(target=_optimize, args=(model, failures, ended), daemon=True).start()
    try:
        ended.wait()
    except BaseException:
        while not ended.is_set():
            with contextlib.suppress(Exception):
                model.interruptSolve()
            ended.wait(_POLL_S)
        raise
    if failures:
        raise SolverError(f"SCIP failed: {failures[0]}") from failures[0]


def _optimize(model: Model, failures: list[Exception], ended: threading.Event) -> None:
    try:
        model.optimizeNogil()
    except Exception as error:  # SCIP raises plain exceptions
        failures.append(error)
    finally:
        ended.set()

"""SCIP, as everything here calls it: quiet, one thread, within the clock, ended by Ctrl-C.

SCIP's own handling of Ctrl-C would swallow it.
"""

from __future__ import annotations

import math

from pyscipopt import Model

from plancost.clock import Clock
from plancost.errors import SolverError
from plancost.learn import interruptible

_NO_LIMIT_S = 1e20
_GRACE_S = 0.5
"""So long SCIP has to notice the limit itself."""


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
    try:
        interruptible.solve(model.optimizeNogil, model.interruptSolve, limit + _GRACE_S)
    except MemoryError:
        raise
    except Exception as error:  # SCIP raises plain exceptions
        raise SolverError(f"SCIP failed: {error}") from error

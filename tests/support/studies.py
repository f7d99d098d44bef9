"""Tiny studies, and records made by hand."""

from __future__ import annotations

from typing import Any

from plancost.experiments.plan import Bounds, PoolPlan, Study
from plancost.experiments.statistics import Outcome
from plancost.generators.grid import Grid


def tiny_study(
    rows: tuple[str, ...] = ("baseline", "10", "exact"),
    *,
    tasks: int = 1,
    sizes: tuple[int, ...] = (3,),
    time_s: float = 60.0,
    name: str = "mcf",
    refine: bool = False,
    first_decides: bool = False,
) -> Study:
    """A study of a 3 x 3 grid; its pool is only as large as its tasks need."""
    plans = max(4, *sizes)
    pool = PoolPlan(Grid(3), problems=2, plans=plans, seed=0)
    solution = "scf" if name.startswith("scf") else "mcf"
    bounds = Bounds(time_s, 8192)
    return Study(name, solution, refine, (pool,), sizes, tasks, rows, bounds, first_decides)


def record(
    optimal: int | None = 1, reason: str | None = None, *, proved: bool = True, **more: bool
) -> dict[str, Any]:
    """The content of a run's record: an answer of 3 plans, or a failure without one."""
    answer = {} if optimal is None else {"plans": 3, "optimal_plans": optimal, "proved": proved}
    return {
        "status": "solved" if reason is None else "failed",
        "reason": reason,
        **answer,
        "secondary": {"proved": proved},
        "seconds": {"total": 1.0},
        **more,
    }


def solved(ratio: float, *, proved: bool = True, seconds: float = 1.0) -> Outcome:
    """A run with an answer."""
    return Outcome(True, ratio, proved, seconds, None)


def failed(reason: str, ratio: float | None = None) -> Outcome:
    """A run without one, or with one that does not count."""
    return Outcome(False, ratio, False, 60.0, reason)

"""Tiny studies, and records made by hand."""

from __future__ import annotations

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
) -> Study:
    """A study of a 3 x 3 grid; its pool is only as large as its tasks need."""
    plans = max(4, *sizes)
    pool = PoolPlan(Grid(3), problems=2, plans=plans, seed=0)
    solution = "scf" if name.startswith("scf") else "mcf"
    return Study(name, solution, refine, (pool,), sizes, tasks, rows, Bounds(time_s, 8192))


def solved(ratio: float, *, proved: bool = True, seconds: float = 1.0) -> Outcome:
    """A run with an answer."""
    return Outcome(True, ratio, proved, seconds, None)


def failed(reason: str, ratio: float | None = None) -> Outcome:
    """A run without one, or with one that does not count."""
    return Outcome(False, ratio, False, 60.0, reason)

"""Records by hand, and a study that they are about."""

from __future__ import annotations

from typing import Any

from experiments.records import PLANNER_OUT_OF_TIME, Record
from experiments.studies import PoolPlan, Study
from experiments.worlds import Grid, Transport

GRID, TRANSPORT = PoolPlan(Grid(5), 4, 10), PoolPlan(Transport(), 4, 10)
STUDY = Study("mcf", (GRID, TRANSPORT), (10,), 2, ("baseline", "10", "100", "exact"), 300.0, True)


def record(pool: PoolPlan, task: int, row: str, optimal: int = 0, **more: Any) -> Record:
    usual = {"by": "abc", "limit_s": 300.0, "seconds": 1.5, "at_most": 10, "ended": True}
    return Record("mcf", pool.name, 10, task, row, **{**usual, "optimal": optimal, **more})


def failed(pool: PoolPlan, task: int, row: str, **more: Any) -> Record:
    return record(pool, task, row, **{"reason": PLANNER_OUT_OF_TIME, "ended": False, **more})


RECORDS = [
    record(GRID, 1, "baseline", 2),
    record(GRID, 2, "baseline", 4),
    record(GRID, 1, "10", 5),
    failed(GRID, 2, "10"),
    record(GRID, 1, "exact", 8, at_most=8, first_s=0.5),
    record(GRID, 2, "exact", 9, at_most=9, first_s=0.7),
    failed(TRANSPORT, 1, "10"),
    failed(TRANSPORT, 1, "100", implied_by="10"),
    record(TRANSPORT, 1, "exact", 5, at_most=6, ended=False),
]

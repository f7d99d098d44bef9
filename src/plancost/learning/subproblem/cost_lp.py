"""The linear program in the costs: which costs satisfy these rows, and how cheaply?

For a fixed set of plans no integers and no big M are needed (scale a rational solution
up). One program serves many sets: rows are switched on and off by their bounds, and the dual
simplex goes on from the last basis.

Costs are written ``origin + up - down`` with ``up, down >= 0``, a column for each straight
piece of the second objective (`terms`), so that the objective is the secondary cost above that of
the origin, in learning and in refinement alike, and the program starts there without any
row. How far the pieces go are the bounds of the cost.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import highspy
import numpy as np

from plancost.errors import SolverError
from plancost.learning.problem.rows import Row
from plancost.learning.problem.task import LearningTask
from plancost.solver.highs import new_highs, run_at_once

_INFINITY = highspy.kHighsInf
_ENDS = (
    highspy.HighsModelStatus.kOptimal,
    highspy.HighsModelStatus.kModelEmpty,
    highspy.HighsModelStatus.kInfeasible,
    highspy.HighsModelStatus.kTimeLimit,
    highspy.HighsModelStatus.kInterrupt,
    highspy.HighsModelStatus.kIterationLimit,
)
"""How a program of ours can end; it has a least objective, so it is never unbounded."""
_MOST_IDLE_ROWS = 400
"""Rows that are switched off but still slow the simplex down; beyond it, start afresh."""


class Feasibility(enum.Enum):
    """What the program says about its rows."""

    FEASIBLE = "feasible"
    INFEASIBLE = "infeasible"
    STOPPED = "stopped"


@dataclass(frozen=True)
class ProgramPoint:
    """A solution of the program, or the multipliers that show there is none.

    `costs` has one entry for each action of A; `multipliers` one for each of the `rows`
    that were active: a Farkas proof if infeasible, the duals otherwise.
    """

    status: Feasibility
    costs: np.ndarray
    objective: float
    rows: tuple[Row, ...]
    multipliers: tuple[float, ...]


class CostLP:
    """A warm-started linear program over the costs of some actions."""

    def __init__(self, task: LearningTask, actions: Iterable[int]) -> None:
        self._task = task
        self._origin = np.asarray(task.objective.origin, dtype=np.float64)
        self._actions = sorted(actions)
        self._start()

    def _start(self) -> None:
        self._highs = new_highs()
        self._highs.setOptionValue("presolve", "off")
        self._highs.setOptionValue("solver", "simplex")
        self._columns: dict[int, list[tuple[int, float]]] = {}
        self._place: dict[int, int] = {}
        self._rows: list[tuple[Row, float]] = []
        self._active: set[int] = set()
        empty = np.empty(0, dtype=np.int32)
        for action in self._actions:
            term = self._task.terms[action]
            columns = self._columns[action] = []
            for sign, pieces in ((1.0, term.up), (-1.0, term.down)):
                for slope, width in pieces:
                    columns.append((self._highs.getNumCol(), sign))
                    most = _INFINITY if width is None else float(width)
                    self._highs.addCol(float(slope), 0.0, most, 0, empty, np.empty(0))
        flat = [(a, column, sign) for a, own in self._columns.items() for column, sign in own]
        self._flat = (
            np.array([action for action, _, _ in flat], dtype=np.int64),
            np.array([column for _, column, _ in flat], dtype=np.int64),
            np.array([sign for _, _, sign in flat], dtype=np.float64),
        )

    def keep_only(self, wanted: np.ndarray) -> None:
        """Switch on the rows that it holds and that are wanted (a mask by number)."""
        if len(self._rows) > 2 * len(self._active) + _MOST_IDLE_ROWS:
            self._start()
        keep = {number for number in self._place if wanted[number]}
        for number in self._active - keep:
            self._highs.changeRowBounds(self._place[number], -_INFINITY, _INFINITY)
        for number in keep - self._active:
            place = self._place[number]
            self._highs.changeRowBounds(place, -_INFINITY, self._rows[place][1])
        self._active = keep

    def add(self, number: int, row: Row) -> None:
        """Switch a row on, under the number that the caller knows it by."""
        if number in self._place:
            place = self._place[number]
            self._highs.changeRowBounds(place, -_INFINITY, self._rows[place][1])
            self._active.add(number)
            return
        coefficients, margin = row
        columns, values = [], []
        there = -margin  # in whole numbers, which may be large
        for action, coefficient in coefficients:
            there -= coefficient * self._task.objective.origin[action]
            for column, sign in self._columns[action]:
                columns.append(column)
                values.append(sign * coefficient)
        limit = float(there)
        self._highs.addRow(
            -_INFINITY,
            limit,
            len(columns),
            np.asarray(columns, dtype=np.int32),
            np.asarray(values, dtype=np.float64),
        )
        self._place[number] = len(self._rows)
        self._rows.append((row, limit))
        self._active.add(number)

    def holds(self, number: int) -> bool:
        """Whether a row is switched on."""
        return number in self._active

    def solve(self, time_limit_s: float | None = None) -> ProgramPoint:
        """Find the cheapest costs under the active rows."""
        limit = _INFINITY if time_limit_s is None else max(0.0, time_limit_s)
        self._highs.setOptionValue("time_limit", self._highs.getRunTime() + limit)
        kinds = highspy.HighsModelStatus
        status = self._run()
        if status not in _ENDS:
            self._highs.clearSolver()  # from the last basis it may fail where it else does not
            status = self._run()
        places = sorted(self._place[number] for number in self._active)
        rows = tuple(self._rows[place][0] for place in places)
        if status in (kinds.kOptimal, kinds.kModelEmpty):
            solution = self._highs.getSolution()
            duals = np.asarray(solution.row_dual, dtype=np.float64)
            multipliers = np.maximum(0.0, -duals[places]) if len(duals) else np.zeros(len(places))
            costs = self._costs(solution.col_value)
            objective = float(self._highs.getInfo().objective_function_value)
            if not (np.all(np.isfinite(costs)) and np.isfinite(objective)):
                raise SolverError("HiGHS gives a solution that is no number")
            return ProgramPoint(
                Feasibility.FEASIBLE, costs, objective, rows, tuple(_finite(multipliers).tolist())
            )
        if status == kinds.kInfeasible:
            ray = np.abs(self._ray())[places]
            return ProgramPoint(
                Feasibility.INFEASIBLE, self._origin, np.inf, rows, tuple(ray.tolist())
            )
        if status in _ENDS:
            return ProgramPoint(Feasibility.STOPPED, self._origin, np.nan, rows, ())
        raise SolverError(
            f"HiGHS ended in an unexpected way: {self._highs.modelStatusToString(status)}"
        )

    def _run(self) -> Any:  # noqa: ANN401 (highspy has no types)
        run_at_once(self._highs)  # milliseconds, so Ctrl-C can wait
        return self._highs.getModelStatus()

    def _costs(self, values: Sequence[float]) -> np.ndarray:
        costs = self._origin.copy()
        actions, columns, signs = self._flat
        np.add.at(costs, actions, signs * np.asarray(values, dtype=np.float64)[columns])
        return costs

    def _ray(self) -> np.ndarray:
        outcome = self._highs.getDualRay()
        ray = np.asarray(outcome[-1], dtype=np.float64)
        return _finite(ray) if len(ray) == len(self._rows) else np.zeros(len(self._rows))


def _finite(multipliers: np.ndarray) -> np.ndarray:
    """Multipliers of which those that are no numbers prove nothing."""
    found: np.ndarray = np.nan_to_num(multipliers, nan=0.0, posinf=0.0, neginf=0.0)
    return found

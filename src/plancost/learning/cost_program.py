"""The linear program in the costs: can these plans be optimal together, and how cheaply?

For a fixed set of plans no integers and no big M are needed (scale a rational
solution up). One program serves all sets: it keeps every row ever found, a set
switches on the rows of its plans by their bounds, and the dual simplex goes on
from the last basis.

Costs are written ``baseline + up - down`` with ``up, down >= 0``, so that the
objective is the secondary cost above its floor, in learning and in refinement
alike, and the program starts at the baseline without any row.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import highspy
import numpy as np

from plancost.errors import SolverError
from plancost.learning.task import LearningTask, Row
from plancost.solver.highs import new_highs, run

_INFINITY = highspy.kHighsInf


class Feasibility(enum.Enum):
    """What the program says about a set of rows."""

    FEASIBLE = "feasible"
    INFEASIBLE = "infeasible"
    STOPPED = "stopped"


@dataclass(frozen=True)
class ProgramPoint:
    """A solution of the program, or the multipliers that show there is none.

    `costs` has one entry for each action of A; `multipliers` one for each active
    row in `rows`: a Farkas proof if infeasible, the duals otherwise.
    """

    status: Feasibility
    costs: np.ndarray
    objective: float
    rows: tuple[Row, ...]
    multipliers: tuple[float, ...]


class CostProgram:
    """A warm-started linear program over the costs of some actions."""

    def __init__(self, task: LearningTask, actions: Iterable[int]) -> None:
        self._baseline = np.asarray(task.baseline, dtype=np.float64)
        self._highs = new_highs()
        self._highs.setOptionValue("presolve", "off")
        self._highs.setOptionValue("solver", "simplex")
        self._up: dict[int, int] = {}
        self._down: dict[int, int] = {}
        self._number_of_row: dict[Row, int] = {}
        self._rows: list[Row] = []
        self._limit: list[float] = []
        self._active: set[int] = set()
        empty = np.empty(0, dtype=np.int32)
        for action in sorted(actions):
            self._up[action] = self._highs.getNumCol()
            self._highs.addCol(1.0, 0.0, _INFINITY, 0, empty, np.empty(0))
            if task.baseline[action] > 1:
                self._down[action] = self._highs.getNumCol()
                self._highs.addCol(1.0, 0.0, task.baseline[action] - 1.0, 0, empty, np.empty(0))

    @property
    def rows(self) -> Sequence[Row]:
        """All rows known so far."""
        return self._rows

    def add(self, row: Row) -> int:
        """Make a row known (inactive) and return its number."""
        known = self._number_of_row.get(row)
        if known is not None:
            return known
        coefficients, margin = row
        columns, values = [], []
        limit = float(-margin)
        for action, coefficient in coefficients:
            limit -= coefficient * self._baseline[action]
            columns.append(self._up[action])
            values.append(float(coefficient))
            if action in self._down:
                columns.append(self._down[action])
                values.append(float(-coefficient))
        number = len(self._rows)
        self._highs.addRow(
            -_INFINITY,
            _INFINITY,
            len(columns),
            np.asarray(columns, dtype=np.int32),
            np.asarray(values, dtype=np.float64),
        )
        self._rows.append(row)
        self._limit.append(limit)
        self._number_of_row[row] = number
        return number

    def activate(self, numbers: Iterable[int]) -> None:
        """Switch on exactly these rows."""
        wanted = set(numbers)
        for number in self._active - wanted:
            self._highs.changeRowBounds(number, -_INFINITY, _INFINITY)
        for number in wanted - self._active:
            self._highs.changeRowBounds(number, -_INFINITY, self._limit[number])
        self._active = wanted

    def solve(self, time_limit_s: float | None = None) -> ProgramPoint:
        """Find the cheapest costs under the active rows."""
        limit = _INFINITY if time_limit_s is None else max(0.0, time_limit_s)
        self._highs.setOptionValue("time_limit", self._highs.getRunTime() + limit)
        run(self._highs)
        status = self._highs.getModelStatus()
        kinds = highspy.HighsModelStatus
        active = sorted(self._active)
        rows = tuple(self._rows[number] for number in active)
        if status in (kinds.kOptimal, kinds.kModelEmpty):
            solution = self._highs.getSolution()
            duals = solution.row_dual
            return ProgramPoint(
                Feasibility.FEASIBLE,
                self._costs(solution.col_value),
                float(self._highs.getInfo().objective_function_value),
                rows,
                tuple(max(0.0, -duals[number]) for number in active) if duals else (),
            )
        if status == kinds.kInfeasible:
            ray = self._ray()
            return ProgramPoint(
                Feasibility.INFEASIBLE,
                self._baseline,
                np.inf,
                rows,
                tuple(abs(float(ray[number])) for number in active),
            )
        if status in (kinds.kTimeLimit, kinds.kInterrupt, kinds.kIterationLimit):
            return ProgramPoint(Feasibility.STOPPED, self._baseline, np.nan, rows, ())
        raise SolverError(
            f"HiGHS ended in an unexpected way: {self._highs.modelStatusToString(status)}"
        )

    def _costs(self, values: Sequence[float]) -> np.ndarray:
        costs = self._baseline.copy()
        for action, column in self._up.items():
            costs[action] += values[column]
        for action, column in self._down.items():
            costs[action] -= values[column]
        return costs

    def _ray(self) -> np.ndarray:
        outcome = self._highs.getDualRay()
        return np.asarray(outcome[-1], dtype=np.float64)

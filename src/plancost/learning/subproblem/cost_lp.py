"""The linear program in the costs: which costs satisfy these rows, and how cheaply?

For a fixed set of plans no integers and no big M are needed (scale a rational solution
up). One program serves many sets: rows are switched on and off by their bounds, and the dual
simplex continues from the last basis.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import inf

import numpy as np

from plancost.learning.problem.rows import Row
from plancost.learning.problem.task import LearningTask
from plancost.learning.subproblem.cost_columns import CostColumns
from plancost.solver.default import new_lp
from plancost.solver.lp import Vector
from plancost.solver.model import Status

_MOST_IDLE_ROWS = 400
"""Rows that are switched off but still slow the simplex down; beyond it, start afresh."""


@dataclass(frozen=True)
class ProgramPoint:
    """A solution of the program, or the multipliers that show there is none.

    `costs` has one entry for each action of A; `multipliers` one for each of the `rows`
    that were active: a Farkas proof if infeasible, the duals otherwise.
    """

    status: Status
    costs: Vector
    objective: float
    rows: tuple[Row, ...]
    multipliers: tuple[float, ...]


class CostLP:
    """A warm-started linear program over the costs of some actions."""

    def __init__(self, task: LearningTask, actions: Iterable[int]) -> None:
        self._origin = np.asarray(task.objective.origin, dtype=np.float64)
        self._columns = CostColumns(task, actions)
        columns = self._columns.columns
        self._action_of = np.array([column.action for column in columns], dtype=np.int64)
        self._signs = np.array([column.sign for column in columns], dtype=np.float64)
        self._start()

    def _start(self) -> None:
        self._program = new_lp()
        self._place: dict[int, int] = {}
        self._rows: list[tuple[Row, float]] = []
        self._active: set[int] = set()
        self._fixed: set[int] = set()
        self.values = np.zeros(len(self._columns.columns))
        """The columns in the last solution."""
        for column in self._columns.columns:
            self._program.add_column(0.0, column.most, objective=float(column.slope))

    def keep_only(self, wanted: np.ndarray) -> None:
        """Switch on the rows that it holds and that are wanted (a mask by number)."""
        if len(self._rows) > 2 * len(self._active) + _MOST_IDLE_ROWS:
            self._start()
        keep = {number for number in self._place if wanted[number]}
        for number in self._active - keep:
            self._program.change_row_bound(self._place[number], inf)
        for number in keep - self._active:
            self._switch_on(number)
        self._active = keep

    def add(self, number: int, row: Row) -> None:
        """Switch a row on, under the number that the caller knows it by."""
        if number in self._place:
            self._switch_on(number)
        else:
            line, limit = self._columns.translate(row[0], -row[1])
            self._place[number] = self._program.add_row(line, limit)
            self._rows.append((row, limit))
        self._active.add(number)

    def _switch_on(self, number: int) -> None:
        place = self._place[number]
        self._program.change_row_bound(place, self._rows[place][1])

    def holds(self, number: int) -> bool:
        """Whether a row is switched on."""
        return number in self._active

    def fix(self, values: Mapping[int, float]) -> None:
        """Give columns a value that they keep until they are released."""
        for column, value in values.items():
            self._program.change_column_bounds(column, value, value)
        self._fixed.update(values)

    def release(self, columns: Iterable[int] | None = None) -> None:
        """Let columns (None: all that are fixed) have any value again."""
        released = self._fixed.copy() if columns is None else self._fixed.intersection(columns)
        for column in released:
            self._program.change_column_bounds(column, 0.0, self._columns.columns[column].most)
        self._fixed -= released

    def solve(self, time_limit_s: float | None = None) -> ProgramPoint:
        """Find the cheapest costs under the active rows."""
        solution = self._program.solve(time_limit_s)
        places = sorted(self._place[number] for number in self._active)
        rows = tuple(self._rows[place][0] for place in places)
        if solution.status is Status.STOPPED:
            return ProgramPoint(solution.status, self._origin, solution.objective, rows, ())
        costs = self._origin.copy()
        if solution.status is Status.OPTIMAL:
            self.values = solution.values
            np.add.at(costs, self._action_of, self._signs * solution.values)
        multipliers = tuple(solution.multipliers[places].tolist())
        return ProgramPoint(solution.status, costs, solution.objective, rows, multipliers)

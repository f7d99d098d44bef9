"""The linear program in the costs: which costs satisfy these rows, and how cheaply?

For a fixed set of plans no integers and no big M are needed (scale a rational solution
up). One program serves many sets: rows are switched on and off by their bounds, and the dual
simplex continues from the last basis. A cost that no row speaks of stays where it is cheapest, so
where there are many, each gets its columns with the first row that does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import inf

import numpy as np
import numpy.typing as npt

from plancost.learning.problem.rows import Row
from plancost.learning.problem.task import LearningTask
from plancost.learning.subproblem.cost_columns import Column, CostColumns
from plancost.solver.default import new_lp
from plancost.solver.lp import Vector
from plancost.solver.model import Status

_MOST_IDLE_ROWS = 400
"""Rows that are switched off but still slow the simplex down; beyond it, start afresh."""

_FEW_COLUMNS = 4000
"""So many are all there from the start."""


@dataclass(frozen=True)
class ProgramPoint:
    """A solution of the program, or the multipliers that show there is none.

    `costs` has one entry for each action of A; `multipliers` one for each of the `rows`: those
    that have a positive one. They are a Farkas proof if infeasible, the duals otherwise.
    """

    status: Status
    costs: Vector
    objective: float
    rows: tuple[Row, ...]
    multipliers: tuple[float, ...]


class CostLP:
    """A warm-started linear program over the costs of some actions.

    Columns are numbered in the order in which rows speak of them.
    """

    def __init__(
        self, task: LearningTask, actions: Iterable[int], most_idle_rows: int = _MOST_IDLE_ROWS
    ) -> None:
        self._origin = np.asarray(task.objective.origin, dtype=np.float64)
        self._columns = CostColumns(task, actions)
        self._most_idle_rows = most_idle_rows
        self.start_afresh()

    def start_afresh(self) -> None:
        """Forget all rows, and what the solver knows."""
        self._program = new_lp()
        self._present: list[Column] = []
        self._actions: npt.NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._signs = np.zeros(0)
        self._column: dict[int, int] = {}
        self._places: dict[int, int] = {}
        self._rows: list[tuple[Row, float]] = []
        self._numbers: npt.NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._is_on: npt.NDArray[np.bool_] = np.zeros(0, dtype=bool)
        self._fixed: set[int] = set()
        self.values = np.zeros(0)
        """The columns in the last solution."""
        if len(self._columns.columns) <= _FEW_COLUMNS:
            self._add_columns(range(len(self._columns.columns)))

    @property
    def row_count(self) -> int:
        """How many rows it holds, switched on or off."""
        return len(self._rows)

    def keep_only(self, wanted: np.ndarray) -> None:
        """Switch on the rows that it holds and that are wanted (a mask by number)."""
        if len(self._rows) > 2 * int(self._is_on.sum()) + self._most_idle_rows:
            self.start_afresh()
        keep = wanted[self._numbers]
        for place in np.flatnonzero(self._is_on & ~keep).tolist():
            self._program.change_row_bound(place, inf)
        for place in np.flatnonzero(~self._is_on & keep).tolist():
            self._program.change_row_bound(place, self._rows[place][1])
        self._is_on = keep

    def add(self, number: int, row: Row) -> None:
        """Switch a row on, under the number that the caller knows it by."""
        self.add_all({number: row})

    def add_all(self, rows: Mapping[int, Row]) -> None:
        """Switch rows on, under the numbers that the caller knows them by."""
        new = []
        for number, row in rows.items():
            place = self._places.get(number)
            if place is None:
                new.append((number, row))
            elif not self._is_on[place]:
                self._program.change_row_bound(place, self._rows[place][1])
                self._is_on[place] = True
        if not new:
            return
        lines = [self._columns.translate(row[0], -row[1]) for _, row in new]
        self._add_columns(column for line, _ in lines for column in line)
        column = self._column
        self._program.add_rows(
            [({column[c]: value for c, value in line.items()}, limit) for line, limit in lines]
        )
        for (number, row), (_, limit) in zip(new, lines, strict=True):
            self._places[number] = len(self._rows)
            self._rows.append((row, limit))
        numbers = [number for number, _ in new]
        self._numbers = np.concatenate([self._numbers, np.array(numbers, dtype=np.int64)])
        self._is_on = np.concatenate([self._is_on, np.ones(len(new), dtype=bool)])

    def _add_columns(self, wanted: Iterable[int]) -> None:
        """Make columns part of the program, unless they are."""
        new = [number for number in dict.fromkeys(wanted) if number not in self._column]
        if not new:
            return
        columns = [self._columns.columns[number] for number in new]
        self._program.add_columns([(0.0, column.most, float(column.slope)) for column in columns])
        self._column.update(
            zip(new, range(len(self._present), len(self._present) + len(new)), strict=True)
        )
        self._present.extend(columns)
        self._actions = np.array([column.action for column in self._present], dtype=np.int64)
        self._signs = np.array([column.sign for column in self._present], dtype=np.float64)
        self.values = np.concatenate([self.values, np.zeros(len(new))])

    def holds(self, number: int) -> bool:
        """Whether a row is switched on."""
        place = self._places.get(number)
        return place is not None and bool(self._is_on[place])

    def missing(self, numbers: npt.NDArray[np.int64]) -> list[int]:
        """Those of the rows that are not switched on, in this order."""
        on = frozenset(self._numbers[self._is_on].tolist())
        return [number for number in numbers.tolist() if number not in on]

    def fix(self, values: Mapping[int, float]) -> None:
        """Give columns a value that they keep until they are released."""
        for column, value in values.items():
            self._program.change_column_bounds(column, value, value)
        self._fixed.update(values)

    def release(self, columns: Iterable[int] | None = None) -> None:
        """Let columns (None: all that are fixed) have any value again."""
        released = self._fixed.copy() if columns is None else self._fixed.intersection(columns)
        for column in released:
            self._program.change_column_bounds(column, 0.0, self._present[column].most)
        self._fixed -= released

    def solve(self, time_limit_s: float | None = None) -> ProgramPoint:
        """Find the cheapest costs under the active rows."""
        solution = self._program.solve(time_limit_s)
        if solution.status is Status.STOPPED:
            return ProgramPoint(solution.status, self._origin, solution.objective, (), ())
        costs = self._origin.copy()
        if solution.status is Status.OPTIMAL:
            self.values = solution.values
            np.add.at(costs, self._actions, self._signs * solution.values)
        places = np.flatnonzero(self._is_on & (solution.multipliers > 0.0)).tolist()
        rows = tuple(self._rows[place][0] for place in places)
        multipliers = tuple(solution.multipliers[places].tolist())
        return ProgramPoint(solution.status, costs, solution.objective, rows, multipliers)

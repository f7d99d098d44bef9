"""The warm-started linear program in HiGHS: dual simplex without presolve, from the last basis."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import highspy
import numpy as np

from plancost.errors import SolverError
from plancost.solver.highs import new_highs, run_at_once, unexpected
from plancost.solver.lp import LPSolution, Vector
from plancost.solver.model import Status

_KINDS = highspy.HighsModelStatus
_STATUS = {
    _KINDS.kOptimal: Status.OPTIMAL,
    _KINDS.kModelEmpty: Status.OPTIMAL,
    _KINDS.kInfeasible: Status.INFEASIBLE,
    _KINDS.kTimeLimit: Status.STOPPED,
    _KINDS.kInterrupt: Status.STOPPED,
    _KINDS.kIterationLimit: Status.STOPPED,
}
"""How our programs can end; they have a least objective, so they are never unbounded."""
_NOTHING = np.empty(0)


class HighsLP:
    """See `lp.WarmStartedLP`."""

    def __init__(self) -> None:
        self._highs = new_highs()
        self._highs.setOptionValue("presolve", "off")
        self._highs.setOptionValue("solver", "simplex")
        self._columns = 0
        self._rows = 0

    def add_column(
        self, lower: float = 0.0, upper: float = math.inf, *, objective: float = 0.0
    ) -> int:
        """Add a variable and return its number."""
        self._highs.addCol(objective, lower, upper, 0, np.empty(0, dtype=np.int32), _NOTHING)
        self._columns += 1
        return self._columns - 1

    def add_row(self, coefficients: Mapping[int, float], upper: float) -> int:
        """Add a constraint and return its number."""
        size = len(coefficients)
        columns = np.fromiter(coefficients.keys(), dtype=np.int32, count=size)
        values = np.fromiter(coefficients.values(), dtype=np.float64, count=size)
        self._highs.addRow(-math.inf, upper, size, columns, values)
        self._rows += 1
        return self._rows - 1

    def add_columns(self, columns: Sequence[tuple[float, float, float]]) -> None:
        """Add variables, each with its bounds and what it counts in the objective."""
        if columns:
            lower, upper, objective = np.array(columns, dtype=np.float64).T.copy()
            empty = np.zeros(len(columns), dtype=np.int32)
            self._highs.addCols(
                len(columns), objective, lower, upper, 0, empty, empty[:0], _NOTHING
            )
            self._columns += len(columns)

    def add_rows(self, rows: Sequence[tuple[Mapping[int, float], float]]) -> None:
        """Add constraints, each with its coefficients and what it may be at most."""
        if rows:
            sizes = [len(coefficients) for coefficients, _ in rows]
            starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
            columns = np.fromiter(
                chain.from_iterable(line for line, _ in rows), dtype=np.int32, count=starts[-1]
            )
            values = np.fromiter(
                chain.from_iterable(line.values() for line, _ in rows),
                dtype=np.float64,
                count=starts[-1],
            )
            upper = np.array([limit for _, limit in rows], dtype=np.float64)
            lower = np.full(len(rows), -math.inf)
            self._highs.addRows(
                len(rows), lower, upper, int(starts[-1]), starts[:-1].copy(), columns, values
            )
            self._rows += len(rows)

    def change_column_bounds(self, column: int, lower: float, upper: float) -> None:
        """Change what a variable may be."""
        self._highs.changeColBounds(column, lower, upper)

    def change_row_bound(self, row: int, upper: float) -> None:
        """Change what a row may be at most; infinity switches it off."""
        self._highs.changeRowBounds(row, -math.inf, upper)

    def solve(self, time_limit_s: float | None = None) -> LPSolution:
        """Find the least objective, in the time given."""
        limit = math.inf if time_limit_s is None else max(0.0, time_limit_s)
        self._highs.setOptionValue("time_limit", self._highs.getRunTime() + limit)
        ending = self._run()
        if ending not in _STATUS:
            self._highs.clearSolver()  # it may fail from the last basis and not from none
            ending = self._run()
        status = _STATUS.get(ending)
        if status is None:
            raise unexpected(self._highs, ending)
        if status is Status.OPTIMAL:
            return self._optimum()
        if status is Status.INFEASIBLE:
            ray = self._multipliers(np.abs(np.asarray(self._highs.getDualRay()[-1])))
            return LPSolution(status, _NOTHING, math.inf, ray)
        return LPSolution(status, _NOTHING, math.nan, _NOTHING)

    def _run(self) -> Any:  # noqa: ANN401 (highspy has no types)
        run_at_once(self._highs)  # milliseconds, so Ctrl-C can wait
        return self._highs.getModelStatus()

    def _optimum(self) -> LPSolution:
        solution = self._highs.getSolution()
        values = np.asarray(solution.col_value, dtype=np.float64)
        objective = float(self._highs.getInfo().objective_function_value)
        if not (np.all(np.isfinite(values)) and math.isfinite(objective)):
            raise SolverError("HiGHS gives a solution that is no number")
        # Raising the upper end of a row can only lower the least objective.
        duals = np.maximum(0.0, -np.asarray(solution.row_dual))
        return LPSolution(Status.OPTIMAL, values, objective, self._multipliers(duals))

    def _multipliers(self, found: Vector) -> Vector:
        """One for each row; what is not a number counts as 0, which proves nothing."""
        if len(found) != self._rows:
            return np.zeros(self._rows)
        finite: Vector = np.nan_to_num(found, nan=0.0, posinf=0.0, neginf=0.0)
        return finite

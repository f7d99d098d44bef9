"""A linear program that is solved again and again while it grows, as any solver must offer it.

The objective is minimised. Rows read ``sum(coefficient * column) <= upper``; a row whose upper
end is infinite is switched off. Each `solve` starts from where the last one ended (warm start).
Columns and rows are numbered from 0, as in `model`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from plancost.solver.model import Status

Vector = npt.NDArray[np.float64]


@dataclass(frozen=True)
class LPSolution:
    """How solving ended: an optimum with its duals, a proof that there is no point, or neither.

    There is one multiplier for each row, and none is negative. Of an OPTIMAL program they are the
    duals; of an INFEASIBLE one the Farkas multipliers: the rows, added up that many times each,
    contradict the bounds of the columns. They are in floating point and may be wrong, so whoever
    builds a proof on them checks it. A STOPPED program has no values and no multipliers.
    """

    status: Status
    values: Vector
    objective: float
    multipliers: Vector


class WarmStartedLP(Protocol):
    """What is asked of a solver. Where it fails, it raises a `SolverError`."""

    def add_column(
        self, lower: float = 0.0, upper: float = math.inf, *, objective: float = 0.0
    ) -> int:
        """Add a variable and return its number."""

    def add_row(self, coefficients: Mapping[int, float], upper: float) -> int:
        """Add a constraint and return its number."""

    def add_columns(self, columns: Sequence[tuple[float, float, float]]) -> None:
        """Add variables, each with its bounds and what it counts in the objective."""

    def add_rows(self, rows: Sequence[tuple[Mapping[int, float], float]]) -> None:
        """Add constraints, each with its coefficients and what it may be at most."""

    def change_column_bounds(self, column: int, lower: float, upper: float) -> None:
        """Change what a variable may be."""

    def change_row_bound(self, row: int, upper: float) -> None:
        """Change what a row may be at most; infinity switches it off."""

    def solve(self, time_limit_s: float | None = None) -> LPSolution:
        """Find the least objective, in the time given."""

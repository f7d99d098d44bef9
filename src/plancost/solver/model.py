"""A mixed-integer linear program as plain data, and what solving it can end in.

Rows read ``lower <= sum(coefficient * column) <= upper``. The objective is always
minimised. Nothing here knows a particular solver.
"""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass, field


@dataclass
class Model:
    """A program under construction. Columns and rows are numbered from 0."""

    lower: list[float] = field(default_factory=list)
    upper: list[float] = field(default_factory=list)
    objective: list[float] = field(default_factory=list)
    integer: list[bool] = field(default_factory=list)
    rows: list[tuple[dict[int, float], float, float]] = field(default_factory=list)

    def add_column(
        self,
        lower: float = 0.0,
        upper: float = math.inf,
        *,
        objective: float = 0.0,
        integer: bool = False,
    ) -> int:
        """Add a variable and return its number."""
        self.lower.append(lower)
        self.upper.append(upper)
        self.objective.append(objective)
        self.integer.append(integer)
        return len(self.lower) - 1

    def add_row(
        self, coefficients: dict[int, float], lower: float = -math.inf, upper: float = math.inf
    ) -> int:
        """Add a constraint and return its number."""
        self.rows.append((coefficients, lower, upper))
        return len(self.rows) - 1


class Status(enum.Enum):
    """How solving ended."""

    OPTIMAL = "optimal"
    INFEASIBLE = "infeasible"
    STOPPED = "stopped"
    """Out of time or interrupted; there may still be a solution and a bound."""


@dataclass(frozen=True)
class Outcome:
    """The best point known (None if none is) and a lower bound on the objective."""

    status: Status
    values: tuple[float, ...] | None
    objective: float | None
    bound: float

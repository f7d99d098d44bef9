"""Costs as columns of a linear or integer program, and rows over costs as rows of it.

A cost is written ``origin + up - down`` with ``up, down >= 0``. There is one column for each
straight piece of its term of the second objective (`terms`), so the objective is the secondary
cost above that of the origin, in learning and in refinement alike, and the program starts at the
origin without any row. How far the pieces reach are the bounds of the cost.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from plancost.learning.problem.rows import Counts
from plancost.learning.problem.task import LearningTask


class Column(NamedTuple):
    """A straight piece of the term of an action's cost, upwards (sign 1) or downwards (-1)."""

    action: int
    sign: int
    slope: int
    most: float


class CostColumns:
    """The columns of some actions' costs, numbered from 0 in the order of `columns`."""

    def __init__(self, task: LearningTask, actions: Iterable[int]) -> None:
        self._origin = task.objective.origin
        self.actions = sorted(actions)
        self.columns: list[Column] = []
        self._of: dict[int, list[tuple[int, int]]] = {}
        for action in self.actions:
            own = self._of[action] = []
            term = task.terms[action]
            for sign, pieces in ((1, term.up), (-1, term.down)):
                for slope, width in pieces:
                    own.append((len(self.columns), sign))
                    most = math.inf if width is None else float(width)
                    self.columns.append(Column(action, sign, slope, most))

    def translate(
        self, coefficients: Counts, limit: int | Fraction
    ) -> tuple[dict[int, float], float]:
        """A limit on a sum of costs as one on a sum of columns: their coefficients, the limit."""
        line: dict[int, float] = {}
        for action, coefficient in coefficients:
            limit -= coefficient * self._origin[action]
            for column, sign in self._of[action]:
                line[column] = float(sign * coefficient)
        return line, float(limit)

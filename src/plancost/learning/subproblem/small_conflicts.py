"""The smallest conflict that known rows prove, or nearly so, by one linear program.

Rows that contradict each other add up to one without a negative entry and with an action left over.
Give every row a weight. The multipliers of least weight that leave an action over once are the
duals of this program: make the action cost as much as possible, if each row may be broken by its
weight. A sum of weights stands for a number of rows, so the proof is short; and where the weight
says how little the relaxation chooses of a row's plans, the relaxation breaks the conflict.
"""

from __future__ import annotations

from math import inf

import numpy as np
import numpy.typing as npt

from plancost.learning.subproblem.certificates import Certificate, certify, combine
from plancost.learning.subproblem.known_rows import KnownRows
from plancost.solver.default import new_lp
from plancost.solver.model import Status
from plancost.system.clock import Deadline

Vector = npt.NDArray[np.float64]

_TOLERANCE = 1e-7
_MOST_ROWS_AT_ONCE = 60
_MOST_IDLE_ROWS = 400
"""Rows that are left out but still there; beyond it, the program starts afresh."""
_MOST_ACTIONS = 4000
"""With more, the program takes longer than it saves."""


class SmallConflicts:
    """A linear program over known rows, each of which may be broken by its weight."""

    def __init__(self, known: KnownRows) -> None:
        self._known = known
        self._size = len(known.task.parameters)
        self._weights: Vector = np.zeros(0)
        self._start()

    @staticmethod
    def can_be_asked(known: KnownRows) -> bool:
        """Whether rows alone make conflicts, and there are not too many actions."""
        task = known.task
        is_plain = not known.given and task.ranges is None and not task.may_be_zero
        return is_plain and len(task.parameters) <= _MOST_ACTIONS

    def _start(self) -> None:
        self._program = new_lp()
        # One column for each action, and one for how often margins count.
        self._program.add_columns([(0.0, inf, 0.0)] * (self._size + 1))
        self._held: npt.NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._limits: Vector = np.zeros(0)

    def weigh(self, weights: Vector) -> None:
        """Give each known row its weight; infinity leaves it out."""
        self._weights = weights
        limits = weights[self._held]
        is_on = np.isfinite(limits)
        if len(limits) > 2 * int(is_on.sum()) + _MOST_IDLE_ROWS:
            self._start()
            return
        for place in np.flatnonzero(limits != self._limits).tolist():
            self._program.change_row_bound(place, float(limits[place]))
        self._limits = limits

    def find(self, action: int, most: float, deadline: Deadline) -> Certificate | None:
        """The lightest proof that leaves this action over, if it weighs less than this."""
        self._program.change_objective(action, -1.0)
        self._program.change_column_bounds(action, 0.0, most)
        try:
            return self._find(action, most, deadline)
        finally:
            self._program.change_objective(action, 0.0)
            self._program.change_column_bounds(action, 0.0, inf)

    def _find(self, action: int, most: float, deadline: Deadline) -> Certificate | None:
        while True:
            solution = self._program.solve(deadline.remaining())
            if solution.status is not Status.OPTIMAL:
                return None
            costs, times = solution.values[: self._size], float(solution.values[self._size])
            if not self._take_in(costs, times):
                break
        if costs[action] >= most - _TOLERANCE:
            return None
        used = np.flatnonzero(solution.multipliers > 0.0)
        rows = [self._known.pool.rows[number] for number in self._held[used].tolist()]
        return certify(rows, solution.multipliers[used].tolist(), self._known.task)

    def _take_in(self, costs: Vector, times: float) -> bool:
        """Make the rows part of the program that are broken most; False if none is."""
        excess = self._known.pool.excess_of(costs, times)[: len(self._weights)] - self._weights
        excess[self._held] = 0.0
        broken = np.flatnonzero(excess > _TOLERANCE)
        worst = broken[np.argsort(-excess[broken], kind="stable")][:_MOST_ROWS_AT_ONCE]
        lines = []
        for number in worst.tolist():
            coefficients, margin = self._known.pool.rows[number]
            line = {action: float(value) for action, value in coefficients}
            if margin:
                line[self._size] = float(margin)
            lines.append((line, float(self._weights[number])))
        self._program.add_rows(lines)
        self._held = np.concatenate([self._held, worst])
        self._limits = np.concatenate([self._limits, self._weights[worst]])
        return bool(len(worst))


def left_over(certificate: Certificate) -> list[int]:
    """The actions that a proof leaves over, the most first."""
    total, _ = combine(certificate.rows, certificate.multipliers)
    return sorted((a for a, times in total.items() if times > 0), key=lambda a: (-total[a], a))

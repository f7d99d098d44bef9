"""A large set for very many plans: costs found by descent.

Every known row should hold with a margin; costs go down the slope of what is missing, action by
action with steps of its own (Adagrad), and rows of plans that are far from optimal count less. It
proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from plancost.clock import Clock
from plancost.learn.feasibility import Feasibility, Whole
from plancost.learn.rows import Row, Vector

MANY = 1500
"""With fewer plans insertion alone is as good."""
_IDLE = 8
"""Rounds that bring plans no nearer to optimal before the best costs are taken."""
_ORIGIN = 10.0
"""Where all costs begin, with room below."""
_RATE = 0.3
_LESS, _LEAST_S = 0.98, 0.2
_MARGIN = 0.5
"""By how much each row is to hold, so that whole costs near them do as well."""
_SCALE = 1000
"""Costs are rounded to such parts."""


def costs_by_descent(
    feasibility: Feasibility, plans: Sequence[int], clock: Clock, say: Callable[[str], None]
) -> Whole:
    """Costs that make many of the plans optimal."""
    return np.rint(_SCALE * _Descent(feasibility, plans, say).best(clock)).astype(np.int64)


class _Descent:
    """The best costs so far, and the rows that were found."""

    def __init__(
        self, feasibility: Feasibility, plans: Sequence[int], say: Callable[[str], None]
    ) -> None:
        self.feasibility, self.plans, self.say = feasibility, list(plans), say
        task = feasibility.task
        self._weights = np.zeros(len(task.plans))
        self._weights[self.plans] = task.weights[self.plans]
        self._closed = ~task.open_actions(plans)
        self._origin = np.full(task.action_count, _ORIGIN)

    def best(self, clock: Clock) -> Vector:
        """Separate, then many small steps over all rows known; again, while that helps. The costs
        with the fewest broken plans.
        """
        costs = found = self._origin
        steps = np.zeros(len(costs))
        most, least, idle = -1, np.inf, 0
        while not clock.is_over and idle < _IDLE:
            began = clock.seconds
            excess = self._excess(costs)
            weight = int(self._weights[excess == 0].sum())
            if weight > most:
                found, most = costs, weight
                self.say(f"first set {weight}")
            idle = 0 if excess.sum() < _LESS * least else idle + 1
            least = min(least, float(excess.sum()))
            # As long as the search took, small steps cost nothing.
            walk = clock.part(max(_LEAST_S, clock.seconds - began))
            costs = self._walk(costs, steps, self._prices(excess), walk)
        return found

    def _excess(self, costs: Vector) -> Vector:
        """By how much each plan costs too much; the rows that are broken become known."""
        open_costs = np.where(self._closed, np.inf, costs)
        found = self.feasibility.separation.separate(open_costs, self.plans)
        self.feasibility.pool.add(cut for cuts in found.values() for cut in cuts)
        excess = np.zeros(len(self._weights))
        for plan, cuts in found.items():
            excess[plan] = max(_broken(cut.row, costs) for cut in cuts)
        return excess

    def _prices(self, excess: Vector) -> Vector:
        """Of each row how many observations demand it, less if all are far from optimal."""
        plans = self.feasibility.pool.plans
        demands = np.array([self._weights[list(own)].sum() for own in plans])
        far = np.array([excess[list(own)].min(initial=_ORIGIN) for own in plans])
        return demands / (1 + far / _ORIGIN)

    def _walk(self, costs: Vector, steps: Vector, price: Vector, clock: Clock) -> Vector:
        """Down the slope of what rows miss; `steps` adds up the squares of all slopes."""
        matrix, margins = self.feasibility.pool.matrix()
        while not clock.is_over:
            missing = matrix @ costs + margins + _MARGIN
            slope = matrix.T @ (price * (missing > 0))
            steps += slope**2
            costs = np.maximum(1.0, costs - _RATE * slope / np.sqrt(steps + 1e-9))
        return costs


def _broken(row: Row, costs: Vector) -> float:
    return float(sum(times * costs[p] for p, times in row.coefficients) + row.margin)

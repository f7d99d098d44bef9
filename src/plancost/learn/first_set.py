"""A large set for very many plans, by linear programs over all of them at once.

Every plan pays for what it costs too much: least ``|costs - origin| + sum of price * excess`` over
the rows known, then rows that these costs break, again. Every few programs plans that are nearly
optimal pay more than others. Where that comes to rest, prices are shaken, and those of the best set
raised (3,910 instead of 3,721 of 10,000 trips). Where about half of the plans can be optimal,
insertion alone does not end its first pass over 7,350 different trips in 90 s. It proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import chain

import highspy
import numpy as np

from plancost.clock import Clock, OutOfTimeError
from plancost.learn.feasibility import Feasibility
from plancost.learn.rows import Row, RowPool, Vector
from plancost.learn.solvers import quiet_highs, run, run_at_once, solution

MANY = 1500
"""With fewer plans insertion alone is as good."""
_HALF = 0.5
"""Of a plan with this excess the price is halved."""
_ROUNDS = 4
"""Programs between two changes of the prices."""
_IDLE = 8
"""Programs without a better set before prices are shaken."""
_MOST_SHAKES = 6
_STAY, _NOISE = 3.0, 1.0
_PRICE = 10.0
"""Of excess in the end, where a unit away from the origin costs 1. At 1, on 10,000 links, costs
stay too near the origin: 9,009 of 10,000 trips, not 9,764. The first programs are quicker at 1:
9,478 trips after 104 s instead of 8,838 after 110 s."""
_ORIGIN = 10.0
"""Where all costs begin, with room below."""
LARGE = 2000
"""With more actions interior points are quicker than the simplex method from the last basis: on
10,000 links 6 s a program instead of 22 s. No corner is needed: without crossover 9,009 of 10,000
trips in 90 s, with it 8,585. And likely costs do not pay as a beginning: 8,818 after 170 s more."""


def elastic_costs(
    feasibility: Feasibility,
    plans: Sequence[int],
    near: Vector | None,
    clock: Clock,
    say: Callable[[str], None],
) -> tuple[Vector, list[int]]:
    """Costs that make many of the plans optimal, up to rounding, and these plans.

    They begin `near` whole costs, or where all are the same.
    """
    task, pool = feasibility.task, feasibility.pool
    weights = np.zeros(len(task.plans))
    weights[list(plans)] = task.weights[list(plans)]
    closed = ~task.open_actions(plans)
    costs = best = np.full(task.action_count, _ORIGIN) if near is None else near
    program = _Elastic(pool, costs)
    found: list[int] = []
    random = np.random.default_rng(0)
    best_excess = weights
    prices, most, idle, number, shakes = weights, -1, 0, 0, 0
    with suppress(OutOfTimeError):
        while shakes <= _MOST_SHAKES:
            clock.check()
            broken = feasibility.separation.separate(np.where(closed, np.inf, costs), plans)
            is_new = pool.add(chain(*broken.values()))
            weight = int(weights.sum() - weights[list(broken)].sum())
            excess = np.zeros(len(weights))
            for plan, cuts in broken.items():
                excess[plan] = max(_excess(cut.row, costs) for cut in cuts)
            idle += 1
            if weight > most:
                best, best_excess, most, idle = costs, excess, weight, 0
                found = [plan for plan in plans if plan not in broken]
                say(f"first set {weight}")
            if number % _ROUNDS == 0 or not is_new:
                if idle > _IDLE:
                    idle, shakes = 0, shakes + 1
                    stay = np.where(best_excess == 0, _STAY, 1.0)
                    noise = np.exp(_NOISE * random.standard_normal(len(weights)))
                    prices = weights * stay * noise * _HALF / (_HALF + best_excess)
                elif number:
                    prices = weights * _HALF / (_HALF + excess)
            price = min(_PRICE, _PRICE ** (number / (2 * _ROUNDS)))
            costs = np.maximum(1.0, program.solve(price * prices, clock))
            number += 1
    return best, found


def _excess(row: Row, costs: Vector) -> float:
    return float(sum(times * costs[p] for p, times in row.coefficients) + row.margin)


class _Elastic:
    """The dual of the program: a column for each row of the pool, bounded by its price."""

    def __init__(self, pool: RowPool, origin: Vector) -> None:
        self._pool, self._origin = pool, origin
        self._known = 0
        """How many rows of the pool have a column."""
        interior = {"threads": 1, "presolve": "on", "solver": "ipm", "run_crossover": "off"}
        self._highs = quiet_highs(**(interior if len(origin) > LARGE else {}))
        count = len(origin)
        none, every = np.zeros(0, dtype=np.int32), np.arange(count, dtype=np.int32)
        self._highs.addRows(count, -np.ones(count), np.ones(count), 0, none, none, np.zeros(0))
        # Costs stay at least 1: one multiplier an action.
        infinite = np.full(count, highspy.kHighsInf)
        least = np.zeros(count)
        self._highs.addCols(
            count, origin - 1, least, infinite, count, every, every, -np.ones(count)
        )

    def solve(self, prices: Vector, clock: Clock) -> Vector:
        """Costs for the price of each plan's excess."""
        self._take_in()
        first, count = len(self._origin), self._known
        upper = np.array([prices[list(own)].sum() for own in self._pool.plans])
        columns = np.arange(first, first + count, dtype=np.int32)
        self._highs.changeColsBounds(count, columns, np.zeros(count), upper)
        if len(self._origin) <= LARGE:
            run(self._highs, clock)
        elif run_at_once(self._highs, clock.remaining) == highspy.HighsModelStatus.kTimeLimit:
            raise OutOfTimeError
        return np.asarray(self._origin + solution(self._highs, first + count)[1])

    def _take_in(self) -> None:
        """Columns for what the pool has learned."""
        matrix, margins = self._pool.matrix()
        rows = matrix[self._known :]
        count, self._known = rows.shape[0], matrix.shape[0]
        if count:
            price = -np.asarray(rows @ self._origin) - margins[-count:]
            none = np.zeros(count)
            parts = rows.indptr[:-1].astype(np.int32), rows.indices.astype(np.int32), rows.data
            self._highs.addCols(count, price, none, none, rows.nnz, *parts)

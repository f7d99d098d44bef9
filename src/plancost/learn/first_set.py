"""A large set for very many plans: linear programs over thousands of plans at once, reweighted.

Every plan pays for what it costs too much. In the next program a plan that is far from optimal pays less,
one that is nearly optimal more, so costs come out that make most plans exactly optimal. Rows may be broken
at a price: least ``|costs - origin| + sum of price * excess``. It is solved as its dual (one column a row of
the pool, the price as its bound, one row an action), so that new rows and prices keep the basis. Insertion
alone does not end a first pass over the 7,350 different trips of Shanghai in 90 s; this finds 5,364 of the
10,000 in 12. It proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import highspy
import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from plancost.clock import Clock
from plancost.errors import SolverError
from plancost.learn.cost_lp import quiet_highs
from plancost.learn.feasibility import Feasibility
from plancost.learn.incumbent import Incumbent
from plancost.learn.rows import Cut, Row, Vector

MANY = 1500
"""With fewer plans insertion alone is as good and proves more."""
_HALF = 0.5
"""Of a plan with this excess the price is halved."""
_ROUNDS = 4
"""Programs between two changes of the prices."""
_IDLE = 8
"""Programs without a better set before prices are shaken."""
_MOST_SHAKES = 6
_STAY, _NOISE = 3.0, 1.0
_ORIGIN = 3.0
"""Where all costs begin: whole, and with room below."""
_SCALES = (1, 2, 3, 4, 6, 12, 24, 120, 2520)
_FORBIDDEN = 1e6


def large_first_set(
    feasibility: Feasibility, plans: Sequence[int], clock: Clock, incumbent: Incumbent
) -> list[int]:
    """Plans that some costs make optimal together; they are the incumbent if they are more."""
    task, separation = feasibility.task, feasibility.separation
    weights = np.zeros(len(task.plans))
    weights[list(plans)] = task.weights[list(plans)]
    random = np.random.default_rng(0)
    lp = _ElasticLP(len(task.plans), np.full(task.action_count, _ORIGIN))
    closed = ~task.open_actions(plans)
    prices, costs = weights, np.full(task.action_count, _ORIGIN)
    best, best_costs, best_excess, idle, number, shakes = -1, costs, weights, 0, 0, 0
    while not clock.is_over and shakes <= _MOST_SHAKES:
        found = separation.separate(np.where(closed, np.inf, costs), plans)
        excess = np.zeros(len(weights))
        for plan, cuts in found.items():
            excess[plan] = max(_excess(cut.row, costs) for cut in cuts)
        value = int(weights.sum() - weights[list(found)].sum())
        idle += 1
        if value > best:
            best, best_costs, best_excess, idle = value, costs, excess, 0
            incumbent.say(f"first set {value}")
        is_new = lp.add(cut for cuts in found.values() for cut in cuts)
        if idle > _IDLE and (number % _ROUNDS == 0 or not is_new):
            idle, shakes = 0, shakes + 1
            noise = np.exp(_NOISE * random.standard_normal(len(weights)))
            stay = np.where(best_excess == 0, _STAY, 1.0)
            prices = weights * stay * _HALF / (_HALF + best_excess) * noise
        elif number and (number % _ROUNDS == 0 or not is_new):
            prices = weights * _HALF / (_HALF + excess)
        costs = np.maximum(1.0, lp.solve(prices))
        number += 1
    return _whole(feasibility, plans, best_costs, incumbent)


def _whole(
    feasibility: Feasibility, plans: Sequence[int], costs: Vector, incumbent: Incumbent
) -> list[int]:
    """Whole costs near a multiple of these, and the plans that they make optimal in exact arithmetic."""
    task = feasibility.task
    best: tuple[int, list[int], npt.NDArray[np.int64]] = -1, [], np.ones(0, dtype=np.int64)
    previous = -1
    for scale in _SCALES:
        whole = np.maximum(1, np.rint(scale * costs)).astype(np.int64)
        optimal = feasibility.separation.optimal(whole, plans)
        weight = task.weight(optimal)
        if weight > best[0]:
            best = weight, optimal, whole
        if weight == previous == best[0]:
            break
        previous = weight
    weight, optimal, whole = best
    if weight > incumbent.weight:
        used = task.used(plans)
        dearest = max(sum(int(whole[a]) for a in task.plans[n].actions) for n in optimal)
        incumbent.take(optimal, task.parameters.raised(whole, used, dearest + 1))
    return optimal


def _excess(row: Row, costs: Vector) -> float:
    return float(sum(times * costs[p] for p, times in row.coefficients) + row.margin)


class _ElasticLP:
    """Rows by number, which plans demand them, and the dual program."""

    def __init__(self, plan_count: int, origin: Vector) -> None:
        self._origin, self._plan_count = origin, plan_count
        self._number: dict[Row, int] = {}
        self._pairs: set[tuple[int, int]] = set()
        self._row_of: list[int] = []
        self._plan_of: list[int] = []
        self._highs = quiet_highs()
        count, empty = len(origin), np.zeros(0, dtype=np.int32)
        for _ in range(count):
            self._highs.addRow(-1.0, 1.0, 0, empty, np.zeros(0))
        # Costs stay at least 1: one multiplier an action.
        every = np.arange(count, dtype=np.int32)
        infinite = np.full(count, highspy.kHighsInf)
        self._highs.addCols(
            count, origin - 1, np.zeros(count), infinite, count, every, every, -np.ones(count)
        )

    def add(self, cuts: Iterable[Cut]) -> int:
        """How many rows are new."""
        prices: list[float] = []
        starts: list[int] = []
        columns: list[int] = []
        entries: list[float] = []
        for cut in cuts:
            known = len(self._number)
            number = self._number.setdefault(cut.row, known)
            for plan in cut.plans:
                if (number, plan) not in self._pairs:
                    self._pairs.add((number, plan))
                    self._row_of.append(number)
                    self._plan_of.append(plan)
            if number == known:
                starts.append(len(columns))
                columns += [p for p, _ in cut.row.coefficients]
                entries += [float(times) for _, times in cut.row.coefficients]
                at_origin = sum(times * self._origin[p] for p, times in cut.row.coefficients)
                prices.append(-float(at_origin) - cut.row.margin)
        count = len(prices)
        if count:
            self._highs.addCols(
                count, np.array(prices), np.zeros(count), np.zeros(count), len(columns),
                np.array(starts, dtype=np.int32), np.array(columns, dtype=np.int32), np.array(entries),
            )  # fmt: skip
        return count

    def solve(self, prices: Vector) -> Vector:
        """Costs for the price of each plan's rows (0: its rows do not count)."""
        count, rows = len(self._origin), len(self._number)
        ones = np.ones(len(self._row_of))
        demands = csr_array((ones, (self._row_of, self._plan_of)), shape=(rows, self._plan_count))
        upper = np.minimum(demands @ prices, _FORBIDDEN)
        columns = np.arange(count, count + rows, dtype=np.int32)
        self._highs.changeColsBounds(rows, columns, np.zeros(rows), upper)
        self._highs.run()
        if self._highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            raise SolverError(f"HiGHS ended with {self._highs.getModelStatus()}")
        return self._origin + np.asarray(self._highs.getSolution().row_dual)

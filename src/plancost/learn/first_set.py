"""A large set for very many plans: costs found by descent, then linear programs near them,
reweighted.

Descent: every known row should hold with a margin; costs go down the slope of what is missing,
action by action with steps of its own (Adagrad), and every few rounds of separation rows of plans
that are far from optimal count less. Programs: every plan pays for what it costs too much, least
``|costs - origin| + sum of price * excess``, solved as its dual, with prices reweighted likewise.
Insertion alone does not end a first pass over the 7,350 different trips of Shanghai in 90 s. It
proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm

import highspy
import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from plancost.clock import Clock
from plancost.learn.cost_lp import quiet_highs, run
from plancost.learn.feasibility import Feasibility, optimal_under
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
_ORIGIN = 10.0
"""Where all costs begin, with room below."""
_FOR_DESCENT = 0.3
_RATE = 0.3
_LESS, _LEAST_S = 0.98, 0.2
_MARGIN = 0.5
"""By how much each row is to hold, so that whole costs near them do as well."""
_FINENESS = 1.0
_LARGE = 2000
"""With more actions interior points are quicker than the simplex method from the last basis: on
10,000 links 6 s a program instead of 22 s."""
_DENOMINATORS = (1, 10, 24)
"""Corners of the programs are fractions; with these denominators at most costs stay below 2^40."""
_FORBIDDEN = 1e6


def large_first_set(
    feasibility: Feasibility, plans: Sequence[int], clock: Clock, incumbent: Incumbent
) -> list[int]:
    """Plans that some costs make optimal together; they are the incumbent if they are more."""
    search = _FirstSet(feasibility, plans, incumbent)
    search.descend(clock.part(clock.remaining * _FOR_DESCENT))
    search.keep_whole()
    search.polish(clock)
    return search.keep_whole()


class _FirstSet:
    """The best costs so far, and the rows that were found."""

    def __init__(
        self, feasibility: Feasibility, plans: Sequence[int], incumbent: Incumbent
    ) -> None:
        self.feasibility, self.plans, self.incumbent = feasibility, list(plans), incumbent
        self.task = feasibility.task
        self.weights = np.zeros(len(self.task.plans))
        self.weights[self.plans] = self.task.weights[self.plans]
        self.closed = ~self.task.open_actions(plans)
        self.best, self.best_weight = np.full(self.task.action_count, _ORIGIN), -1
        self.near = self.best
        """Where descent has come to: few plans are far from optimal there."""
        self.best_excess = self.weights

    def descend(self, clock: Clock) -> None:
        """Separate, then many small steps over all rows known; again, while that helps."""
        costs = self.best
        steps = np.zeros(len(costs))
        least, idle = np.inf, 0
        while not clock.is_over and idle < _IDLE:
            began = clock.seconds
            excess, _ = self._separated(costs)
            idle = 0 if excess.sum() < _LESS * least else idle + 1
            least = min(least, float(excess.sum()))
            self.near = costs
            # As long as the search took, small steps cost nothing.
            walk = clock.part(max(_LEAST_S, clock.seconds - began))
            costs = self._walk(costs, steps, self._prices(excess), walk)

    def _prices(self, excess: Vector) -> Vector:
        """Of each row how many observations demand it, less if all are far from optimal."""
        plans = self.feasibility.pool.plans
        demands = np.array([self.weights[list(own)].sum() for own in plans])
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

    def polish(self, clock: Clock) -> None:
        """Linear programs near the best costs, which make nearly optimal plans optimal."""
        origin = np.maximum(1.0, np.rint(_FINENESS * self.near))
        lp = _ElasticLP(len(self.weights), origin)
        random = np.random.default_rng(0)
        prices, costs, idle, number, shakes = self.weights, origin, 0, 0, 0
        self.best_weight = -1
        while not clock.is_over and shakes <= _MOST_SHAKES:
            before = self.best_weight
            excess, found = self._separated(costs)
            idle = 0 if self.best_weight > before else idle + 1
            is_new = lp.add(found)
            if idle > _IDLE and (number % _ROUNDS == 0 or not is_new):
                idle, shakes = 0, shakes + 1
                noise = np.exp(_NOISE * random.standard_normal(len(self.weights)))
                stay = np.where(self.best_excess == 0, _STAY, 1.0)
                prices = self.weights * stay * _HALF / (_HALF + self.best_excess) * noise
            elif number and (number % _ROUNDS == 0 or not is_new):
                prices = self.weights * _HALF / (_HALF + excess)
            solved = lp.solve(prices, clock)
            if solved is None:
                return
            costs = np.maximum(1.0, solved)
            number += 1

    def keep_whole(self) -> list[int]:
        """The best costs made whole, and the plans that they make optimal in exact arithmetic."""
        task = self.task
        best: tuple[int, list[int], npt.NDArray[np.int64]] = -1, [], np.ones(0, dtype=np.int64)
        for denominator in _DENOMINATORS:
            whole = _whole(self.best, denominator)
            optimal = optimal_under(self.feasibility.separation, whole, self.plans)
            if task.weight(optimal) > best[0]:
                best = task.weight(optimal), optimal, whole
            if best[0] >= self.best_weight:
                break
        weight, optimal, whole = best
        if weight > self.incumbent.weight:
            dearest = max(sum(int(whole[a]) for a in task.plans[n].actions) for n in optimal)
            raised = task.parameters.raised(whole, task.used(self.plans), dearest + 1)
            self.incumbent.take(optimal, raised)
        return optimal

    def _separated(self, costs: Vector) -> tuple[Vector, list[Cut]]:
        """By how much each plan costs too much, and the rows that are broken; the best costs are
        kept.
        """
        open_costs = np.where(self.closed, np.inf, costs)
        found = self.feasibility.separation.separate(open_costs, self.plans)
        excess = np.zeros(len(self.weights))
        for plan, cuts in found.items():
            excess[plan] = max(_excess(cut.row, costs) for cut in cuts)
        weight = int(self.weights.sum() - self.weights[list(found)].sum())
        if weight > self.best_weight:
            self.best, self.best_weight, self.best_excess = costs, weight, excess
            self.incumbent.say(f"first set {weight}")
        cuts = [cut for own in found.values() for cut in own]
        self.feasibility.pool.add(cuts)
        return excess, cuts


def _whole(costs: Vector, denominator: int) -> npt.NDArray[np.int64]:
    """The nearest fractions with at most this denominator, times what makes all of them whole."""
    scale = lcm(*range(1, denominator + 1))
    values, place = np.unique(costs, return_inverse=True)
    fractions = [Fraction(value).limit_denominator(denominator) for value in values.tolist()]
    return np.array([max(1, int(f * scale)) for f in fractions], dtype=np.int64)[place]


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
        if len(origin) > _LARGE:
            self._highs.setOptionValue("solver", "ipm")
            self._highs.setOptionValue("presolve", "on")
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
                np.array(starts, dtype=np.int32), np.array(columns, dtype=np.int32),
                np.array(entries),
            )  # fmt: skip
        return count

    def solve(self, prices: Vector, clock: Clock) -> Vector | None:
        """Costs for the price of each plan's rows (0: its rows do not count); None: not in time."""
        count, rows = len(self._origin), len(self._number)
        ones = np.ones(len(self._row_of))
        demands = csr_array((ones, (self._row_of, self._plan_of)), shape=(rows, self._plan_count))
        upper = np.minimum(np.asarray(demands @ prices), _FORBIDDEN)
        columns = np.arange(count, count + rows, dtype=np.int32)
        self._highs.changeColsBounds(rows, columns, np.zeros(rows), upper)
        if run(self._highs, clock) != highspy.HighsModelStatus.kOptimal:
            return None
        found: Vector = self._origin + np.asarray(self._highs.getSolution().row_dual)
        return found

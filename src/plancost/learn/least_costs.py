"""The second objective: least sum of costs, or least distance from known costs, over all actions.

For one set: the linear program over rows found lazily, then whole numbers; where a corner is not
whole, an integer program over the same rows takes its place.

Over all sets of as many plans: what a set costs at least rests on few rows. All sets that demand
those rows cost as much, so they are excluded together (a Benders conflict) as soon as that is no
better than the incumbent. When the master has no set left, the incumbent is proven.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
import numpy.typing as npt

from plancost.clock import Clock, OutOfTimeError
from plancost.errors import SolverError
from plancost.learn.certificate import least_second
from plancost.learn.conflict import Conflict
from plancost.learn.cost_lp import CostLP, least_whole
from plancost.learn.feasibility import LARGEST, Separation
from plancost.learn.incumbent import Incumbent
from plancost.learn.knowledge import Knowledge
from plancost.learn.master import heaviest_set
from plancost.learn.most_plans import MostPlans
from plancost.learn.rows import PlanSet, RowPool, Vector, Whole
from plancost.learn.task import LearningTask

_SLOW_S = 5.0
"""If integer programs over all costs take longer, other sets are looked at first (on real trips
they save 16 of 10,380, and other sets hundreds).
"""
_ENTRIES_A_SECOND = 2e6
"""Rows times parameters: so long HiGHS hears no limit in an integer program over all costs (12 s
for 4,032 rows and 7,280 links)."""


@dataclass(frozen=True)
class Least:
    """Whole values for a set (None: not found in time), and a bound on the second objective.

    Every set with a plan of each class is subject to the bound.
    """

    values: Whole | None
    value: int
    bound: int
    classes: tuple[PlanSet, ...]

    @property
    def is_least(self) -> bool:
        """Whether no values are better for this set."""
        return self.values is not None and self.value <= self.bound

    def given_to(self, incumbent: Incumbent, plans: Sequence[int]) -> bool:
        """Offer the values as better ones for as many plans; whether they were taken."""
        if self.values is None:
            return False
        return incumbent.take_second(plans, self.values, least=self.is_least)


class LeastCosts:
    """Answers for one set at a time; keeps all rows."""

    def __init__(
        self,
        task: LearningTask,
        separation: Separation,
        clock: Clock,
        knowledge: Knowledge,
    ) -> None:
        self.task, self.separation, self.clock = task, separation, clock
        self.knowledge = knowledge
        self.parameters = task.parameters
        self.pool = RowPool(len(task.plans), self.parameters.count, self.parameters.always)
        self._lp = CostLP(self.parameters, self.pool, priced=True)
        self._seconds = 0.0
        """What the last integer program over all costs took."""

    def of(self, plans: Sequence[int]) -> Least:
        """The least for these plans, which can be optimal together."""
        least, corner = self.bounded(plans)
        rounded = np.maximum(self.parameters.least, np.rint(corner)).astype(np.int64)
        rounded = self.parameters.completed(rounded)
        if self._fits(rounded, plans):
            least = self._better(least, rounded)
        least = self.finished(least, plans, corner)
        return least if self._seconds > _SLOW_S else self.finished(least, plans)

    def finished(self, least: Least, plans: Sequence[int], corner: Vector | None = None) -> Least:
        """By integer programs over the rows known, until their answer breaks no others, if there is
        time for them: over all costs, or those that a corner moves.
        """
        enough = least.bound
        while not least.is_least and self.clock.remaining > 2 * self._seconds:
            demanded = self.pool.demanded(plans)
            deaf = np.count_nonzero(demanded) * self.parameters.count / _ENTRIES_A_SECOND
            if corner is None and self.clock.remaining < deaf:
                break
            seconds = self.clock.remaining * (1.0 if corner is None else 0.25)
            began = time.monotonic()
            values, bound = least_whole(
                self.parameters, self.pool, demanded, seconds, enough, corner
            )
            if corner is None:
                self._seconds = time.monotonic() - began
            if corner is None and least.bound < bound - 1e-6 < np.inf:
                classes = self._classes(np.flatnonzero(demanded))
                least = replace(least, bound=int(np.ceil(bound - 1e-6)), classes=classes)
            if values is None:
                break
            if self._fits(values, plans):
                return self._better(least, values)
            if np.count_nonzero(self.pool.demanded(plans)) == np.count_nonzero(demanded):
                break  # by rounding errors: the same answer would come again
        return least

    def bounded(self, plans: Sequence[int]) -> tuple[Least, Vector]:
        """A bound for plans that can be optimal together, and the corner of the program."""
        while True:
            self.clock.check()
            solved = self._lp.solve(self.pool.demanded(plans), self.clock)
            if solved.values is None:
                raise SolverError("HiGHS finds no costs for plans that can be optimal together")
            broken = self.separation.separate(self.parameters.costs(solved.values), plans)
            if not self.pool.add(chain(*broken.values())):
                break
        rows = [self.pool.rows[n] for n in solved.rows.tolist()]
        target = int(np.ceil(solved.objective + self.parameters.second_floor - 1e-6))
        priced = least_second(self.parameters, rows, solved.multipliers.tolist(), target)
        least = Least(None, 0, priced.bound, self._classes(solved.rows))
        self.knowledge.add_price(least.classes, priced, self.pool)
        return least, solved.values

    def _better(self, least: Least, values: Whole) -> Least:
        """With these values, unless those known are no worse."""
        value = self.parameters.second(values)
        is_better = least.values is None or value < least.value
        return replace(least, values=values, value=value) if is_better else least

    def _fits(self, values: Whole, plans: Sequence[int]) -> bool:
        """Whether whole values keep to all rows that always hold, and make the plans optimal."""
        costs = self.parameters.costs(values).astype(np.int64)
        if not self.parameters.allows(values) or int(costs.max(initial=0)) > LARGEST:
            return False
        broken = self.separation.separate(costs, plans)
        self.pool.add(chain(*broken.values()))
        return not broken

    def _classes(self, rows: npt.NDArray[np.int64]) -> tuple[PlanSet, ...]:
        own = {frozenset(self.pool.plans[n]) for n in rows.tolist() if n >= self.pool.always}
        # A plan of a smaller class does for a larger one that contains it.
        minimal = [c for c in own if not any(other < c for other in own)]
        return tuple(sorted(minimal, key=sorted))


def over_all_sets(search: MostPlans, least_costs: LeastCosts, least: Least, clock: Clock) -> None:
    """Improve the incumbent's second objective until no set of its weight can be better.

    `least` is of its set. The search knows Benders conflicts ever after. Sets that a conflict
    excludes cost at least its bound: where all sets are excluded, the least of these bounds holds
    for all.
    """
    incumbent, best = search.incumbent, least
    bounds = [least.bound]
    incumbent.second_bound = least_costs.bounded(search.needed())[0].bound
    while not incumbent.second_objective.proved:
        plans = None
        if least.classes:  # else no set is better
            search.cuts.learn(Conflict(least.classes, None))
            plans = _next_set(search, clock)
        if plans is None:
            incumbent.second_bound = max(incumbent.second_bound, min(bounds))
            break
        least = least_costs.of(plans)
        bounds.append(least.bound)
        if least.given_to(incumbent, plans):
            best = least
    least_costs.finished(best, incumbent.plans).given_to(incumbent, incumbent.plans)


def _next_set(search: MostPlans, clock: Clock) -> list[int] | None:
    """A set of the incumbent's weight that can be had, and has most plans of the incumbent; None if
    conflicts leave none.
    """
    incumbent, count = search.incumbent, len(search.task.plans) + 1
    worth = search.task.weights * 2 * count
    worth[incumbent.plans] += 1
    # Lighter sets are worth less than this by half of `count`, which rounding errors do not reach.
    least = 2 * count * incumbent.weight - count // 2
    while True:
        clock.check()
        proposal = heaviest_set(worth, search.cuts, clock)
        if proposal.bound < least:
            return None
        if not proposal.is_enough:
            raise OutOfTimeError
        decided = search.feasibility.decide(proposal.plans)
        if not isinstance(decided, Conflict):
            return proposal.plans
        search.learn(decided)

"""A local search around a set of plans: force a plan in, and others out.

A plan that is outside the set is forced in. Those that known conflicts name have to leave. If the
plan still does not fit, that is a conflict nobody knew, and so the next one has to leave. When it
fits, all plans that there is room for then are inserted. The result takes the place of the set if
it weighs no less, and now and then if it weighs less; after a while without a better set the search
begins again at the best one. Plans that have just been moved are left alone for a while.

Plans that the relaxation chooses in part are forced in, and those leave that it chooses least of.
So the new conflicts are such that the relaxation breaks them, and each makes its bound lower.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from plancost.learning.exact.insertion import Inserter, Pass
from plancost.learning.master.cliques import Values
from plancost.learning.problem.task import PlanSet
from plancost.system.clock import Deadline

_NOISE = 0.3
_PICKED_FROM = 4
"""Of so many plans that the relaxation likes, the one with the cheapest blockers is forced in;
every other time, just the one that it likes best."""
_TENURE = (10, 30)
"""For how many moves a plan is left alone."""
_WORSE = 0.05
"""How often a set that weighs less is taken."""
_RESTART_AFTER = 60
"""Moves without a better set."""
_PRICE_OF_NEW = 8.0
"""How much more it costs to remove a plan that has just been forced in."""


@dataclass(frozen=True)
class Guide:
    """What a local search goes by: how much the relaxation chooses of each plan, and a seed."""

    values: Values
    plans: Sequence[int]
    """Those that can be optimal at all."""
    questions: int
    """How many plans may be tried beside others."""
    seed: int


class LocalSearch:
    """Moves from set to set.

    Where it takes many searches to look at all plans of a set, each plan is looked at when it is
    forced in or inserted, and all of them before a set counts as better.
    """

    def __init__(self, inserter: Inserter, guide: Guide, deadline: Deadline) -> None:
        self._inserter = inserter
        self._index = inserter.index
        self._guide = guide
        self._deadline = deadline
        self._random = random.Random(guide.seed)
        self._weights = [candidate.weight for candidate in inserter.subproblem.task.candidates]
        self._free_at = dict.fromkeys(guide.plans, 0)
        self._move = 0
        self._asked = 0
        self.found = Pass()

    def improve(self, start: PlanSet, better_than: int) -> Pass:
        """Search from a set that can be had; costs are wanted for one that weighs more."""
        best = start
        self._index.assign(sorted(start))
        since = 0
        while not self._is_over():
            plan = self._pick()
            if plan is None:
                break
            self._move += 1
            before = frozenset(self._index.chosen)
            if not self._force(plan) or not self._is_taken(before):
                self._index.assign(sorted(before))
            since += 1
            weight = self._weight(self._index.chosen)
            if weight > better_than:
                # What does not fit after all is mended by plans that the relaxation likes least.
                grown = sorted(self._index.chosen, key=lambda n: (-self._value(n), n))
                self._inserter.confirm(grown, self._deadline, better_than, self.found)
                if self.found.answer is not None:
                    better_than = self._weight(self.found.chosen)
                self._index.assign(grown)
            if self._weight(self._index.chosen) > self._weight(best):
                best, since = frozenset(self._index.chosen), 0
            elif since > _RESTART_AFTER:
                self._index.assign(sorted(best))
                since = 0
        return self.found

    def _is_over(self) -> bool:
        return self._asked >= self._guide.questions or self._deadline.is_over

    def _try(self, plan: int) -> bool | None:
        self._asked += 1
        return self._inserter.try_one(plan, self._value, self._deadline, self.found)

    def _weight(self, plans: Iterable[int]) -> int:
        return sum(self._weights[plan] for plan in plans)

    def _prices(self) -> dict[int, float]:
        """What it costs to remove each plan of the set."""
        values = self._guide.values
        return {
            plan: self._weights[plan]
            * (0.5 + float(values[plan]))
            * (_PRICE_OF_NEW if self._free_at.get(plan, 0) > self._move else 1.0)
            for plan in self._index.chosen
        }

    def _pick(self) -> int | None:
        """The plan to force in next."""
        values, chosen = self._guide.values, self._index.chosen
        outside = [
            plan
            for plan in self._guide.plans
            if plan not in chosen and self._free_at[plan] <= self._move
        ]
        if not outside:
            return None
        liking = {plan: float(values[plan]) + _NOISE * self._random.random() for plan in outside}
        # In turn: what the relaxation likes best, and what can be had most cheaply.
        count = _PICKED_FROM if self._move % 2 else 1
        liked = sorted(outside, key=lambda plan: -liking[plan])[:count]
        prices = self._prices()
        excess: dict[int, float] = {}
        for plan in liked:
            blockers = self._index.blockers(plan, prices)
            if blockers is not None:
                excess[plan] = sum(prices[other] for other in blockers) - self._weights[plan]
        if not excess:
            return liked[0]
        return min(excess, key=lambda plan: (excess[plan], plan))

    def _rest(self, plan: int) -> None:
        """Leave a plan alone for a while."""
        self._free_at[plan] = self._move + self._random.randint(*_TENURE)

    def _force(self, plan: int) -> bool:
        """Add a plan, whoever has to leave for it, and all that fit then; False if undecided."""
        self._rest(plan)
        leaving: set[int] = set()
        while True:
            blockers = self._index.blockers(plan, self._prices())
            if blockers is None or self._deadline.is_over:
                return False
            for other in sorted(blockers):
                self._index.remove(other)
            leaving |= blockers
            answer = self._try(plan)
            if answer is None:
                return False
            if answer:
                break
        for other in sorted(leaving):
            self._rest(other)
        self._refill()
        return True

    def _refill(self) -> None:
        """Insert whatever fits."""
        values = self._guide.values
        order = {
            plan: -float(values[plan]) - _NOISE * self._random.random()
            for plan in self._guide.plans
        }
        for plan in sorted(self._guide.plans, key=order.__getitem__):
            if self._is_over():
                return
            if plan not in self._index.chosen and self._index.allows(plan):
                self._try(plan)

    def _value(self, plan: int) -> float:
        return float(self._guide.values[plan])

    def _is_taken(self, before: PlanSet) -> bool:
        """Whether the set at hand takes the place of the one before."""
        change = self._weight(self._index.chosen) - self._weight(before)
        return change >= 0 or self._random.random() < _WORSE

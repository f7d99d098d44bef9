"""Maximal cost functions: a plan counts if no other plan of its task costs less.

A rule is one solution concept for one plan: below which cost other plans count against it, and
what row follows from one that does. Other concepts override what differs: `Bounded` here, where a
plan may cost more by a factor, and `scf`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from plancost.learn.paths import Paths
from plancost.learn.rows import Alternative, Cut, PlanSet, difference, row_of, whole
from plancost.learn.task import LearningTask
from plancost.search.cheapest import PlanOnGraph
from plancost.search.graph import Distances
from plancost.search.transitions import Indices


@dataclass(frozen=True, eq=False)
class Seen:
    """What a rule may look at: a plan on its graph, and the distances from its start."""

    path: PlanOnGraph
    found: Distances
    goal: Indices
    tolerance: float
    most: int

    @property
    def cost(self) -> float:
        """Of the plan."""
        return float(self.path.prefix[-1])


class Maximal:
    """cost <= every alternative."""

    margin = 0
    """By how much a plan must cost less than each other plan."""

    def __init__(self, task: LearningTask, paths: Paths | None) -> None:
        self.task, self.paths = task, paths

    def limit(self, plan: int, cost: float) -> float:
        """A plan of that cost counts unless another one costs less than this."""
        return cost

    def allows(self, plan: int, other: tuple[int, ...]) -> bool:
        """Whether another plan that costs less than the limit, but no less than this, may do so."""
        return False

    def alternatives(self, plan: int, seen: Seen) -> Iterator[Alternative]:
        """Alternatives that count against it: one for each stretch that costs too much."""
        for way in seen.path.cheaper(seen.found, seen.goal, seen.tolerance, seen.most):
            yield Alternative(plan, *way)

    def cut(self, why: Alternative) -> Cut:
        """The row that says that an alternative costs enough, and who demands it."""
        if self.paths is not None and not why.is_whole:
            return self.paths.cut(why, 0)
        return whole_cut(self.task, why, 0, self.same_actions(why.plan))

    def same_actions(self, plan: int) -> PlanSet:
        """The plans of the same problem and factor with the same multiset of actions."""
        own = self.task.plans[plan]
        bag = sorted(own.actions)
        return frozenset(
            number
            for number, other in enumerate(self.task.plans)
            if (other.problem, other.factor) == (own.problem, own.factor)
            and len(other.actions) == len(bag)
            and sorted(other.actions) == bag
        )


class Bounded(Maximal):
    """cost <= factor x every alternative: nearly optimal plans.

    Common actions do not cancel, since the two sides weigh differently. So rows are those of whole
    plans, are demanded only by plans of the same task with the same actions, and crossings say
    nothing.
    """

    def limit(self, plan: int, cost: float) -> float:
        """Plans that cost less than this count against it."""
        factor = self.task.plans[plan].factor
        return cost * factor.denominator / factor.numerator

    def alternatives(self, plan: int, seen: Seen) -> Iterator[Alternative]:
        """The cheapest plan, if it is cheaper by more than the factor."""
        factor = self.task.plans[plan].factor
        best = float(seen.found.value[seen.goal].min())
        scaled = seen.cost * factor.denominator - best * factor.numerator
        if scaled > seen.tolerance * factor.denominator:
            nearly = best + (0.1 * seen.tolerance or 0.5)
            yield whole(plan, next(seen.path.ways_below(seen.found, seen.goal, nearly, merge=True)))

    def cut(self, why: Alternative) -> Cut:
        """The plan costs at most the factor times as much as the other."""
        factor = self.task.plans[why.plan].factor
        counts: Counter[int] = Counter()
        for parameter, times in self.task.counts[why.plan].items():
            counts[parameter] += times * factor.denominator
        for parameter, times in self.task.parameters.combine(why.other).items():
            counts[parameter] -= times * factor.numerator
        return Cut(row_of(counts, 0), self.same_actions(why.plan), why)


def whole_cut(task: LearningTask, why: Alternative, margin: int, plans: PlanSet) -> Cut:
    """The row that says that a plan costs no more than a whole other one, by a margin."""
    row = difference(task.counts[why.plan], task.parameters.combine(why.other), margin)
    return Cut(row, plans, why)

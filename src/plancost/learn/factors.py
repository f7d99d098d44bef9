"""Nearly optimal plans: a plan counts if it costs at most a factor times as much as every other.

Common actions do not cancel, since the two sides weigh differently. So rows are those of whole
plans, are demanded only by plans of the same task with the same actions, and crossings say
nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from plancost.learn.concept import Seen, same_actions, whole
from plancost.learn.rows import Alternative, Cut, row_of
from plancost.learn.task import LearningTask


class Bounded:
    """cost <= factor x every alternative."""

    margin = 0

    def __init__(self, task: LearningTask) -> None:
        self.task = task

    def limit(self, plan: int, cost: float) -> float:
        """Plans that cost less than this count against it."""
        factor = self.task.plans[plan].factor
        return cost * factor.denominator / factor.numerator

    def allows(self, plan: int, other: tuple[int, ...]) -> bool:
        """Nothing below the limit is allowed."""
        return False

    def alternatives(self, plan: int, seen: Seen) -> Iterator[Alternative]:
        """The cheapest plan, if it is cheaper by more than the factor."""
        factor = self.task.plans[plan].factor
        scaled = seen.cost * factor.denominator - seen.best * factor.numerator
        if scaled > seen.tolerance * factor.denominator:
            nearly = seen.best + (0.1 * seen.tolerance or 0.5)
            yield whole(plan, next(seen.path.ways_below(seen.found, seen.goal, nearly, merge=True)))

    def cut(self, why: Alternative) -> Cut:
        """The plan costs at most the factor times as much as the other."""
        factor = self.task.plans[why.plan].factor
        counts: Counter[int] = Counter()
        for parameter, times in self.task.counts[why.plan].items():
            counts[parameter] += times * factor.denominator
        for parameter, times in self.task.parameters.combine(why.other).items():
            counts[parameter] -= times * factor.numerator
        return Cut(row_of(counts, 0), same_actions(self.task, why.plan), why)

"""Nearly optimal plans: a plan counts if it costs at most a factor times as much as every other.

Common actions do not cancel, since the two sides weigh differently. So rows are those of whole
plans, are demanded only by plans of the same task with the same actions, and crossings say
nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from plancost.learn.mcf import Maximal, Seen
from plancost.learn.rows import Alternative, Cut, row_of, whole


class Bounded(Maximal):
    """cost <= factor x every alternative."""

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

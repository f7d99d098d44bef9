"""Strict cost functions: a plan counts if it costs less than every other plan of its task.

Ties say which plans of equal cost do not count against it: none (the paper's integer program),
other orders of the same actions, or plans that were observed on the same task (the paper's
definition: the only optimal plans are observed ones).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from operator import ne

from plancost.learn.concept import Seen, stretch_cut, whole, whole_cut
from plancost.learn.paths import Paths
from plancost.learn.rows import Alternative, Cut
from plancost.learn.task import LearningTask
from plancost.search.deviations import Deviation

NONE, REORDERINGS, OBSERVED = "none", "reorderings", "observed"


class Strict:
    """cost + 1 <= every alternative that is not allowed to tie."""

    margin = 1

    def __init__(self, task: LearningTask, paths: Paths | None, ties: str) -> None:
        self.task, self.paths, self.ties = task, paths, ties
        self._bags = [sorted(plan.actions) for plan in task.plans]
        self._observed: dict[int, set[tuple[int, ...]]] = defaultdict(set)
        for plan in task.plans:
            self._observed[plan.problem].add(plan.actions)

    def limit(self, plan: int, cost: float) -> float:
        """Plans that cost less than one more count against it, unless they are allowed."""
        return cost + 1

    def allows(self, plan: int, other: tuple[int, ...]) -> bool:
        """Whether the other may cost as much."""
        if self.ties == REORDERINGS:
            return sorted(other) == self._bags[plan]
        if self.ties == OBSERVED:
            return other in self._observed[self.task.plans[plan].problem]
        return other == self.task.plans[plan].actions

    def alternatives(self, plan: int, seen: Seen) -> Iterator[Alternative]:
        """Stretches that cost too much; if there are none, plans that cost as much."""
        found = list(seen.cheaper(plan))
        yield from found
        if found:
            return
        left = seen.most
        limit = seen.cost + 1 - seen.tolerance
        merge = self.ties == REORDERINGS
        for other in seen.path.ways_below(seen.found, seen.goal, limit, merge=merge):
            if self.allows(plan, other):
                continue
            yield self._tie(plan, seen, other)
            left -= 1
            if not left:
                return

    def cut(self, why: Alternative) -> Cut:
        """The plan costs less than with the alternative, or no more if both were observed."""
        other = why.other
        if not why.is_whole:
            actions = self.task.plans[why.plan].actions
            behind = actions[why.end :] if why.end >= 0 else ()
            other = actions[: why.begin] + why.other + behind
        may_tie = self.allows(why.plan, other)
        if self.paths is None or why.is_whole:
            return whole_cut(self.task, why, int(not may_tie), frozenset([why.plan]))
        # Where observed plans may tie, a stretch is of other plans that may.
        return stretch_cut(self.paths, why, int(not may_tie and self.ties != OBSERVED))

    def _tie(self, plan: int, seen: Seen, other: tuple[int, ...]) -> Alternative:
        """A plan that costs as much, cut to one stretch where they differ if that is sound.

        Without stretches transport-10_0 ends after a minute with 2 optimal plans of at most 5, not
        proven; with them 5 are.
        """
        for deviation in _detours(seen, other) if self.ties != OBSERVED else ():
            own = seen.path.actions[deviation.begin : deviation.end if deviation.end >= 0 else None]
            if self.ties == REORDERINGS and sorted(own) == sorted(deviation.other):
                continue
            costs = seen.path.costs
            more = sum(costs[a] for a in deviation.other) - sum(costs[a] for a in own)
            if more < 1 - seen.tolerance:
                return Alternative(plan, deviation.begin, deviation.end, deviation.other)
        return whole(plan, other)


def differing_ways(ties: str) -> Callable[[tuple[int, ...], tuple[int, ...]], bool] | None:
    """When two plans with different ways between common states exclude each other, if ever."""
    if ties == OBSERVED:
        return None
    return (lambda a, b: sorted(a) != sorted(b)) if ties == REORDERINGS else ne


def _detours(seen: Seen, other: tuple[int, ...]) -> Iterator[Deviation]:
    """Where another plan leaves a plan and comes back to it further on, or reaches the goal."""
    place, path = seen.path.place, seen.path
    states = path.graph.follow(path.states[0], other)
    step = 0
    while step < len(other):
        begin = place[states[step]]
        if path.actions[begin : begin + 1] == other[step : step + 1]:
            step += 1
            continue
        end = step + 1
        while end < len(other) and place.get(states[end], -1) <= begin:
            end += 1
        back = place.get(states[end], -1)
        yield Deviation(begin, back if back > begin else -1, tuple(other[step:end]))
        if back <= begin:
            return
        step = end
    begin = place.get(states[-1], -1)
    if 0 <= begin < len(path.actions):
        yield Deviation(begin, -1, ())

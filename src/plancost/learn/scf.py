"""Strict cost functions: a plan counts if it costs less than every other plan of its task.

Ties say which plans of equal cost do not count against it: none (the paper's integer program),
other orders of the same actions, or plans that were observed on the same task (the paper's
definition: the only optimal plans are observed ones).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from plancost.learn.concept import Seen, stretch_cut, whole, whole_row
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

    def cuts(self, plan: int, seen: Seen) -> Iterator[Cut]:
        """Stretches that cost too much; if there are none, plans that cost as much."""
        assert self.paths is not None
        margin = 0 if self.ties == OBSERVED else 1
        found = seen.path.cheaper(seen.found, seen.goal, seen.tolerance, seen.most)
        for d in found:
            yield stretch_cut(self.paths, Alternative(plan, d.begin, d.end, d.other), margin)
        if found:
            return
        ways = seen.path.ways_below if self.ties == REORDERINGS else seen.path.orderings_below
        left = seen.most
        for other in ways(seen.found, seen.goal, seen.cost + 1 - seen.tolerance):
            if self.allows(plan, other):
                continue
            yield self._tie(plan, seen, other)
            left -= 1
            if not left:
                return

    def against(self, plan: int, other: tuple[int, ...]) -> Cut:
        """The plan costs less than the other, or no more if both were observed."""
        margin = 0 if self.ties == OBSERVED and self.allows(plan, other) else 1
        row = whole_row(self.task, plan, other, margin)
        return Cut(row, frozenset([plan]), whole(plan, other))

    def rebuilt(self, why: Alternative) -> Cut:
        """The cut of an alternative that was checked."""
        if why.is_whole or self.paths is None:
            return self.against(why.plan, why.other)
        actions = self.task.plans[why.plan].actions
        behind = actions[why.end :] if why.end >= 0 else ()
        is_allowed = self.allows(why.plan, actions[: why.begin] + why.other + behind)
        return stretch_cut(self.paths, why, 0 if self.ties == OBSERVED or is_allowed else 1)

    def _tie(self, plan: int, seen: Seen, other: tuple[int, ...]) -> Cut:
        """The row of a plan that costs as much, cut to one stretch where they differ if that is
        sound.
        """
        assert self.paths is not None
        if self.ties == OBSERVED:
            return self.against(plan, other)
        for deviation in _detours(seen, other):
            own = seen.path.actions[deviation.begin : deviation.end if deviation.end >= 0 else None]
            if self.ties == REORDERINGS and sorted(own) == sorted(deviation.other):
                continue
            costs = seen.path.costs
            more = sum(costs[a] for a in deviation.other) - sum(costs[a] for a in own)
            if more < 1 - seen.tolerance:
                why = Alternative(plan, deviation.begin, deviation.end, deviation.other)
                return stretch_cut(self.paths, why, 1)
        return self.against(plan, other)


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

"""Strict cost functions: a plan counts if it costs less than every other plan of its task.

Ties say which plans of equal cost do not count against it: none (the paper's integer program),
other orders of the same actions, or plans that were observed on the same task (the paper's
definition: the only optimal plans are observed ones).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import islice
from operator import ne

from plancost.learn.mcf import Maximal, Seen, whole_cut
from plancost.learn.paths import Paths
from plancost.learn.rows import Alternative, Cut, whole
from plancost.learn.task import LearningTask
from plancost.options import LearnOptions

REORDERINGS, OBSERVED = "reorderings", "observed"

Differ = Callable[[tuple[int, ...], tuple[int, ...]], bool]


class Strict(Maximal):
    """cost + 1 <= every alternative that is not allowed to tie."""

    margin = 1

    def __init__(self, task: LearningTask, paths: Paths | None, ties: str) -> None:
        super().__init__(task, paths)
        self.ties = ties
        self._observed: dict[int, set[tuple[int, ...]]] = defaultdict(set)
        for plan in task.plans:
            self._observed[plan.problem].add(plan.actions)

    def limit(self, plan: int, cost: float) -> float:
        """Plans that cost less than one more count against it, unless they are allowed."""
        return cost + 1

    def allows(self, plan: int, other: tuple[int, ...]) -> bool:
        """Whether the other may cost as much."""
        if self.ties == REORDERINGS:
            return sorted(other) == sorted(self.task.plans[plan].actions)
        if self.ties == OBSERVED:
            return other in self._observed[self.task.plans[plan].problem]
        return other == self.task.plans[plan].actions

    def alternatives(self, plan: int, seen: Seen) -> Iterator[Alternative]:
        """Stretches that cost too much; if there are none, plans that cost as much."""
        found = list(super().alternatives(plan, seen))
        if not found:
            limit = seen.cost + 1 - seen.tolerance
            ways = seen.path.ways_below(
                seen.found, seen.goal, limit, merge=self.ties == REORDERINGS
            )
            ties = (self._tie(plan, seen, way) for way in ways if not self.allows(plan, way))
            found = list(islice(ties, seen.most))
        yield from found

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
        return self.paths.cut(why, int(not may_tie and self.ties != OBSERVED))

    def _tie(self, plan: int, seen: Seen, other: tuple[int, ...]) -> Alternative:
        """A plan that costs as much, cut to one stretch where they differ if that is sound.

        Without stretches transport-10_0 ends after a minute with 2 optimal plans of at most 5, not
        proven; with them 5 are.
        """
        costs = seen.path.costs
        for way in _detours(plan, seen, other) if self.ties != OBSERVED else ():
            own = seen.path.actions[way.begin : way.end if way.end >= 0 else None]
            if self.ties == REORDERINGS and sorted(own) == sorted(way.other):
                continue
            more = sum(costs[a] for a in way.other) - sum(costs[a] for a in own)
            if more < 1 - seen.tolerance:
                return way
        return whole(plan, other)


def differing_ways(options: LearnOptions) -> Differ | None:
    """Whether two plans with these ways between common states exclude each other; None: under
    this concept no ways do.
    """
    if options.solution != "scf" or options.ties == OBSERVED:
        return None
    return (lambda a, b: sorted(a) != sorted(b)) if options.ties == REORDERINGS else ne


def _detours(plan: int, seen: Seen, other: tuple[int, ...]) -> Iterator[Alternative]:
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
        yield Alternative(plan, begin, back if back > begin else -1, tuple(other[step:end]))
        if back <= begin:
            return
        step = end
    begin = place.get(states[-1], -1)
    if 0 <= begin < len(path.actions):
        yield Alternative(plan, begin, -1, ())

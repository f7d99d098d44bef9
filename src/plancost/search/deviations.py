"""Where a plan leaves the cheapest ways, seen from its start.

Along a plan the *slack*, what the prefix costs more than the cheapest way to its end, never falls.
Each time that it rises, a stretch of the plan can be replaced by something cheaper. One search from
the start therefore gives many rows at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from plancost.search.graph import Distances, StateGraph, Vector


@dataclass(frozen=True)
class Deviation:
    """The stretch from `begin` to `end` of a plan can be replaced by other actions.

    An `end` below 0 stands for all that follows `begin`: the others lead to another goal state.
    """

    begin: int
    end: int
    other: tuple[int, ...]


class PlanOnGraph:
    """A plan as a path, seen by a search from its start."""

    def __init__(
        self, graph: StateGraph, states: Sequence[int], actions: Sequence[int], costs: Vector
    ) -> None:
        self.graph, self.states, self.actions, self.costs = graph, states, actions, costs
        self.prefix = np.concatenate(([0.0], np.cumsum(costs[list(actions)])))
        """What the plan costs up to each of its states."""
        self.place: dict[int, int] = {}
        """Of each state where the plan visits it first."""
        for step, state in enumerate(states):
            self.place.setdefault(state, step)

    def cheaper(
        self, found: Distances, goal: npt.NDArray[np.int64], tolerance: float, most: int
    ) -> list[Deviation]:
        """The first stretches that cost more than something else, and one to another goal."""
        rises: list[Deviation] = []
        slack, length = 0.0, len(self.actions)
        # Below 0 by rounding only, or where a state costs more than the limit of the search.
        excess = np.maximum(self.prefix - found.value[self.states], 0.0)
        for step in (np.flatnonzero(np.diff(excess) > 0) + 1).tolist():
            state = self.states[step]
            if self.place[state] != step:
                rises.append(Deviation(self.place[state], step, ()))
            elif excess[step] <= slack + tolerance:
                continue
            elif len(rises) < most:
                rises.append(self._way(found, state, step))
            slack = excess[step]
        others = goal[goal != self.states[-1]]
        if len(others):
            nearest = int(others[np.argmin(found.value[others])])
            if found.value[nearest] < self.prefix[-1] - slack - tolerance:
                way = self._way(found, nearest, length)
                rises.append(Deviation(way.begin, -1, way.other))
        return rises

    def ways_below(
        self, found: Distances, goal: npt.NDArray[np.int64], limit: float, *, merge: bool
    ) -> Iterator[tuple[int, ...]]:
        """Whole plans that cost less than the limit, by going backwards from the goal.

        `merge`: of ways that reach one state by the same actions in another order only one is
        followed, so that each multiset of actions is seen, but not each order of it.
        """
        start = self.states[0]
        near = goal[found.value[goal] < limit]
        stack: list[tuple[int, float, tuple[int, ...]]] = [(int(s), 0.0, ()) for s in near]
        seen: set[tuple[int, tuple[int, ...]]] = set()
        while stack:
            state, behind, suffix = stack.pop()
            if state == start:
                yield suffix
            for before, action in self.graph.reversed.out_of(state):
                cost = behind + float(self.costs[action])
                if not found.value[before] + cost < limit:
                    continue
                longer = (action, *suffix)
                if merge:
                    key = before, tuple(sorted(longer))
                    if key in seen:
                        continue
                    seen.add(key)
                stack.append((before, cost, longer))

    def _way(self, found: Distances, state: int, end: int) -> Deviation:
        """The cheapest way to a state, from where it last leaves the plan before `end`."""
        back = [state]
        while self.place.get(back[-1], end) >= end:
            back.append(int(found.before[back[-1]]))
        other = self.graph.cheapest_actions(back[::-1], self.costs)
        return Deviation(self.place[back[-1]], end, other)

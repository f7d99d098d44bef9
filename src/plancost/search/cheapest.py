"""The cheapest plans of tasks on their state graph, and where other plans leave these ways.

Along a plan the *slack*, what the prefix costs more than the cheapest way to its end, never falls.
Each time that it rises, a stretch of the plan can be replaced by something cheaper. One search from
the start therefore gives many rows at once.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile
from math import inf

import numpy as np

from plancost.case.model import Actions, Ints
from plancost.search.graph import Distances, StateGraph, Vector
from plancost.search.transitions import Reached

Deviation = tuple[int, int, Actions]
"""From one step of a plan to another one these actions do as well; an end below 0 stands for all
that follows: they lead to another goal state."""


@dataclass(frozen=True, eq=False)
class CostToGo:
    """What the cheapest way to a goal costs from each state; infinite if there is none."""

    graph: StateGraph
    costs: Ints
    goal: Ints
    value: Vector

    def plans(self, start: int, *, merge: bool = False) -> Iterator[tuple[int, Actions]]:
        """Walks from a state in the order of their costs: the search is led straight.

        `merge`: one order stands for all orders of the same actions.
        """
        ends, number = frozenset(self.goal.tolist()), 0
        first = (float(self.value[start]), 0, 0, start, ())
        waiting: list[tuple[float, int, int, int, Actions]] = [first] if first[0] < inf else []
        seen: set[tuple[int, Actions]] = set()
        while waiting:
            _, _, spent, state, actions = heapq.heappop(waiting)
            if merge:
                key = state, tuple(sorted(actions))
                if key in seen:
                    continue
                seen.add(key)
            if state in ends:
                yield spent, actions
            for target, action in self.graph.out_of(state):
                if self.value[target] < inf:
                    number -= 1  # of equally dear ones the last is followed first
                    cost = spent + int(self.costs[action])
                    entry = cost + self.value[target], number, cost, target, (*actions, action)
                    heapq.heappush(waiting, entry)

    def cheapest(self, start: int, *, merge: bool) -> Iterator[Actions]:
        """Only those that cost the least."""
        least = self.value[start]
        found = takewhile(lambda found: found[0] == least, self.plans(start, merge=merge))
        return (actions for _, actions in found)


def costs_to_go(
    reached: Reached, costs: Ints, limits: Sequence[float]
) -> Iterator[tuple[CostToGo, list[int]]]:
    """For each goal, with the places of the tasks that have it; up to the limits of the tasks."""
    places: dict[bytes, list[int]] = defaultdict(list)
    for place, goal in enumerate(reached.goals):
        places[goal.tobytes()].append(place)
    for own in places.values():
        goal, limit = reached.goals[own[0]], max(limits[place] for place in own)
        value = reached.graph.distances_to(goal, costs.astype(np.float64), limit)
        yield CostToGo(reached.graph, costs, goal, value), own


def cheapest_plans(
    reached: Reached, costs: Ints, alternatives: int = 1
) -> list[list[tuple[int, Actions]]]:
    """Of each task its cheapest plans with their costs, at most so many; none if there is none."""
    starts = reached.starts
    found: list[list[tuple[int, Actions]]] = [[] for _ in starts]
    for togo, places in costs_to_go(reached, costs, [inf] * len(starts)):
        for place in places:
            found[place] = list(islice(togo.plans(starts[place]), alternatives))
    return found


class PlanOnGraph:
    """A plan as a path, seen by a search from its start."""

    def __init__(
        self, graph: StateGraph, states: Sequence[int], actions: Actions, costs: Vector
    ) -> None:
        self.graph, self.states, self.actions, self.costs = graph, states, actions, costs
        self.prefix = np.concatenate(([0.0], np.cumsum(costs[list(actions)])))
        """What the plan costs up to each of its states."""
        self.place: dict[int, int] = {}
        """Of each state where the plan visits it first."""
        for step, state in enumerate(states):
            self.place.setdefault(state, step)

    def cheaper(self, found: Distances, goal: Ints, tolerance: float, most: int) -> list[Deviation]:
        """The first stretches that cost more than something else, and one to another goal."""
        rises: list[Deviation] = []
        slack, length = 0.0, len(self.actions)
        # Below 0 by rounding only, or where a state costs more than the limit of the search.
        excess = np.maximum(self.prefix - found.value[self.states], 0.0)
        for step in (np.flatnonzero(np.diff(excess) > 0) + 1).tolist():
            state = self.states[step]
            if self.place[state] != step:
                rises.append((self.place[state], step, ()))
            elif excess[step] <= slack + tolerance:
                continue
            elif len(rises) < most:
                rises.append(self._way(found, state, step))
            slack = excess[step]
        others = goal[goal != self.states[-1]]
        if len(others):
            nearest = int(others[np.argmin(found.value[others])])
            if found.value[nearest] < self.prefix[-1] - slack - tolerance:
                begin, _, other = self._way(found, nearest, length)
                rises.append((begin, -1, other))
        return rises

    def ways_below(
        self, found: Distances, goal: Ints, limit: float, *, merge: bool
    ) -> Iterator[Actions]:
        """Whole plans that cost less than the limit, by going backwards from the goal.

        `merge`: of ways that reach one state by the same actions in another order only one is
        followed, so that each multiset of actions is seen, but not each order of it.
        """
        start = self.states[0]
        near = goal[found.value[goal] < limit]
        stack: list[tuple[int, float, Actions]] = [(int(s), 0.0, ()) for s in near]
        seen: set[tuple[int, Actions]] = set()
        while stack:
            state, behind, suffix = stack.pop()
            if merge:
                key = state, tuple(sorted(suffix))
                if key in seen:
                    continue
                seen.add(key)
            if state == start:
                yield suffix
            for before, action in self.graph.reversed.out_of(state):
                cost = behind + float(self.costs[action])
                if found.value[before] + cost < limit:
                    stack.append((before, cost, (action, *suffix)))

    def _way(self, found: Distances, state: int, end: int) -> Deviation:
        """The cheapest way to a state, from where it last leaves the plan before `end`."""
        back = [state]
        while self.place.get(back[-1], end) >= end:
            back.append(int(found.before[back[-1]]))
        other = self.graph.cheapest_actions(back[::-1], self.costs)
        return self.place[back[-1]], end, other

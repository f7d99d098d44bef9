"""The cheapest plans of tasks on their state graph, one after the other."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile
from math import inf

import numpy as np
from scipy.sparse.csgraph import dijkstra

from plancost.case.model import Actions, Ints
from plancost.search.graph import StateGraph, Vector
from plancost.search.transitions import Reached


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
        waiting: list[tuple[float, int, int, int | None, Actions]] = []
        seen: set[tuple[int | None, Actions]] = set()
        after: list[tuple[int, int | None, Actions]] = [(0, start, ())]
        while True:
            for spent, state, actions in after:
                if merge:
                    key = state, tuple(sorted(actions))
                    if key in seen:
                        continue
                    seen.add(key)
                total = spent + (0.0 if state is None else self.value[state])
                if total < inf:
                    number -= 1  # of equally dear ones the last is followed first
                    heapq.heappush(waiting, (total, number, spent, state, actions))
            if not waiting:
                return
            total, _, spent, state, actions = heapq.heappop(waiting)
            if state is None:
                yield int(total), actions
                after = []
                continue
            after = [(spent, None, actions)] if state in ends else []
            for target, action in self.graph.out_of(state):
                after.append((spent + int(self.costs[action]), target, (*actions, action)))

    def cheapest(self, start: int, *, merge: bool) -> Iterator[Actions]:
        """Only those that cost the least."""
        least = self.value[start]
        found = takewhile(lambda found: found[0] == least, self.plans(start, merge=merge))
        return (actions for _, actions in found)


def costs_to_go(
    reached: Reached, costs: Ints, limits: Sequence[float]
) -> Iterator[tuple[CostToGo, list[int]]]:
    """For each goal, with the places of the tasks that have it; up to the limits of the tasks."""
    backwards = reached.graph.backwards(costs.astype(np.float64))
    places: dict[bytes, list[int]] = defaultdict(list)
    for place, goal in enumerate(reached.goals):
        places[goal.tobytes()].append(place)
    for own in places.values():
        goal, limit = reached.goals[own[0]], max(limits[place] for place in own)
        value = np.full(reached.graph.size, inf)
        if len(goal):
            value = dijkstra(backwards, indices=goal, min_only=True, limit=limit)
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

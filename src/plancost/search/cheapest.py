"""The cheapest plans of tasks on their state graph, one after the other."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice

import numpy as np
import numpy.typing as npt
from scipy.sparse.csgraph import dijkstra

from plancost.search.transitions import Reached

Actions = tuple[int, ...]


def cheapest_plans(
    reached: Reached, costs: npt.NDArray[np.int64], alternatives: int = 1
) -> list[list[tuple[int, Actions]]]:
    """Of each task its cheapest plans with their costs, at most so many; none if there is none."""
    backwards = reached.graph.backwards(costs.astype(np.float64))
    places: dict[bytes, list[int]] = defaultdict(list)
    for place, goal in enumerate(reached.goals):
        places[goal.tobytes()].append(place)
    found: list[list[tuple[int, Actions]]] = [[] for _ in reached.starts]
    for own in places.values():
        goal = reached.goals[own[0]]
        if not len(goal):
            continue
        togo = np.asarray(dijkstra(backwards, indices=goal, min_only=True))
        ends = frozenset(goal.tolist())
        for place in own:
            best = _best(reached, costs, reached.starts[place], ends, togo)
            found[place] = list(islice(best, alternatives))
    return found


def _best(
    reached: Reached,
    costs: npt.NDArray[np.int64],
    start: int,
    goal: frozenset[int],
    togo: npt.NDArray[np.float64],
) -> Iterator[tuple[int, Actions]]:
    """Walks in the order of their costs: the cost-to-go is known, so the search is led straight."""
    number = 0
    waiting: list[tuple[float, int, int, int | None, Actions]] = [(togo[start], 0, 0, start, ())]
    while waiting:
        total, _, spent, state, actions = heapq.heappop(waiting)
        if state is None:
            yield int(total), actions
            continue
        ends = [(spent, None, actions)] if state in goal else []
        after = [
            (spent + int(costs[action]), target, (*actions, action))
            for target, action in reached.graph.out_of(state)
        ]
        for own, target, longer in (*ends, *after):
            rest = 0.0 if target is None else togo[target]
            if np.isfinite(rest):
                number -= 1  # of equally dear ones the last is followed first
                heapq.heappush(waiting, (own + rest, number, own, target, longer))

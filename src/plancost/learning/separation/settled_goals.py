"""Goals whose plans were found optimal, and which changes of costs make them worth another look.

Let a search backwards from a goal go as far as its most expensive plan costs, and let it find
nothing cheaper; the states that it reached are the *region* of the goal. Then costs change. If no
action of the plans has become more expensive, a plan can only have become too expensive by another
path that has become cheaper. Behind its last action that has, that path costs no less than
before, so it ends in the region. So unless an action that has become cheaper leads into the region
(and costs less than the plans), a search would find nothing and see no state outside the region.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from plancost.oracles.state_graph import StateGraph

Bits = npt.NDArray[np.uint8]

_ROWS = 64


class SettledGoals:
    """The settled goals of one graph, under the costs of the last question.

    `uses` has a row for each plan, with an entry for each action of the graph that it uses. Costs
    that differ by less than the `tolerance` count as equal.
    """

    def __init__(self, graph: StateGraph, uses: csr_array, tolerance: float) -> None:
        self._graph = graph
        self._uses = uses
        self._tolerance = tolerance
        self._costs: npt.NDArray[np.float64] | None = None
        self._place: dict[Hashable, int] = {}
        self._place_of_plan: dict[int, int] = {}
        self._limits = np.zeros(0)
        self._regions: Bits = np.zeros((0, -(-graph.state_count // 8)), dtype=np.uint8)

    def change(self, costs: np.ndarray) -> None:
        """Take note of the costs of the graph's actions from now on."""
        new = costs.astype(np.float64)
        old, self._costs = self._costs, new
        if old is None or not self._place_of_plan:
            return
        cheaper = new < old - self._tolerance
        dearer = new > old + self._tolerance
        same = ~(cheaper | dearer)
        new[same] = old[same]  # small changes must not add up
        cheaper &= new <= self._limits.max(initial=0.0)
        again: set[int] = set()
        if cheaper.any():
            entered = np.zeros(self._graph.state_count, dtype=bool)
            entered[self._graph.target[cheaper[self._graph.action]]] = True
            again.update(self._reached(entered))
        if dearer.any():
            plans = np.flatnonzero(self._uses @ dearer.astype(np.int64)).tolist()
            again.update(self._place_of_plan[n] for n in plans if n in self._place_of_plan)
        if again:
            self._limits[sorted(again)] = 0.0
            self._place_of_plan = {
                plan: place for plan, place in self._place_of_plan.items() if place not in again
            }

    def is_settled(self, members: Iterable[int]) -> bool:
        """Whether a search for the goal of these plans would find nothing about them."""
        return all(number in self._place_of_plan for number in members)

    def settle(
        self,
        goal: Hashable,
        members: Iterable[int],
        limit: float,
        values: npt.NDArray[np.float64],
    ) -> None:
        """A search up to the limit found nothing about these plans with that goal."""
        place = self._place.setdefault(goal, len(self._place))
        if place == len(self._limits):
            size = max(_ROWS, len(self._limits))
            more = np.zeros((size, self._regions.shape[1]), dtype=np.uint8)
            self._limits = np.concatenate([self._limits, np.zeros(size)])
            self._regions = np.concatenate([self._regions, more])
        # Plans of the goal that are settled already stay so: their states are among these too.
        region = np.packbits(values <= limit)
        if self._limits[place] > 0.0:
            region |= self._regions[place]
        self._regions[place] = region
        self._limits[place] = max(limit, self._limits[place])
        self._place_of_plan.update(dict.fromkeys(members, place))

    def _reached(self, entered: npt.NDArray[np.bool_]) -> list[int]:
        """The goals whose regions have one of these states."""
        packed = np.packbits(entered)
        columns = np.flatnonzero(packed)
        met = np.any(self._regions[:, columns] & packed[columns], axis=1)
        places: list[int] = np.flatnonzero(met).tolist()
        return places

"""Goals whose plans were found optimal, and which changes of costs make them worth another look.

A search backwards from a goal gives the cost-to-go of every state, as far as it went (beyond, take
the limit of the search). As long as no action costs less than the cost-to-go falls along it, no
path from a state costs less than its cost-to-go, whatever else has changed. So when costs have
changed, it is enough to look at the actions that have become cheaper since the search, and at what
the plans cost now: if they cost no more than the cost-to-go of their first states, they are optimal
still, and a search would find nothing. That is a matter of microseconds where a search takes
hundreds.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from plancost.oracles.shortest_paths import CostToGo
from plancost.oracles.state_graph import Indices, StateGraph

_SLACK = 1e-10
"""Floating-point costs may fall short by so much; a thousand times that breaks no row."""
_MOST_REMEMBERED = 25_000_000
"""Costs-to-go that are kept at most; they take 12 bytes each."""


@dataclass
class _Search:
    """What a search found: the costs-to-go of the states within its limit.

    Up to a `moment`, all that has become cheaper since is known not to matter.
    """

    moment: int
    limit: float
    states: npt.NDArray[np.int32]
    values: npt.NDArray[np.float64]
    allowed: dict[int, float]
    """What plans with this goal may cost as long as the costs-to-go hold."""


class SettledGoals:
    """What searches on one graph have settled, under floating-point costs."""

    def __init__(self, graph: StateGraph) -> None:
        self._graph = graph
        self._costs: npt.NDArray[np.float64] | None = None
        self._searches: dict[Hashable, _Search] = {}
        self._remembered = 0
        self._farthest = 0.0
        self._cheaper: list[Indices] = []
        """At each moment, the transitions that have become cheaper."""
        self._since: dict[int, Indices] = {}
        self._weights = np.zeros(0)
        self._potential = np.zeros(graph.state_count)

    def change(self, costs: npt.NDArray[np.float64]) -> None:
        """Take note of the costs of the graph's actions from now on."""
        old, self._costs = self._costs, costs
        self._weights = costs
        if old is None:
            return
        # What costs more than any plan cannot be on a cheaper way.
        cheaper = (costs < old) & (costs <= self._farthest)
        self._cheaper.append(np.flatnonzero(cheaper[self._graph.action]))
        self._since.clear()

    def is_settled(self, goal: Hashable, plan_costs: Mapping[int, float]) -> bool:
        """Whether a search for this goal would find nothing about plans of these costs."""
        known = self._searches.get(goal)
        if known is None:
            return False
        for plan, cost in plan_costs.items():
            if cost > known.allowed.get(plan, -np.inf):
                return False
        if known.moment < len(self._cheaper):
            if self._has_shortcut(known):
                return False
            known.moment = len(self._cheaper)
        return True

    def _has_shortcut(self, known: _Search) -> bool:
        """Whether an action costs less than the cost-to-go falls along it."""
        transitions = self._transitions_since(known.moment)
        potential, graph = self._potential, self._graph
        potential.fill(known.limit)
        potential[known.states] = known.values
        falls = potential[graph.source[transitions]] - potential[graph.target[transitions]]
        return bool(np.any(self._weights[graph.action[transitions]] < falls - _SLACK))

    def _transitions_since(self, moment: int) -> Indices:
        """The transitions that have become cheaper since then, now or on the way."""
        found = self._since.get(moment)
        if found is None:
            is_cheaper = np.zeros(len(self._graph.action), dtype=bool)
            for transitions in self._cheaper[moment:]:
                is_cheaper[transitions] = True
            found = self._since[moment] = np.flatnonzero(is_cheaper)
        return found

    def settle(
        self, goal: Hashable, cost_to_go: CostToGo, limit: float, allowed: Mapping[int, float]
    ) -> None:
        """A search up to the limit found nothing about plans that cost no more than is allowed."""
        before = self._searches.pop(goal, None)
        self._remembered -= 0 if before is None else len(before.states)
        states = np.flatnonzero(cost_to_go.values < limit).astype(np.int32)
        if self._remembered + len(states) > _MOST_REMEMBERED:
            return
        self._remembered += len(states)
        self._farthest = max(self._farthest, limit)
        self._searches[goal] = _Search(
            len(self._cheaper), limit, states, cost_to_go.values[states], dict(allowed)
        )

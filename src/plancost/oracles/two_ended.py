"""The cost-to-go of the states that matter to a plan, by searches from both of its ends.

A search backwards from the goal up to what a plan costs settles most of a large graph. Two
searches of half the depth settle far less. The first goes forwards from the start up to a radius.
The second goes backwards from the goal: outside of the radius for the rest of the way, and
inside only through states that are on a way within the limit, since what the way to them costs is
known. It gives the exact cost-to-go of every state on such a way. For other states it is at
least the exact one, or infinite.

Where plans cost hardly more than a *floor* under the costs says (`floors`), that takes the place of
the search forwards: the search backwards leaves out states that are too far from the start by it.

That nothing is cheaper than the optimum is shown by a *potential*: the cost-to-go, capped, and
the rest of the radius, both of them zero at the goal and together the optimum at the start; with a
floor, what that leaves of the optimum, where it is less. No action costs less than the potential
falls along it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plancost.oracles.floors import Floor
from plancost.oracles.frontier import Steps, Values
from plancost.oracles.shortest_paths import CostToGo, PricedGraph
from plancost.oracles.state_graph import Indices, ShortIndices

_MANY = 0.1
"""If a search settles this part of all states, what it says of them is computed once for each."""
_PARTS = (0.3, 0.7)
_STEP = 0.05
"""Which part of the way a search goes forwards: a step more or less than the one before."""


@dataclass(frozen=True, eq=False)
class Ends:
    """Where plans begin and end."""

    start: int
    goal: Indices
    floor: Floor | None = None


class TwoEndedSearch:
    """From one start state to the nearest of some goal states, at a cost up to a limit."""

    def __init__(self, priced: PricedGraph, ends: Ends, limit: float, part: float = 0.5) -> None:
        """Search forwards for this part of the limit, and backwards for the rest."""
        self._graph, self._weights, self._limit = priced.graph, priced.weights, limit
        self._scale = 0.0 if ends.floor is None else ends.floor.scale(priced.weights)
        is_close = ends.floor is not None and ends.floor.is_close(limit, self._scale)
        self._floor = ends.floor if is_close else None
        self.part = 0.0 if is_close else part
        self._radius = self.part * limit
        self._near = np.array([ends.start])
        self._behind: Values | None = None
        if self.part > 0.0:
            steps = Steps.forwards(self._graph)
            self._behind, self._near = steps.costs_from(self._near, self._weights, self._radius)
        steps = Steps.backwards(self._graph)
        self._ahead, reached = steps.costs_from(ends.goal, self._weights, self._most)
        self._settled = reached[self._ahead[reached] <= limit - self._radius]
        self.cost_to_go = CostToGo.of(priced, self._ahead)
        self.optimum = float(self._ahead[ends.start])
        """What the cheapest way costs; infinite if there is none up to the limit."""

    @property
    def next_part(self) -> float | None:
        """Which part to search forwards next time; None if this search does not tell."""
        if self._behind is None:
            return None
        step = _STEP if len(self._settled) > len(self._near) else -_STEP
        return min(max(self.part + step, _PARTS[0]), _PARTS[1])

    def _most(self, states: ShortIndices) -> Values:
        """How much the rest of the way from states may cost, for a way within the limit."""
        if self._floor is not None:
            return self._limit - self._at_least(self._floor, states)
        if self._behind is None:
            return np.full(len(states), self._limit - self._radius)
        behind = self._behind[states]
        found: Values = self._limit - np.where(np.isinf(behind), self._radius, behind)
        return found

    def _at_least(self, floor: Floor, states: Indices | ShortIndices | slice) -> Values:
        """What the way to states costs by the floor."""
        return self._scale * floor.values[states].astype(np.float64)

    def most_falls(self) -> Values:
        """For each action the most that the potential falls along it anywhere; at least 0."""
        most = np.zeros(len(self._weights))
        if self._floor is not None:
            most = self._scale * self._floor.rates
        count = self._graph.state_count
        of_each: Values | None = None
        if len(self._near) + len(self._settled) > _MANY * count:
            of_each = self._potential(slice(None))
        for steps, states, sign in (
            (Steps.forwards(self._graph), self._near, 1.0),
            (Steps.backwards(self._graph), self._settled, -1.0),
        ):
            here, entry = steps.at(states)
            there = steps.ends[entry]
            if of_each is None:
                falls = self._potential(here) - self._potential(there)
            else:
                falls = of_each[here] - of_each[there]
            np.maximum.at(most, steps.actions[entry], sign * falls)
        return most

    def _potential(self, states: Indices | ShortIndices | slice) -> Values:
        radius = min(self._radius, self.optimum)
        found = np.minimum(self._ahead[states], self.optimum - radius)
        if self._behind is not None:
            found += radius - np.minimum(self._behind[states], radius)
        if self._floor is None:
            return found
        return np.minimum(found, self.optimum - self._at_least(self._floor, states))

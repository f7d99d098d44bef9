"""The cost-to-go of the states that matter to a plan, by searches from both of its ends.

A search backwards from the goal up to what a plan costs settles most of a large graph. Two
searches of half the depth settle far less. The first goes forwards from the start up to a radius.
The second goes backwards from the goal: outside of the radius for the rest of the way, and
inside only through states that are on a way within the limit, since what the way to them costs is
known. It gives the exact cost-to-go of every state on such a way. For other states it is at
least the exact one, or infinite.

That nothing is cheaper than the optimum is shown by a *potential*: the cost-to-go, capped, and
the rest of the radius, both of them zero at the goal and together the optimum at the start. No
action costs less than the potential falls along it.
"""

from __future__ import annotations

import numpy as np

from plancost.oracles.frontier import Steps, Values
from plancost.oracles.shortest_paths import CostToGo, PricedGraph
from plancost.oracles.state_graph import Indices


class TwoEndedSearch:
    """From one start state to the nearest of some goal states, at a cost up to a limit."""

    def __init__(
        self, priced: PricedGraph, start: int, goal: Indices, limit: float, part: float = 0.5
    ) -> None:
        """Search forwards for this part of the limit, and backwards for the rest."""
        self._graph, weights = priced.graph, priced.weights
        self._radius = part * limit
        self._forwards, self._backwards = Steps.forwards(self._graph), Steps.backwards(self._graph)
        behind, self._near = self._forwards.costs_from(np.array([start]), weights, self._radius)
        self._behind = behind[self._near]
        most = np.full(self._graph.state_count, limit - self._radius)
        most[self._near] = limit - self._behind
        values, reached = self._backwards.costs_from(goal, weights, most)
        self._settled = reached[values[reached] <= limit - self._radius]
        self._ahead = values[self._settled]
        self.cost_to_go = CostToGo.of(priced, values)
        self.optimum = float(values[start])
        """What the cheapest way costs; more than the limit if there is none up to it."""

    @property
    def is_wide_at_the_goal(self) -> bool:
        """Whether the search backwards had more to settle than the one forwards."""
        return len(self._settled) > len(self._near)

    def most_falls(self) -> Values:
        """For each action the most that the potential falls along it anywhere; at least 0."""
        graph = self._graph
        radius = min(self._radius, self.optimum)
        rest = self.optimum - radius
        potential = np.full(graph.state_count, rest)
        potential[self._settled] = np.minimum(self._ahead, rest)
        potential[self._near] += radius - np.minimum(self._behind, radius)
        most = np.zeros(len(graph.action_names))
        for steps, states, sign in (
            (self._forwards, self._near, 1.0),
            (self._backwards, self._settled, -1.0),
        ):
            here, entry = steps.at(states)
            falls = sign * (potential[here] - potential[steps.ends[entry]])
            np.maximum.at(most, steps.actions[entry], falls)
        return most

"""The cost-to-go of the states that matter to a plan, by searches from both of its ends.

A search backwards from the goal up to what a plan costs settles most of a large graph. Two
searches of half the depth settle far less: one forwards from the start up to a radius, and one
backwards from the goal for the rest of the way. A way that costs no more than the limit leaves the
states within the radius only for states that the search backwards has settled. So a third search,
among the states within the radius, continues backwards to the start. It gives the exact
cost-to-go of every state on such a way. For other states it is at least the exact one, or infinite.

That nothing is cheaper than the optimum is shown by a *potential*: the cost-to-go, capped, and
the rest of the radius, both of them zero at the goal and together the optimum at the start. No
action costs less than the potential falls along it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from plancost.oracles.shortest_paths import CostToGo, PricedGraph
from plancost.oracles.state_graph import Indices

Values = npt.NDArray[np.float64]


class TwoEndedSearch:
    """From one start state to the nearest of some goal states, at a cost up to a limit."""

    def __init__(
        self, priced: PricedGraph, start: int, goal: Indices, limit: float, part: float = 0.5
    ) -> None:
        """Search forwards for this part of the limit, and backwards for the rest."""
        self._graph = priced.graph
        self._radius = part * limit
        behind = priced.distances_from(np.array([start]), self._radius)
        values = priced.distances(goal, limit - self._radius)
        self._near = np.flatnonzero(behind <= self._radius)
        self._behind = behind[self._near]
        self._settled = np.flatnonzero(values < np.inf)
        self._ahead = values[self._settled]
        self._join(values, priced.weights)
        self.cost_to_go = CostToGo.of(priced, values)
        self.optimum = float(values[start])
        """What the cheapest way costs; more than the limit if there is none up to it."""

    @property
    def is_wide_at_the_goal(self) -> bool:
        """Whether the search backwards had more to settle than the one forwards."""
        return len(self._settled) > len(self._near)

    def _join(self, values: Values, weights: Values) -> None:
        """Continue the search backwards among the states near the start."""
        graph = self._graph
        inner = self._near[~np.isfinite(values[self._near])]
        source, transition = _expanded(graph.first_transition, inner)
        target, cost = graph.target[transition], weights[graph.action[transition]]
        count = len(inner)
        place = np.full(graph.state_count, -1, dtype=np.int32)
        place[inner] = np.arange(count, dtype=np.int32)
        enters = np.isfinite(values[target])
        # The goal and all that is settled are one state, the last one.
        cost[enters] += values[target[enters]]
        begins = np.where(enters, count, place[target])
        kept = begins >= 0
        order = np.argsort(begins[kept], kind="stable")
        rows = np.bincount(begins[kept], minlength=count + 1)
        matrix = csr_array(
            (
                cost[kept][order],
                place[source[kept]][order],
                np.concatenate([[0], np.cumsum(rows)]).astype(np.int32),
            ),
            shape=(count + 1, count + 1),
        )
        found = dijkstra(matrix, directed=True, indices=[count], min_only=True)
        values[inner] = found[:count]

    def most_falls(self) -> Values:
        """For each action the most that the potential falls along it anywhere; at least 0."""
        graph = self._graph
        radius = min(self._radius, self.optimum)
        rest = self.optimum - radius
        potential = np.full(graph.state_count, rest)
        potential[self._settled] = np.minimum(self._ahead, rest)
        potential[self._near] += radius - np.minimum(self._behind, radius)
        _, forwards = _expanded(graph.first_transition, self._near)
        incoming = graph.incoming
        target, entry = _expanded(incoming.action_starts, self._settled)
        falls = np.concatenate(
            [
                potential[graph.source[forwards]] - potential[graph.target[forwards]],
                potential[incoming.sources[entry]] - potential[target],
            ]
        )
        most = np.zeros(len(graph.action_names))
        np.maximum.at(
            most, np.concatenate([graph.action[forwards], incoming.actions[entry]]), falls
        )
        return most


def _expanded(first: npt.NDArray[np.integer], rows: Indices) -> tuple[Indices, Indices]:
    """All entries of some rows, each with its row: those of row r are ``first[r]:first[r + 1]``."""
    begins = first[rows].astype(np.int64)
    counts = first[rows + 1] - begins
    entries = np.arange(int(counts.sum())) + np.repeat(begins - np.cumsum(counts) + counts, counts)
    return np.repeat(rows, counts), entries

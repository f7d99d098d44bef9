"""Shortest ways in very large graphs, with work only for the states that are reached.

SciPy's search prepares a heap for every state of the graph, which in a graph of millions takes
longer than a short search itself. Here all states of about the same cost are expanded at once,
as arrays. A state that turns out to be cheaper later is expanded again, so the costs are exact.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from plancost.oracles.state_graph import Indices, ShortIndices, StateGraph

Values = npt.NDArray[np.float64]

_AT_ONCE = 4.0
"""States whose costs differ by so many actions of a usual cost are expanded at once."""


@dataclass(frozen=True, eq=False)
class Steps:
    """The transitions at each state: those of state s are ``first[s]`` up to ``first[s + 1]``."""

    first: Indices
    ends: ShortIndices
    actions: ShortIndices

    @classmethod
    def forwards(cls, graph: StateGraph) -> Steps:
        """Where each state leads."""
        return cls(graph.first_transition, graph.target, graph.action)

    @classmethod
    def backwards(cls, graph: StateGraph) -> Steps:
        """Where each state is reached from."""
        incoming = graph.incoming
        return cls(incoming.action_starts, incoming.sources, incoming.actions)

    def at(self, states: Indices) -> tuple[Indices, Indices]:
        """All transitions at some states, each with its state."""
        begins = self.first[states]
        counts = self.first[states + 1] - begins
        before = np.cumsum(counts) - counts
        entries = np.arange(int(counts.sum())) + np.repeat(begins - before, counts)
        return np.repeat(states, counts), entries

    def costs_from(
        self, states: Indices, weights: Values, most: float | Callable[[ShortIndices], Values]
    ) -> tuple[Values, Indices]:
        """What the way to each state from the nearest of some costs, and which are reached.

        `most` is the most that the way to a state may cost: one number, or a function that tells
        for some states. The cost of a state that no such way leads to is infinite.
        """
        values = np.full(len(self.first) - 1, np.inf)
        values[states] = 0.0
        turn = np.empty(len(values), dtype=np.int32)
        reached, waiting = [states], states
        at_once = _AT_ONCE * float(np.median(weights))
        limit = at_once
        while len(waiting):
            near = values[waiting] <= limit
            if not np.any(near):
                limit = float(np.min(values[waiting])) + at_once
                continue
            source, entry = self.at(waiting[near])
            target = self.ends[entry]
            cost = values[source] + weights[self.actions[entry]]
            before = values[target]
            better = cost < before
            target, cost, before = target[better], cost[better], before[better]
            within = cost <= (most(target) if callable(most) else most)
            target, cost, before = target[within], cost[within], before[within]
            reached.append(_each_once(target[np.isinf(before)], turn))
            np.minimum.at(values, target, cost)
            waiting = _each_once(np.concatenate([waiting[~near], target]), turn)
        return values, np.concatenate(reached)


def _each_once(states: Indices | ShortIndices, turn: npt.NDArray[np.int32]) -> Indices:
    """States without repetition; what `turn` holds does not matter."""
    numbers = np.arange(len(states), dtype=np.int32)
    turn[states] = numbers
    found: Indices = states[turn[states] == numbers].astype(np.int64)
    return found

"""Which states of a large graph a plan that is not too expensive can pass.

A way of so many steps costs at least as many times as much as the cheapest action. So what is
cheaper than a plan has a limited number of steps, and passes only states that are not too many
steps away from start and goal together. Often that is a small part of the graph.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from plancost.oracles.shortest_paths import PricedGraph
from plancost.oracles.state_graph import Corridor, Indices, StateGraph

_ROOM = 1.1
_MOST_ROOM = 1.25
"""A corridor is made for a few more steps, and used until it is that much too wide."""
_WORTHWHILE = 0.6
"""A larger part of the states is no corridor."""
_NUMBERS_A_STATE = 2.25
_NUMBERS_A_TRANSITION = 2
"""What a corridor takes, in numbers of four bytes. All together take no more than one of all
states, so that many goals in one graph do not use up the memory."""


@dataclass(frozen=True)
class _Made:
    """A corridor for so many steps; None if it has most of the states."""

    steps: float
    corridor: Corridor | None


class Corridors:
    """The corridors of one graph, between start states and goals."""

    def __init__(self, graph: StateGraph) -> None:
        self._graph = graph
        self._lengths: dict[bytes, npt.NDArray[np.float32]] = {}
        self._made: dict[bytes, _Made] = {}
        self._left = _NUMBERS_A_STATE * graph.state_count + _NUMBERS_A_TRANSITION * len(
            graph.source
        )
        """How many numbers may still be kept."""

    def between(self, starts: Indices, goal: Indices, steps: float) -> Corridor | None:
        """States on ways of at most so many steps, and perhaps more; None if these are most.

        The starts of a goal are always the same.
        """
        key = goal.tobytes()
        made = self._made.get(key)
        if made is None:
            if self._left < _NUMBERS_A_STATE * self._graph.state_count:
                return None
            self._left -= _NUMBERS_A_STATE * self._graph.state_count
        if made is None or not steps <= made.steps <= max(_MOST_ROOM * steps, steps + 2):
            self._left += 0.0 if made is None else _numbers(made.corridor)
            inside = self._length(starts, goal) <= _ROOM * steps
            is_narrow = float(inside.mean()) <= _WORTHWHILE
            corridor = self._graph.corridor(inside) if is_narrow else None
            if _numbers(corridor) > self._left:
                corridor = None
            self._left -= _numbers(corridor)
            made = self._made[key] = _Made(_ROOM * steps, corridor)
        return made.corridor

    def _length(self, starts: Indices, goal: Indices) -> npt.NDArray[np.float32]:
        """For each state, the steps of the shortest way through it."""
        key = goal.tobytes()
        found = self._lengths.get(key)
        if found is None:
            steps = PricedGraph(self._graph, np.ones(len(self._graph.action_names)))
            length = steps.distances_from(starts) + steps.distances(goal)
            found = self._lengths[key] = length.astype(np.float32)
        return found


def _numbers(corridor: Corridor | None) -> int:
    """What the transitions of a corridor take."""
    return 0 if corridor is None else _NUMBERS_A_TRANSITION * len(corridor.incoming.actions)

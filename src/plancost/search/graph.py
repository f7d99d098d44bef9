"""State graphs, and the one search for shortest paths.

A graph is a list of transitions between numbered states, each labelled with an action. Several
actions may lead from one state to the next; under given costs the cheapest of them counts.
Distances are found by SciPy's Dijkstra, many starts a call, no further than the dearest plan that
is asked about: compiled by Numba the same search made whole runs twice as fast on the largest
tasks only, and half a second slower on all others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import inf

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

States = npt.NDArray[np.int32]
Vector = npt.NDArray[np.float64]

EXACT = 2**53
"""Sums of whole costs below this are exact in floating point."""
_TOGETHER = 16
"""Starts with similar limits that one call searches from."""
MANY_STATES = 20_000
"""With more states every search has a limit and a goal of its own."""


@dataclass(frozen=True, eq=False)
class Distances:
    """How far each state is (infinite beyond the limit), and the state before."""

    value: Vector
    before: States


class StateGraph:
    """Transitions in the order of their sources and targets; loops of one state are left out."""

    def __init__(self, size: int, source: States, target: States, action: States) -> None:
        kept = np.flatnonzero(source != target)
        # Explored transitions come in the order of their sources, which makes a stable sort quick.
        most = int(action.max(initial=0)) + 1
        key = (source[kept].astype(np.int64) * size + target[kept]) * most + action[kept]
        if not (key[1:] > key[:-1]).all():
            order = np.argsort(key, kind="stable")
            is_new = np.append(True, np.diff(key[order]) > 0)[: len(order)]
            kept = kept[order[is_new]]  # one action may have several operators
        self.size = size
        self.source, self.target, self.action = (
            array[kept].astype(np.int32) for array in (source, target, action)
        )
        is_first = np.ones(len(kept), dtype=bool)
        is_first[1:] = (np.diff(self.source) != 0) | (np.diff(self.target) != 0)
        self._begins = np.flatnonzero(is_first)
        """Of each pair of neighbours its first transition."""
        pair_source = self.source[self._begins]
        self._sources, self._targets = pair_source, self.target[self._begins]
        self._first_pair = np.searchsorted(pair_source, np.arange(size + 1)).astype(np.int32)

    def follow(self, state: int, actions: Sequence[int]) -> list[int]:
        """The states that actions lead through; an action without a transition changes nothing."""
        states = [state]
        for action in actions:
            after = self.leads(states[-1], [action])
            states.append(states[-1] if after is None else after)
        return states

    def leads(self, state: int, actions: Sequence[int]) -> int | None:
        """The state that actions lead to, each by a transition; None if one has none."""
        for action in actions:
            found = [target for target, own in self.out_of(state) if own == action]
            if not found:
                return None
            state = found[0]
        return state

    def distances_to(
        self, goals: npt.NDArray[np.int64], costs: Vector | None = None, limit: float = inf
    ) -> Vector:
        """What the cheapest way (None: the one with the fewest steps) from each state to one of
        these costs; infinite if there is none up to the limit.
        """
        if not len(goals):
            return np.full(self.size, inf)
        weights = np.ones(len(self._targets)) if costs is None else self.pairs(costs)
        backwards = self._matrix(weights).T.tocsr()
        return np.asarray(dijkstra(backwards, indices=goals, min_only=True, limit=limit))

    def search(
        self, costs: Vector, starts: npt.NDArray[np.int64], limits: Vector
    ) -> Iterator[tuple[int, Distances]]:
        """Distances from each start (its place) up to its limit, in the order of the limits."""
        matrix = self._matrix(self.pairs(costs))
        order = np.argsort(limits, kind="stable")
        together = _TOGETHER if self.size <= MANY_STATES else 1
        for begin in range(0, len(order), together):
            part = order[begin : begin + together]
            limit = float(limits[part[-1]])
            value, before = dijkstra(
                matrix, indices=starts[part], limit=limit, return_predecessors=True
            )
            for place, own_value, own_before in zip(part.tolist(), value, before, strict=True):
                yield place, Distances(own_value, own_before)

    def search_towards(self, pairs: Vector, start: int, limit: float, steps: Vector) -> Distances:
        """Distances from a start to the states from which a goal `steps` away costs no more than
        the limit, by the costs of `pairs` of neighbours.

        Dijkstra under reduced costs: every transition costs at least 1, so `steps` is a bound
        on the cost-to-go (A*). On the 172,800 states of a transport problem it is five to fifty
        times as fast.
        """
        alive = np.isfinite(steps)
        own = np.where(alive, steps, 0.0)
        weights = pairs + own[self._targets] - own[self._sources]
        weights = np.maximum(weights, 0.0)  # by rounding only it was less
        weights[~alive[self._targets]] = np.inf
        matrix = self._matrix(weights)
        room = float(limit - own[start])
        one = np.array([start])
        value, before = dijkstra(matrix, indices=one, limit=room, return_predecessors=True)
        return Distances(value[0] + own[start] - own, before[0])

    def cheapest_actions(self, states: Sequence[int], costs: Vector) -> tuple[int, ...]:
        """The cheapest action from each of these states to the next one."""
        return tuple(
            min((a for target, a in self.out_of(state) if target == after), key=costs.__getitem__)
            for state, after in pairwise(states)
        )

    def out_of(self, state: int) -> list[tuple[int, int]]:
        """Target and action of each transition that leads out of a state."""
        own = slice(self._first[state], self._first[state + 1])
        return list(zip(self.target[own].tolist(), self.action[own].tolist(), strict=True))

    def pairs(self, costs: Vector) -> Vector:
        """The cost of each pair of neighbours."""
        return np.minimum.reduceat(costs[self.action], self._begins)

    def _matrix(self, weights: Vector) -> csr_array:
        """Weights of pairs of neighbours, by source and target."""
        entries = weights, self._targets, self._first_pair
        return csr_array(entries, shape=(self.size, self.size))

    @cached_property
    def _first(self) -> States:
        """Where the transitions of each state begin."""
        return np.searchsorted(self.source, np.arange(self.size + 1)).astype(np.int32)

    @cached_property
    def reversed(self) -> StateGraph:
        """The same transitions, each from its target to its source."""
        return StateGraph(self.size, self.target, self.source, self.action)

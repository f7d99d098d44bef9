"""What the rest of the way costs from every state, and where a plan pays too much.

One search backwards from all goal states (Dijkstra's algorithm, by SciPy) gives the
*cost-to-go* of every state. A transition is *tight* if its cost is what the cost-to-go
falls by; the cheapest plans are the paths of tight transitions to a goal state.

A plan is optimal iff all its steps are tight. Around a step that is not, a part of the
plan can be replaced by something cheaper between the same two states (or up to the
goal): a subpath. A part of an optimal plan is itself optimal, so a subpath says more
than the whole plan does: it speaks of every plan that contains it.

SciPy counts in floating-point numbers, which are exact for integers up to 2**53. With
integer costs every answer is an exact integer; where it would be larger than that,
`OverflowError` is raised. (`CostToGo.values` itself may hold larger, rounded values.)
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from plancost.oracles.state_graph import Corridor, Indices, StateGraph

Costs = npt.NDArray[np.int64] | npt.NDArray[np.float64]
"""A positive cost for each of the graph's `action_names`."""

_LARGEST_EXACT = 2**53
_GOALS_AT_ONCE = 64
_DISTANCES_AT_ONCE = 2_000_000
"""A search cannot be stopped before its end, and takes 8 bytes for each goal and state."""


class PricedGraph:
    """A state graph with a cost for each action: what the searches for many goals share."""

    def __init__(self, graph: StateGraph, costs: Costs, corridor: Corridor | None = None) -> None:
        """Searches for costs-to-go stay in the corridor, if there is one."""
        if len(costs) != len(graph.action_names) or not np.all(costs > 0):
            raise ValueError("every action of the graph needs a positive cost")
        self.graph = graph
        self.costs = costs
        self.corridor = corridor
        self.is_exact = bool(np.issubdtype(costs.dtype, np.integer))
        self.weights = costs.astype(np.float64)

    @cached_property
    def _matrix(self) -> csr_array:
        """The transposed graph with the cheapest cost between each two states."""
        incoming = (self.corridor or self.graph).incoming
        entries = self.weights[incoming.actions]
        if incoming.first is not None:
            # A matrix adds up what stands in one place; between two states the cheapest counts.
            entries = np.minimum.reduceat(entries, incoming.first)
        return csr_array(
            (entries, incoming.indices, incoming.row_starts),
            shape=(self.graph.state_count, self.graph.state_count),
        )

    def distances(self, goal: Indices, limit: float = math.inf) -> npt.NDArray[np.float64]:
        """What the rest of the way to the nearest of some states costs, up to a limit."""
        if not len(goal):
            return np.full(self.graph.state_count, np.inf)
        found: npt.NDArray[np.float64] = dijkstra(
            self._matrix, directed=True, indices=goal, min_only=True, limit=limit
        )
        return found

    @cached_property
    def _outgoing(self) -> csr_array:
        graph, count = self.graph, self.graph.state_count
        return csr_array(
            (
                self.weights[graph.action],
                graph.target,
                graph.first_transition.astype(np.int32, copy=False),
            ),
            shape=(count, count),
        )

    def distances_from(self, states: Indices, limit: float = math.inf) -> npt.NDArray[np.float64]:
        """What the way to each state from the nearest of some states costs, up to a limit."""
        found: npt.NDArray[np.float64] = dijkstra(
            self._outgoing, directed=True, indices=states, min_only=True, limit=limit
        )
        return found

    def costs_to_go(
        self, goals: Sequence[Indices], limits: Sequence[float] | None = None
    ) -> Iterator[tuple[int, CostToGo]]:
        """The cost-to-go for each goal, with its number, in an order of its own.

        Each is searched at least up to its limit. Goals of one state and with limits that
        differ little are searched in one go. Only a few of the answers exist at a time.
        """
        ends = [math.inf] * len(goals) if limits is None else limits
        single = [number for number, goal in enumerate(goals) if len(goal) == 1]
        single.sort(key=ends.__getitem__)
        most = max(1, min(_GOALS_AT_ONCE, _DISTANCES_AT_ONCE // max(1, self.graph.state_count)))
        for first in range(0, len(single), most):
            numbers = single[first : first + most]
            states = np.array([goals[number][0] for number in numbers])
            found = dijkstra(self._matrix, directed=True, indices=states, limit=ends[numbers[-1]])
            for number, values in zip(numbers, found, strict=True):
                yield number, CostToGo.of(self, values)
        for number, goal in enumerate(goals):
            if len(goal) != 1:
                yield number, CostToGo.of(self, self.distances(goal, ends[number]))


class CostToGo:
    """The cost-to-go of every state, for one set of goal states and one cost vector.

    `values` is infinite where no goal state can be reached, or not within `limit`.
    """

    def __init__(
        self, graph: StateGraph, goal: Indices, costs: Costs, limit: float = math.inf
    ) -> None:
        """Search backwards from the goal."""
        priced = PricedGraph(graph, costs)
        self._begin(priced, priced.distances(goal, limit))

    @classmethod
    def of(cls, priced: PricedGraph, values: npt.NDArray[np.float64]) -> CostToGo:
        """What a search has found already."""
        found = cls.__new__(cls)
        found._begin(priced, values)
        return found

    def _begin(self, priced: PricedGraph, values: npt.NDArray[np.float64]) -> None:
        self.graph = priced.graph
        self.costs = priced.costs
        self.is_exact = priced.is_exact
        self.weights = priced.weights
        self.values = values
        self._steps: dict[int, tuple[int, int]] = {}

    def cost_from(self, state: int) -> int | float | None:
        """The cost of the cheapest plan from a state, or None if there is none."""
        cost = float(self.values[state])
        return self.number(cost) if math.isfinite(cost) else None

    def step(self, state: int) -> tuple[int, int]:
        """The first action of a cheapest plan from a state, and the state behind it.

        Of several, the action with the lowest number.
        """
        known = self._steps.get(state)
        if known is None:
            value, weight = self.values.item, self.weights.item
            here, best = value(state), math.inf
            for action, target in self.graph.steps_from(state):
                ahead = value(target)
                # With floats, rounding must not lead us in a circle: only ever go down.
                if ahead < here and weight(action) + ahead < best:
                    best, known = weight(action) + ahead, (action, target)
            if known is None:
                raise ValueError("no goal state can be reached from this state")
            self._steps[state] = known
        return known

    def tight_transitions(self, state: int) -> list[tuple[int, int]]:
        """Actions and states behind them with which cheapest plans from a state begin."""
        self.require_integers()
        first, stop = self.graph.first_transition[state : state + 2]
        actions, targets = self.graph.action[first:stop], self.graph.target[first:stop]
        tight = self.weights[actions] + self.values[targets] == self.values[state]
        return list(zip(actions[tight].tolist(), targets[tight].tolist(), strict=True))

    def prefix_costs(self, actions: Sequence[int] | Indices) -> list[int] | list[float]:
        """What the first 0, 1, 2, ... of the actions cost together."""
        prefix = list(
            accumulate(self.costs[np.asarray(actions, dtype=np.int64)].tolist(), initial=0)
        )
        self.check_exact(prefix[-1])
        return prefix

    def number(self, cost: float) -> int | float:
        """A cost as an integer if the costs are integers."""
        self.check_exact(cost)
        return int(cost) if self.is_exact else cost

    def check_exact(self, cost: float) -> None:
        """Raise if integer costs have added up to more than floats can tell apart.

        Sums are rounded to the nearest float, so what ends below the bound is exact, and
        nothing beyond it can have undercut it by rounding.
        """
        if self.is_exact and cost >= _LARGEST_EXACT:
            raise OverflowError(f"these costs add up to {cost:.3g}, beyond exact arithmetic")

    def require_integers(self) -> None:
        """Raise if the costs are floats, where equal sums may look different."""
        if not self.is_exact:
            raise ValueError("this question needs integer costs")


@dataclass(frozen=True)
class Subpath:
    """Where a plan pays too much: its steps ``start:stop`` against cheaper actions.

    The actions lead from the same state to the same state, or with `stop` None to a
    goal state that the rest of the plan does not pass.
    """

    start: int
    stop: int | None
    actions: tuple[int, ...]


def most_falls(cost_to_go: CostToGo, limit: float) -> npt.NDArray[np.float64]:
    """For each action the most that costs-to-go, capped at the limit, fall along it; at least 0."""
    graph = cost_to_go.graph
    capped = np.minimum(cost_to_go.values, limit)
    entered = np.flatnonzero(capped[graph.target] < limit)
    falls = capped[graph.source[entered]] - capped[graph.target[entered]]
    most = np.zeros(len(graph.action_names))
    np.maximum.at(most, graph.action[entered], falls)
    return most


def cheapest_plan(cost_to_go: CostToGo, start: int) -> tuple[Indices, Indices] | None:
    """Actions and states of a cheapest plan from a state, or None if there is none."""
    if cost_to_go.cost_from(start) is None:
        return None
    actions: list[int] = []
    states = [start]
    while cost_to_go.values[states[-1]] > 0:
        action, state = cost_to_go.step(states[-1])
        actions.append(action)
        states.append(state)
    return np.array(actions, dtype=np.int64), np.array(states, dtype=np.int64)


def cheaper_subpaths(
    cost_to_go: CostToGo,
    states: Sequence[int] | Indices,
    actions: Sequence[int] | Indices,
    least_gain: float = 0.0,
) -> list[Subpath]:
    """The subpaths of a plan that can be had for less, the last first.

    There is one for every step that is not tight: from the state before it along a
    cheapest plan, up to where that meets a later state of the observed plan. A
    subpath must save more than `least_gain` (for costs that are floats).
    """
    prefix = cost_to_go.prefix_costs(actions)
    ahead = cost_to_go.values[np.asarray(states, dtype=np.int64)]
    paid = cost_to_go.weights[np.asarray(actions, dtype=np.int64)] + ahead[1:]
    last_visit = {int(state): step for step, state in enumerate(states)}
    found = []
    for start in np.flatnonzero(paid > ahead[:-1] + least_gain)[::-1].tolist():
        subpath = _subpath(cost_to_go, start, int(states[start]), last_visit)
        stop = len(actions) if subpath.stop is None else subpath.stop
        if prefix[stop] - prefix[start] - cost_to_go.prefix_costs(subpath.actions)[-1] > least_gain:
            found.append(subpath)
    return found


def _subpath(cost_to_go: CostToGo, start: int, state: int, last_visit: dict[int, int]) -> Subpath:
    actions: list[int] = []
    while last_visit.get(state, 0) <= start:
        if cost_to_go.values[state] == 0:
            return Subpath(start, None, tuple(actions))
        action, state = cost_to_go.step(state)
        actions.append(action)
    return Subpath(start, last_visit[state], tuple(actions))

"""Low prices for the actions that a set of plans does not use, without a linear program.

Costs under which the plans are optimal as long as all other actions are priced out say all about
the actions that the plans use. The others begin at their baseline. Where an alternative is cheaper
than a plan now, it has such actions, and they become more expensive by what is missing. That
never hurts a plan, since none uses them: so a plan needs to be looked at only until it is optimal
once. What is missing is added where most alternatives of the round pass.

Prices only rise, and so does what the cheapest way through a state costs. What costs more than the
plans already will never be on a cheaper way, so after the first search of a large graph all others
stay in the corridor of the other states.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from plancost.learning.problem.task import Costs, LearningTask, PlanSet
from plancost.learning.separation.paths import Path, Paths
from plancost.oracles.shortest_paths import CostToGo, PricedGraph, cheaper_subpaths
from plancost.oracles.state_graph import Corridor, StateGraph
from plancost.system.clock import Deadline

_LARGE_GRAPH = 20_000
"""States from which on a corridor is worth its while."""
_MOST_REMEMBERED = 5_000_000
"""States of all corridors of a graph."""


def can_raise_prices(task: LearningTask) -> bool:
    """Whether every action has a price of its own that may be raised, and ties do not matter."""
    return (
        task.prices_out
        and not task.concept.is_strict
        and task.composition is None
        and not task.known
        and task.factors is None
    )


def raise_prices(
    task: LearningTask,
    paths: Paths,
    chosen: PlanSet,
    costs: Costs,
    deadline: Deadline,
    *,
    begin: Costs | None = None,
) -> Costs | None:
    """Costs that make the chosen plans optimal, with low prices of unused actions.

    Those of used actions stay as they are; the others rise from where they `begin` (None: at the
    baseline). The `paths` are through state graphs of all actions. None: no time, or no prices of
    unused actions make these plans optimal.
    """
    used = task.kept_actions(chosen)
    low = task.baseline if begin is None else begin
    raised = np.array(
        [cost if n in used else low[n] for n, cost in enumerate(costs)], dtype=np.int64
    )
    free = np.ones(len(costs), dtype=bool)
    free[sorted(used)] = False
    for graph, members in paths.by_graph(sorted(chosen)):
        numbers = np.array(paths.numbers(graph), dtype=np.int64)
        market = _Market(graph, raised[numbers], free[numbers])
        left = [paths[number] for number in members]
        while left:
            found = market.alternatives(left, deadline)
            if found is None:
                return None
            left = [path for path, _ in found]
            if not market.adjust([each for _, own in found for each in own]):
                return None
        raised[numbers] = market.prices
    return tuple(raised.tolist())


@dataclass(frozen=True)
class _Alternative:
    """Cheaper actions, and the steps of a plan that they are an alternative to."""

    own: tuple[int, ...]
    other: tuple[int, ...]


class _Market:
    """The prices of the actions of one graph; those that are free may rise."""

    def __init__(self, graph: StateGraph, prices: np.ndarray, free: np.ndarray) -> None:
        self._graph = graph
        self._free = free
        self._corridors: dict[bytes, Corridor] = {}
        self.prices = prices

    def alternatives(
        self, paths: Sequence[Path], deadline: Deadline
    ) -> list[tuple[Path, list[_Alternative]]] | None:
        """The plans that are not optimal, with cheaper alternatives to parts; None: no time."""
        by_goal: dict[bytes, list[Path]] = {}
        for path in paths:
            by_goal.setdefault(path.goal, []).append(path)
        groups = list(by_goal.values())
        found = []
        for group, cost_to_go in self._costs_to_go(groups):
            if deadline.is_over:
                return None
            for path in group:
                if cost_to_go.values.item(path.states[0]) < self._cost(path.actions):
                    subpaths = cheaper_subpaths(cost_to_go, path.states, path.actions)
                    own = [
                        _Alternative(path.actions[part.start : part.stop], part.actions)
                        for part in subpaths
                    ]
                    found.append((path, own))
        return found

    def _costs_to_go(self, groups: Sequence[list[Path]]) -> Iterator[tuple[list[Path], CostToGo]]:
        """The costs-to-go of paths with the same goal, in a corridor if that is known."""
        limits = [max(self._cost(path.actions) for path in group) for group in groups]
        goals = [np.frombuffer(group[0].goal, dtype=np.int64) for group in groups]
        new = [n for n, group in enumerate(groups) if group[0].goal not in self._corridors]
        priced = PricedGraph(self._graph, self.prices)
        for place, cost_to_go in priced.costs_to_go(
            [goals[n] for n in new], [limits[n] for n in new]
        ):
            group, limit = groups[new[place]], limits[new[place]]
            if _LARGE_GRAPH < self._graph.state_count <= _MOST_REMEMBERED / len(groups):
                starts = np.unique([path.states[0] for path in group])
                through = priced.distances_from(starts) + cost_to_go.values
                self._corridors[group[0].goal] = self._graph.corridor(through <= limit)
            yield group, cost_to_go
        for number in sorted(set(range(len(groups))) - set(new)):
            corridor = self._corridors[groups[number][0].goal]
            narrow = PricedGraph(self._graph, self.prices, corridor)
            values = narrow.distances(goals[number], limits[number])
            yield groups[number], CostToGo.of(narrow, values)

    def adjust(self, alternatives: Sequence[_Alternative]) -> bool:
        """Raise prices until none of these is cheaper; False if one has no price that may rise."""
        often = Counter(action for each in alternatives for action in self._rising(each))
        for each in alternatives:
            missing = self._cost(each.own) - self._cost(each.other)
            if missing <= 0:
                continue
            place = max(
                self._rising(each), key=lambda action: (often[action], -action), default=None
            )
            if place is None:
                return False
            times = each.other.count(place)
            self.prices[place] += -(-missing // times)
        return True

    def _rising(self, alternative: _Alternative) -> Iterator[int]:
        return (action for action in alternative.other if self._free[action])

    def _cost(self, actions: Sequence[int]) -> int:
        return int(self.prices[list(actions)].sum()) if actions else 0

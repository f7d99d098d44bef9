"""Low prices for the actions that a set of plans does not use, without a linear program.

Costs under which the plans are optimal as long as all other actions are priced out say all about
the actions that the plans use. The others begin at their baseline. Where an alternative is cheaper
than a plan now, it has such actions, and they become more expensive by what is missing. That
never hurts a plan, since none uses them: so a plan needs to be looked at only until it is optimal
once. What is missing is added where most alternatives of the round pass.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from plancost.learning.problem.task import Costs, LearningTask, PlanSet
from plancost.learning.separation.paths import Path, Paths
from plancost.oracles.shortest_paths import PricedGraph, cheaper_subpaths
from plancost.oracles.state_graph import StateGraph
from plancost.system.clock import Deadline


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
) -> Costs | None:
    """Costs that make the chosen plans optimal, with low prices of unused actions; None: no time.

    Under the costs given they are optimal too. Those of used actions stay as they are. The `paths`
    are through state graphs of all actions.
    """
    used = task.kept_actions(chosen)
    raised = np.array(
        [cost if n in used else task.baseline[n] for n, cost in enumerate(costs)], dtype=np.int64
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
        self.prices = prices

    def alternatives(
        self, paths: Sequence[Path], deadline: Deadline
    ) -> list[tuple[Path, list[_Alternative]]] | None:
        """The plans that are not optimal, with cheaper alternatives to parts; None: no time."""
        by_goal: dict[bytes, list[Path]] = {}
        for path in paths:
            by_goal.setdefault(path.goal, []).append(path)
        groups = list(by_goal.values())
        limits = [max(self._cost(path.actions) for path in group) for group in groups]
        goals = [np.frombuffer(group[0].goal, dtype=np.int64) for group in groups]
        found = []
        priced = PricedGraph(self._graph, self.prices)
        for which, cost_to_go in priced.costs_to_go(goals, limits):
            if deadline.is_over:
                return None
            for path in groups[which]:
                if cost_to_go.values.item(path.states[0]) < self._cost(path.actions):
                    subpaths = cheaper_subpaths(cost_to_go, path.states, path.actions)
                    own = [
                        _Alternative(path.actions[part.start : part.stop], part.actions)
                        for part in subpaths
                    ]
                    found.append((path, own))
        return found

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

"""The oracle by explicit state graphs, in exact integer arithmetic."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from plancost.observations.planfile import Plan, plan_cost
from plancost.oracles.oracle import Allowed, Answer
from plancost.oracles.other_plans import different_multiset_plan, unlisted_optimal_plan
from plancost.oracles.shortest_paths import CostToGo, PricedGraph, cheapest_plan
from plancost.oracles.state_graph import StateGraph
from plancost.system.clock import Deadline


@dataclass(frozen=True)
class TaskGraph:
    """A state graph, and which of its tasks is meant."""

    graph: StateGraph
    task: int


class GraphOracle:
    """Answers from state graphs that contain every action that could matter."""

    name = "graph"

    def __init__(
        self, graphs: Mapping[int, TaskGraph], bounds: Mapping[int, int] | None = None
    ) -> None:
        """`bounds` says what some plan of a task costs, so that a search need not go further."""
        self._graphs = graphs
        self._bounds = bounds or {}
        self._priced: dict[int, tuple[Mapping[str, int], PricedGraph]] = {}

    def cheapest(self, task: int, costs: Mapping[str, int], deadline: Deadline) -> Answer:
        """The cheapest plan, by one search backwards from the goal states."""
        if deadline.is_over:
            return Answer(None, None, proven=False)
        try:
            cost_to_go, start, names = self._costs_to_go(task, costs)
            plan = cheapest_plan(cost_to_go, start)
        except OverflowError:  # sums that cannot be counted exactly
            return Answer(None, None, proven=False)
        if plan is None:
            return Answer(None, None, proven=True)
        return _answer([names[action] for action in plan[0].tolist()], costs)

    def outside(
        self, task: int, costs: Mapping[str, int], allowed: Allowed, cost: int, deadline: Deadline
    ) -> Answer:
        """A cheapest plan outside the allowed set."""
        if deadline.is_over:
            return Answer(None, None, proven=False)
        cost_to_go, start, names = self._costs_to_go(task, costs)
        if cost_to_go.cost_from(start) != cost:
            raise ValueError("this question is about the optimum of the task")
        numbers = cost_to_go.graph.action_number
        # The graph may lack actions that cost more than the optimum, and so do plans with them.
        inside = [plan for plan in allowed.plans if all(name in numbers for name in plan)]
        plans = [[numbers[name] for name in plan] for plan in inside]
        search = different_multiset_plan if allowed.any_order else unlisted_optimal_plan
        found = search(cost_to_go, start, plans)
        if found is None:
            return Answer(None, None, proven=True)
        return _answer([names[action] for action in found], costs)

    def _costs_to_go(
        self, task: int, costs: Mapping[str, int]
    ) -> tuple[CostToGo, int, tuple[str, ...]]:
        at = self._graphs[task]
        priced, start = self._priced_graph(at.graph, costs), at.graph.initial[at.task]
        goal, bound = at.graph.goals[at.task], self._bounds.get(task, math.inf)
        values = priced.distances(goal, bound)
        if not math.isfinite(values[start]) and math.isfinite(bound):
            values = priced.distances(goal)
        return CostToGo.of(priced, values), start, at.graph.action_names

    def _priced_graph(self, graph: StateGraph, costs: Mapping[str, int]) -> PricedGraph:
        """A graph with these costs; many questions in a row are about the same."""
        known = self._priced.get(id(graph))
        if known is not None and known[0] is costs:
            return known[1]
        vector = np.array([costs[name] for name in graph.action_names], dtype=np.int64)
        priced = PricedGraph(graph, vector)
        self._priced[id(graph)] = costs, priced
        return priced


def _answer(plan: Sequence[str], costs: Mapping[str, int]) -> Answer:
    steps: Plan = tuple(plan)
    return Answer(steps, plan_cost(steps, costs), proven=True)

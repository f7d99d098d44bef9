"""Prices that were set high for safety come down, all at once and without a linear program.

Let phi be a number for each state of a task, 0 in its goal states. If every transition costs at
least as much as phi falls along it, then no plan from a state costs less than its phi. The
cost-to-go is such a phi, also if it is capped at the cost of the chosen plans. So an action that no
chosen plan uses may be as cheap as the most that phi falls along any of its transitions, in any
of the tasks; and with these prices the cost-to-go is lower, and prices may fall again. Where a cost
is made of several parameters, the used ones count first, and each of the others has to do alone.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from plancost.learning.problem.task import Costs, LearningTask, PlanSet
from plancost.oracles.graph_oracle import TaskGraph
from plancost.oracles.shortest_paths import PricedGraph, most_falls
from plancost.oracles.state_graph import StateGraph
from plancost.system.clock import Deadline

_MOST_ROUNDS = 10


def reduce_prices(
    task: LearningTask,
    graphs: Mapping[int, TaskGraph],
    chosen: PlanSet,
    costs: Costs,
    deadline: Deadline,
) -> Costs:
    """Cheaper costs under which the chosen plans are still optimal.

    `graphs` have all actions; the costs of actions that chosen plans (or plans of known cost)
    use do not change.
    """
    used = task.kept_actions(chosen)
    for _ in range(_MOST_ROUNDS):
        if deadline.is_over:
            break
        needed = _needed_prices(task, graphs, chosen, costs, used)
        lower = task.structure.completed(
            [
                cost if action in used else min(cost, max(task.baseline[action], needed[action]))
                for action, cost in enumerate(costs)
            ]
        )
        if lower == costs:
            break
        costs = lower
    return costs


def _needed_prices(
    task: LearningTask,
    graphs: Mapping[int, TaskGraph],
    chosen: PlanSet,
    costs: Costs,
    used: frozenset[int],
) -> list[int]:
    """For each parameter that is not used, the least for which the costs it is in suffice."""
    needed = [0] * len(costs)
    for action, fall in enumerate(_falls(task, graphs, chosen, costs)):
        parts = task.structure.parts[action]
        rest = max(1, fall) - sum(times * costs[p] for p, times in parts if p in used)
        for parameter, times in parts:
            if parameter not in used:
                needed[parameter] = max(needed[parameter], -(-rest // times))
    return needed


def _falls(
    task: LearningTask, graphs: Mapping[int, TaskGraph], chosen: PlanSet, costs: Costs
) -> list[int]:
    """For each action the most that the cost-to-go falls along it, and 1 more if strict."""
    needed = np.zeros(len(task.case.actions), dtype=np.int64)
    vector = np.array(task.structure.costs(costs), dtype=np.int64)
    plan_costs = [int(cost) for cost in task.count_matrix @ np.array(costs, dtype=np.int64)]
    # Of plans with the same goal, the most expensive asks for the most.
    dearest: dict[int, dict[bytes, tuple[int, int]]] = {}
    graph_of: dict[int, StateGraph] = {}
    for number in sorted(chosen):
        at = graphs[task.candidates[number].task]
        graph_of[id(at.graph)] = at.graph
        own = dearest.setdefault(id(at.graph), {})
        goal = at.graph.goals[at.task].tobytes()
        own[goal] = max(own.get(goal, (0, 0)), (plan_costs[number], at.task))
    for key, by_goal in dearest.items():
        graph = graph_of[key]
        numbers = np.array(
            [task.action_number[name] for name in graph.action_names], dtype=np.int64
        )
        priced = PricedGraph(graph, vector[numbers])
        most = np.zeros(len(numbers), dtype=np.int64)
        limits = [cost for cost, _ in by_goal.values()]
        goals = [graph.goals[at_task] for _, at_task in by_goal.values()]
        for which, cost_to_go in priced.costs_to_go(goals, limits):
            falls = most_falls(cost_to_go, limits[which])
            np.maximum(most, falls.astype(np.int64), out=most)
        np.maximum.at(needed, numbers, most + int(task.concept.is_strict))
    return needed.tolist()

"""Of each observed plan the cheapest other one, to be seen beside it.

Beside a plan that is not the cheapest of its task stands the cheapest one. Beside a cheapest plan
stands the cheapest other one that passes no state twice, so that it is no plan with a detour and
back.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from math import inf

from plancost.case.model import Actions, Case, Ints
from plancost.clock import Clock
from plancost.errors import LimitError, PlannerError
from plancost.search.cheapest import CostToGo, costs_to_go
from plancost.search.planners import Planners
from plancost.search.transitions import Reached, state_graph

_MOST_STATES = 300_000
"""Larger worlds are left to planners, which find no second plan."""
_DEARER = (2, 1)
"""Actions that cost more than so many times the dearest plan are left out: of alternatives that
cost no more than that none is missed. The second is for worlds that are too large otherwise."""


@dataclass(frozen=True)
class Alternative:
    """Another plan of the same task."""

    cost: int
    actions: Actions


Plans = dict[int, dict[Actions, int]]
"""Of tasks the observed plans, with their costs."""
Others = Iterator[tuple[tuple[int, Actions], Alternative]]
"""Of tasks and plans."""


def find_alternatives(case: Case, costs: Ints, clock: Clock) -> list[Alternative | None]:
    """Of each observation; None where there is none, or none was found in time."""
    by_world: dict[int, Plans] = defaultdict(lambda: defaultdict(dict))
    for item in case.observations:
        plans = by_world[case.tasks[item.task].world]
        plans[item.task][item.actions] = case.cost(item.actions, costs)
    found: dict[tuple[int, Actions], Alternative] = {}
    for place, (world, plans) in enumerate(by_world.items()):
        share = clock.part(clock.remaining / (len(by_world) - place))
        found.update(_in_world(case, costs, world, plans, share))
    return [found.get((item.task, item.actions)) for item in case.observations]


def _in_world(case: Case, costs: Ints, world: int, plans: Plans, clock: Clock) -> Others:
    dearest = max(cost for own in plans.values() for cost in own.values())
    tasks = [case.tasks[task] for task in plans]
    for most in (times * dearest for times in _DEARER):
        part = clock.part(clock.remaining / 2)
        reached = state_graph(case.worlds[world], tasks, costs <= most, _MOST_STATES, part)
        if reached is not None:
            found = _on_graph(reached, costs, plans, clock)
            return ((plan, other) for plan, other in found if other.cost <= most)
    return _by_planners(case, costs, plans, clock)


def _on_graph(reached: Reached, costs: Ints, plans: Plans, clock: Clock) -> Others:
    tasks = list(plans)
    for togo, places in costs_to_go(reached, costs, [inf] * len(tasks)):
        for task, start in ((tasks[place], reached.starts[place]) for place in places):
            best = Alternative(*next(togo.plans(start)))
            for plan, cost in plans[task].items():
                other: Alternative | None = best
                if cost == best.cost:
                    other = None if clock.is_over else _cheapest_other(togo, start, plan)
                if other is not None:
                    yield (task, plan), other


def _by_planners(case: Case, costs: Ints, plans: Plans, clock: Clock) -> Others:
    """Only the cheapest plans, of tasks with a plan that costs more."""
    planners = Planners(case)
    for place, (task, own) in enumerate(plans.items()):
        share = clock.part(clock.remaining / (len(plans) - place))
        try:
            answer = planners.cheapest(task, costs, share)
        except (PlannerError, LimitError):
            continue
        for plan, cost in own.items():
            if answer.cost is not None and cost > answer.cost:
                yield (task, plan), Alternative(answer.cost, answer.plans[0])


def _cheapest_other(togo: CostToGo, start: int, plan: Actions) -> Alternative | None:
    """The cheapest other plan that passes no state twice: A* from every step at once.

    A way that has left the plan at a step never comes back to the states before it.
    """
    states = togo.graph.follow(start, plan)
    behind = [frozenset(states[: step + 1]) for step in range(len(plan))]
    goal = frozenset(togo.goal.tolist())
    waiting: list[tuple[float, int, int, int, int, Actions]] = []
    numbers = count()

    def leave(step: int, state: int, spent: int, actions: Actions, without: int | None) -> None:
        """Go on from a state by all actions but one."""
        for target, action in togo.graph.out_of(state):
            if action != without and target not in behind[step] and togo.value[target] < inf:
                cost = spent + int(togo.costs[action])
                bound, way = cost + togo.value[target], (*actions, action)
                heapq.heappush(waiting, (bound, next(numbers), cost, step, target, way))

    prefix = 0
    for step, action in enumerate(plan):
        leave(step, states[step], prefix, plan[:step], action)
        prefix += int(togo.costs[action])
    done: set[tuple[int, int]] = set()
    while waiting:
        _, _, spent, step, state, actions = heapq.heappop(waiting)
        if state in goal:
            return Alternative(spent, actions)
        if (step, state) not in done:
            done.add((step, state))
            leave(step, state, spent, actions, None)
    return None

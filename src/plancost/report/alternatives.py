"""Of each observed plan the cheapest other one, to be seen beside it.

Beside a plan that is not the cheapest of its task stands the cheapest one. Beside a cheapest plan
stands the cheapest other one that passes no state twice, so that it is no plan with a detour and
back.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Sequence
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


def find_alternatives(case: Case, costs: Ints, clock: Clock) -> list[Alternative | None]:
    """Of each observation; None where there is none, or none was found in time."""
    by_world: dict[int, list[int]] = defaultdict(list)
    for number, observation in enumerate(case.observations):
        by_world[case.tasks[observation.task].world].append(number)
    found: dict[int, Alternative | None] = {}
    for place, (world, members) in enumerate(by_world.items()):
        share = clock.part(clock.remaining / (len(by_world) - place))
        found.update(_World(case, costs, world, members).alternatives(share))
    return [found.get(number) for number in range(len(case.observations))]


@dataclass(frozen=True)
class _World:
    """The observations (their numbers) of one world."""

    case: Case
    costs: Ints
    number: int
    members: list[int]

    def alternatives(self, clock: Clock) -> dict[int, Alternative | None]:
        tasks = sorted({self.case.observations[n].task for n in self.members})
        world, own = self.case.worlds[self.number], [self.case.tasks[task] for task in tasks]
        dearest = max(self._cost(n) for n in self.members)
        for times in _DEARER:
            part = clock.part(clock.remaining / 2)
            allowed = self.costs <= times * dearest
            reached = state_graph(world, own, allowed, _MOST_STATES, part)
            if reached is not None:
                found = self._on_graph(reached, tasks, clock)
                return {n: it for n, it in found.items() if it and it.cost <= times * dearest}
        return self._by_planners(tasks, clock)

    def _cost(self, number: int) -> int:
        return self.case.cost(self.case.observations[number].actions, self.costs)

    def _on_graph(
        self, reached: Reached, tasks: Sequence[int], clock: Clock
    ) -> dict[int, Alternative | None]:
        found: dict[int, Alternative | None] = {}
        for togo, places in costs_to_go(reached, self.costs, [inf] * len(tasks)):
            for place in places:
                start = reached.starts[place]
                best = Alternative(*next(togo.plans(start)))
                seen: dict[Actions, Alternative | None] = {}
                for number in self._of_task(tasks[place]):
                    plan = self.case.observations[number].actions
                    if self._cost(number) > best.cost:
                        found[number] = best
                    elif not clock.is_over:
                        if plan not in seen:
                            seen[plan] = _cheapest_other(togo, start, plan)
                        found[number] = seen[plan]
        return found

    def _of_task(self, task: int) -> list[int]:
        return [n for n in self.members if self.case.observations[n].task == task]

    def _by_planners(self, tasks: Sequence[int], clock: Clock) -> dict[int, Alternative | None]:
        """Only the cheapest plans, of tasks with a plan that costs more."""
        planners = Planners(self.case)
        found: dict[int, Alternative | None] = {}
        for place, task in enumerate(tasks):
            share = clock.part(clock.remaining / (len(tasks) - place))
            try:
                answer = planners.cheapest(task, self.costs, share)
            except (PlannerError, LimitError):
                continue
            if answer.cost is not None:
                best = Alternative(answer.cost, answer.plans[0])
                members = self._of_task(task)
                found.update({n: best for n in members if self._cost(n) > best.cost})
        return found


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

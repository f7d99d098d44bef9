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

import numpy as np
import numpy.typing as npt
from scipy.sparse.csgraph import dijkstra

from plancost.case.model import Case
from plancost.clock import Clock
from plancost.errors import LimitError, PlannerError
from plancost.search.cheapest import cheapest_plans
from plancost.search.planners import Planners
from plancost.search.transitions import Reached, can_be_explored, state_graph

Costs = npt.NDArray[np.int64]
Actions = tuple[int, ...]

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


def find_alternatives(case: Case, costs: Costs, clock: Clock) -> list[Alternative | None]:
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
    costs: Costs
    number: int
    members: list[int]

    def alternatives(self, clock: Clock) -> dict[int, Alternative | None]:
        tasks = sorted({self.case.observations[n].task for n in self.members})
        world, own = self.case.worlds[self.number], [self.case.tasks[task] for task in tasks]
        dearest = max(self._cost(n) for n in self.members)
        if can_be_explored(world):
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
        best = dict(zip(tasks, cheapest_plans(reached, self.costs), strict=True))
        backwards = reached.graph.backwards(self.costs.astype(np.float64))
        by_goal: dict[bytes, list[int]] = defaultdict(list)
        for place, goal in enumerate(reached.goals):
            by_goal[goal.tobytes()].append(place)
        found: dict[int, Alternative | None] = {}
        for places in by_goal.values():
            goal = reached.goals[places[0]]
            togo = np.asarray(dijkstra(backwards, indices=goal, min_only=True))
            for place in places:
                seen: dict[Actions, Alternative | None] = {}
                for number in self.members:
                    plan = self.case.observations[number]
                    if plan.task != tasks[place] or clock.is_over:
                        continue
                    if self._cost(number) > best[plan.task][0][0]:
                        found[number] = Alternative(*best[plan.task][0])
                        continue
                    if plan.actions not in seen:
                        way = _Deviations(reached, self.costs, togo, frozenset(goal.tolist()))
                        seen[plan.actions] = way.cheapest(reached.starts[place], plan.actions)
                    found[number] = seen[plan.actions]
        return found

    def _by_planners(self, tasks: Sequence[int], clock: Clock) -> dict[int, Alternative | None]:
        """Only the cheapest plans, of tasks with a plan that costs more."""
        planners = Planners(self.case)
        found: dict[int, Alternative | None] = {}
        for place, task in enumerate(tasks):
            share = clock.part(clock.remaining / (len(tasks) - place))
            members = [n for n in self.members if self.case.observations[n].task == task]
            try:
                answer = planners.cheapest(task, self.costs, share)
            except (PlannerError, LimitError):
                continue
            if answer.cost is not None:
                best = Alternative(answer.cost, answer.plans[0])
                found.update({n: best for n in members if self._cost(n) > best.cost})
        return found


@dataclass(frozen=True)
class _Deviations:
    """Ways that leave a plan; `togo` is what each state costs to the goal."""

    reached: Reached
    costs: Costs
    togo: npt.NDArray[np.float64]
    goal: frozenset[int]

    def cheapest(self, start: int, plan: Actions) -> Alternative | None:
        """The cheapest other plan that passes no state twice: A* from every step at once.

        A way that has left the plan at a step never comes back to the states before it.
        """
        graph, togo = self.reached.graph, self.togo
        states = graph.follow(start, plan)
        behind = [frozenset(states[: step + 1]) for step in range(len(plan))]
        waiting: list[tuple[float, int, int, int, int, Actions]] = []
        count, spent = 0, 0
        for step, action in enumerate(plan):
            for target, other in graph.out_of(states[step]):
                if other != action and target not in behind[step]:
                    cost, count = spent + int(self.costs[other]), count + 1
                    way = (*plan[:step], other)
                    heapq.heappush(waiting, (cost + togo[target], count, cost, step, target, way))
            spent += int(self.costs[action])
        done: set[tuple[int, int]] = set()
        while waiting:
            bound, _, spent, step, state, actions = heapq.heappop(waiting)
            if not np.isfinite(bound):
                return None
            if state in self.goal:
                return Alternative(spent, actions)
            if (step, state) in done:
                continue
            done.add((step, state))
            for target, action in graph.out_of(state):
                if target not in behind[step] and (step, target) not in done:
                    cost, count = spent + int(self.costs[action]), count + 1
                    way = (*actions, action)
                    heapq.heappush(waiting, (cost + togo[target], count, cost, step, target, way))
        return None

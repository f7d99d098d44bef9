"""Plans as paths through state graphs, and which plans have a stretch in common.

A stretch of an optimal plan is optimal between its ends. So a row that speaks of a stretch is
demanded by every plan that contains it (lifting).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from plancost.clock import Clock
from plancost.learn.oracles import Oracles
from plancost.learn.rows import Cut, Mask, PlanSet
from plancost.learn.task import ONE, LearningTask
from plancost.search.transitions import Indices, Reached, can_be_explored


class Paths:
    """The plans of a learning task on the state graphs of some actions."""

    def __init__(
        self, task: LearningTask, worlds: dict[int, Reached], places: list[tuple[int, int]]
    ) -> None:
        self.task = task
        self.worlds = worlds
        self._places = places
        """Of each problem: its world, and which of the tasks of that graph it is."""
        goals: dict[tuple[int, tuple[int, ...]], int] = {}
        self.states: list[list[int]] = []
        self.world = np.array([places[plan.problem][0] for plan in task.plans], dtype=np.int64)
        self.start = np.zeros(len(task.plans), dtype=np.int64)
        self.goal = np.zeros(len(task.plans), dtype=np.int64)
        self.goals: list[Indices] = []
        """The states of each goal."""
        self.cuts: dict[object, Cut] = {}
        """By stretch and alternative: many plans find the same one."""
        self._visits: dict[tuple[int, int, int], list[tuple[int, int]]] = defaultdict(list)
        for number, plan in enumerate(task.plans):
            world, place = places[plan.problem]
            reached = worlds.get(world)
            if reached is None:
                self.states.append([])
                continue
            key = world, tuple(reached.goals[place].tolist())
            self.goal[number] = goals.setdefault(key, len(goals))
            if len(goals) > len(self.goals):
                self.goals.append(reached.goals[place])
            self.start[number] = reached.starts[place]
            states = reached.graph.follow(reached.starts[place], plan.actions)
            self.states.append(states)
            if plan.factor != ONE:
                continue  # a stretch of a plan that may cost more is not optimal
            for step, (state, action) in enumerate(zip(states, plan.actions, strict=False)):
                self._visits[world, state, action].append((number, step))
        self.end = np.array([own[-1] if own else 0 for own in self.states], dtype=np.int64)

    def containing(self, plan: int, begin: int, end: int) -> PlanSet:
        """The plans that have this stretch of a plan; an `end` below 0: it ends in the goal."""
        actions, states = self.task.plans[plan].actions, self.states[plan]
        if self.task.plans[plan].factor != ONE:
            return frozenset([plan])
        part = actions[begin:] if end < 0 else actions[begin:end]
        world = int(self.world[plan])
        # By the step that the fewest plans have.
        steps = range(begin, begin + len(part))
        visits = [self._visits[world, states[n], actions[n]] for n in steps]
        rarest = min(range(len(part)), key=lambda n: len(visits[n]))
        found = []
        for other, step in visits[rarest]:
            first = step - rarest
            own = self.task.plans[other].actions
            if first < 0 or self.states[other][first] != states[begin]:
                continue
            if own[first : first + len(part)] != part:
                continue
            is_end = first + len(part) == len(own)
            if end >= 0 or (is_end and self.goal[other] == self.goal[plan]):
                found.append(other)
        return frozenset(found)


def paths_of(
    task: LearningTask,
    oracles: Oracles,
    plans: Sequence[int],
    allowed: Mask,
    clock: Clock,
    most_states: int,
) -> Paths | None:
    """The graphs that these actions span for the problems of these plans; None if they are too
    large.
    """
    problems = sorted({task.plans[plan].problem for plan in plans})
    by_world: dict[int, list[int]] = defaultdict(list)
    for problem in problems:
        by_world[task.problems[problem].world].append(problem)
    places = [(own.world, 0) for own in task.problems]
    worlds: dict[int, Reached] = {}
    left = most_states
    for world, members in by_world.items():
        own = task.case.worlds[world]
        if not can_be_explored(own):
            return None
        tasks = [task.problems[p] for p in members]
        reached = oracles.graph(world, tasks, allowed, left, clock)
        if reached is None:
            return None
        worlds[world] = reached
        left -= reached.graph.size
        for place, problem in enumerate(members):
            places[problem] = world, place
    return Paths(task, worlds, places)

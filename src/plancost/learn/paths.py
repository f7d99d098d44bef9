"""Plans as paths through state graphs, and which plans have a stretch in common.

A stretch of an optimal plan is optimal between its ends. So a row that speaks of a stretch is
demanded by every plan that contains it (lifting).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import numpy as np

from plancost.learn.rows import Alternative, Cut, PlanSet, difference
from plancost.learn.task import ONE, LearningTask
from plancost.search.transitions import Indices, Reached


class Paths:
    """The plans of a learning task on the state graphs of some actions.

    `places` of each plan that graphs were built for: which of the tasks of its graph it solves.
    Other plans have no states: they may begin elsewhere, or have actions that are not there.
    """

    def __init__(
        self, task: LearningTask, worlds: Mapping[int, Reached], places: Mapping[int, int]
    ) -> None:
        self.task = task
        self.worlds = worlds
        goals: dict[tuple[int, tuple[int, ...]], int] = {}
        self.states: list[list[int]] = []
        own_worlds = [task.problems[plan.problem].world for plan in task.plans]
        self.world = np.array(own_worlds, dtype=np.int64)
        self.start = np.zeros(len(task.plans), dtype=np.int64)
        self.goal = np.zeros(len(task.plans), dtype=np.int64)
        self.goals: list[Indices] = []
        """The states of each goal."""
        self._visits: dict[tuple[int, int, int], list[tuple[int, int]]] = defaultdict(list)
        for number, plan in enumerate(task.plans):
            place, world = places.get(number), own_worlds[number]
            if place is None:
                self.states.append([])
                continue
            reached = worlds[world]
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

    def cut(self, why: Alternative, margin: int) -> Cut:
        """The row of an alternative for a stretch, for all plans that contain it."""
        part = self.task.plans[why.plan].actions[why.begin : why.end if why.end >= 0 else None]
        combine = self.task.parameters.combine
        row = difference(combine(part), combine(why.other), margin)
        return Cut(row, self._containing(why.plan, why.begin, why.end), why)

    def _containing(self, plan: int, begin: int, end: int) -> PlanSet:
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

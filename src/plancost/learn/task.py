"""A learning task: distinct plans with their weights, and what costs are made of.

Observations of one plan on one task are one plan that weighs as much as they do together. Tasks
that agree in world, initial state and goal are one *problem*, whatever their files are called.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from plancost.case.model import Case, Task
from plancost.learn.parameters import Parameters
from plancost.learn.rows import Mask
from plancost.options import LearnOptions

ONE = Fraction(1)


@dataclass(frozen=True)
class Plan:
    """A distinct plan; it counts if it costs at most `factor` times as much as others."""

    problem: int
    actions: tuple[int, ...]
    factor: Fraction
    weight: int


class LearningTask:
    """Plans by number; problems by number, each with one of the tasks that it stands for."""

    def __init__(self, case: Case, options: LearnOptions) -> None:
        self.case = case
        self.parameters = Parameters(case)
        problems: dict[object, int] = {}
        self.problems: list[Task] = []
        self.problem_of: list[int] = []
        """Of each task of the case."""
        for task in case.tasks:
            key = (task.world, task.initial, task.goal, task.goal_states)
            number = problems.setdefault(key, len(problems))
            if number == len(self.problems):
                self.problems.append(task)
            self.problem_of.append(number)
        weights: dict[tuple[int, tuple[int, ...], Fraction], int] = defaultdict(int)
        keys = []
        for observation in case.observations:
            factor = options.factor(observation.factor)
            keys.append((self.problem_of[observation.task], observation.actions, factor))
            weights[keys[-1]] += observation.count
        self.plans = [Plan(*key, weight) for key, weight in weights.items()]
        numbers = {key: number for number, key in enumerate(weights)}
        self.plan_of = [numbers[key] for key in keys]
        """Of each observation."""
        self.counts = [self.parameters.combine(plan.actions) for plan in self.plans]
        """Of each plan: how often each parameter is in its cost."""
        self.weights = np.array([plan.weight for plan in self.plans], dtype=np.int64)
        self.lengths = np.array([len(plan.actions) for plan in self.plans], dtype=np.int64)
        self.shortest_first: list[int] = np.argsort(self.lengths, kind="stable").tolist()
        """Short plans leave the most room for others."""
        self._used = [np.array(sorted(counts), dtype=np.int64) for counts in self.counts]

    @property
    def action_count(self) -> int:
        """How many actions A has."""
        return len(self.case.actions)

    @cached_property
    def parameter_names(self) -> list[str]:
        """What parameters are called; one that refinement adds after its first action."""
        case, parts = self.case, self.parameters.parts
        added = self.parameters.linked
        return [*case.costs.parameters, *(f"= {case.actions[parts.index(own)]}" for own in added)]

    def weight(self, plans: Iterable[int]) -> int:
        """How many observations these plans are."""
        return int(self.weights[list(plans)].sum())

    def used(self, plans: Iterable[int]) -> Mask:
        """Which parameters the costs of these plans have."""
        mask = np.zeros(self.parameters.own_count, dtype=bool)
        for plan in plans:
            mask[self._used[plan]] = True
        return mask

    def open_actions(self, plans: Iterable[int]) -> Mask:
        """Actions that cannot be priced out if only these plans matter.

        All other actions may cost more than every plan, so no alternative that has one is cheaper.
        """
        return ~self.parameters.unused(self.used(plans))

"""The definitions of the paper, tried on every cost function up to a largest cost."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from plancost.learning.problem.concept import Reorderings, Ties
from plancost.learning.problem.task import LearningTask
from plancost.observations.planfile import Plan

LARGEST_COST = 5


def is_optimal(
    task: LearningTask, number: int, costs: Sequence[int], plans: Sequence[Plan]
) -> bool:
    """Whether an observation is optimal, straight from the definitions."""
    observation = task.case.observations[number]
    named = dict(zip(task.case.actions, costs, strict=True))
    factor = task.factor(number)
    cost = sum(named[name] for name in observation.plan)
    return all(
        cost <= factor * sum(named[name] for name in plan) - need
        for plan, need in demands(task, number, plans)
    )


def demands(task: LearningTask, number: int, plans: Sequence[Plan]) -> list[tuple[Plan, int]]:
    """Every alternative with how much more expensive it has to be."""
    observation = task.case.observations[number]
    concept = task.concept
    observed = [o.plan for o in task.case.observations if o.task == observation.task]
    if concept.ties is Ties.ALTERNATIVES:
        observed = [observation.plan]
    found = []
    for plan in plans:
        tolerated = plan in observed
        if concept.reorderings is Reorderings.SAME:
            tolerated = any(Counter(plan) == Counter(other) for other in observed)
        found.append((plan, 0 if tolerated or not concept.is_strict else 1))
    return found


@dataclass(frozen=True)
class Best:
    """The most plans and then the least secondary cost, up to the largest cost."""

    weight: int
    secondary: int


def cost_functions(task: LearningTask) -> np.ndarray:
    """All cost functions up to the largest cost that the bounds of the task allow."""
    ranges = task.ranges or [(1, None)] * len(task.case.actions)
    sizes = [range(low, min(high or LARGEST_COST, LARGEST_COST) + 1) for low, high in ranges]
    return np.array(list(itertools.product(*sizes)), dtype=np.int64)


def best_by_brute_force(task: LearningTask, plans: Sequence[Sequence[Plan]]) -> Best:
    """Try every cost function up to the largest cost."""
    weight, secondary = weights_and_secondary(task, cost_functions(task), plans)
    most = int(weight.max())
    return Best(most, int(secondary[weight == most].min()))


def assert_no_worse_than_brute_force(
    task: LearningTask, costs: Sequence[int], weight: int, plans: Sequence[Sequence[Plan]]
) -> None:
    """Brute force stops at a largest cost; beyond it a learner may only be better."""
    best = best_by_brute_force(task, plans)
    assert weight >= best.weight
    if weight == best.weight:
        assert task.secondary(costs) <= best.secondary
        if max(costs) <= LARGEST_COST:
            assert task.secondary(costs) == best.secondary
    else:
        assert max(costs) > LARGEST_COST


def weights_and_secondary(
    task: LearningTask, grid: np.ndarray, plans: Sequence[Sequence[Plan]]
) -> tuple[np.ndarray, np.ndarray]:
    """Of each cost function, how many plans it makes optimal and its secondary cost."""
    names = task.case.actions
    weight = np.zeros(len(grid), dtype=np.int64)
    for number, observation in enumerate(task.case.observations):
        factor = task.factor(number)
        own = grid @ _vector(observation.plan, names) * factor.denominator
        good = np.ones(len(grid), dtype=bool)
        for plan, need in demands(task, number, plans[observation.task]):
            good &= own + need <= grid @ _vector(plan, names) * factor.numerator
        weight += observation.count * good
    base = np.zeros(len(names), dtype=np.int64)
    if task.initial_costs is not None:
        base = np.asarray(task.initial_costs, dtype=np.int64)
    return weight, np.abs(grid - base).sum(axis=1)


def _vector(plan: Plan, names: Sequence[str]) -> np.ndarray:
    counts = Counter(plan)
    return np.array([counts[name] for name in names], dtype=np.int64)

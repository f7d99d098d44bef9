"""Small learning tasks whose costs are made of weights and features, and all their costs."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

from plancost.learning.problem.cost_model import CostModel, Weight
from plancost.learning.problem.plan_cost_constraints import PlanCostConstraint, least_deviation
from plancost.learning.problem.task import LearningTask
from plancost.observations.features import CONSTANT
from plancost.observations.planfile import Plan
from plancost.system.clock import Deadline
from support.factor_tasks import factor_tasks
from support.small_tasks import few_copies, learning_tasks

Example = tuple[LearningTask, list[list[Plan]]]
LARGEST_WEIGHT = 4


def composed(actions: Sequence[str], values: dict[str, tuple[int, ...]]) -> CostModel:
    """Costs of their own, but linear ones for the actions that have values."""
    own = [name for name in actions if name not in values]
    count = max((len(found) for found in values.values()), default=0)
    names = [CONSTANT, *(f"(f{number})" for number in range(count))]
    weights = tuple(Weight("s", name, len(own) + place) for place, name in enumerate(names))
    parts = []
    for action in actions:
        if action in values:
            terms = enumerate((1, *values[action]), len(own))
            parts.append(tuple((parameter, value) for parameter, value in terms if value))
        else:
            parts.append(((own.index(action), 1),))
    parameters = (*own, *(f"s: {name}" for name in names))
    return CostModel(parameters, tuple(parts), tuple(actions), weights)


@st.composite
def compositions(draw: st.DrawFn, task: LearningTask, largest: int = 4) -> CostModel:
    """Most of the actions linear in one or two features."""
    count = draw(st.integers(1, 2))
    each = st.tuples(*[st.integers(0, largest)] * count)
    values = {name: draw(each) for name in task.case.actions if draw(st.integers(0, 4))}
    return composed(task.case.actions, values)


@st.composite
def linear_tasks(draw: st.DrawFn, *, limited: bool = False) -> Example:
    """A task with linear costs, and perhaps bounds, known costs and factors.

    `limited`: every action has a greatest cost, so that brute force sees all costs there are.
    """
    task, plans = draw(st.one_of(learning_tasks(5), factor_tasks()))
    task = replace(task, ranges=None, composition=draw(compositions(task)))
    ends = st.integers(2, LARGEST_WEIGHT)
    if limited:
        task = replace(task, ranges=tuple((1, draw(ends)) for _ in task.case.actions))
    elif draw(st.integers(0, 3)) == 0:
        either = st.one_of(st.none(), ends)
        least = st.integers(1, 2)
        ranges = tuple((draw(least), draw(either)) for _ in task.case.actions)
        task = replace(task, ranges=ranges)
    if draw(st.integers(0, 3)) == 0 and admissible(task).size:
        task = with_known_costs(draw, task)
    return task, plans


def with_known_costs(draw: st.DrawFn, task: LearningTask) -> LearningTask:
    """The task with a known cost of every plan, to be missed by as little as can be."""
    task = few_copies(task)
    known = []
    for number, observation in enumerate(task.case.observations):
        counts = task.counts(observation.plan)
        cost = Fraction(draw(st.integers(1, 9)))
        known.append(PlanCostConstraint(number, counts, observation.count, cost, cost))
    task = replace(task, known=tuple(known))
    least = least_deviation(task.known, task.terms, Deadline(), task.limit_rows)
    return replace(task, most_deviation=least)


def admissible(task: LearningTask) -> np.ndarray:
    """All parameters up to the largest weight that keep to what is known."""
    terms = task.terms[: len(task.parameters) - len(task.structure.links)]
    sizes = [
        range(term.least, min(term.greatest or LARGEST_WEIGHT, LARGEST_WEIGHT) + 1)
        for term in terms
    ]
    links = (0,) * len(task.structure.links)
    found = (task.structure.completed((*point, *links)) for point in itertools.product(*sizes))
    return np.array([costs for costs in found if task.admits(costs)], dtype=np.int64)


def as_actions(task: LearningTask, costs: np.ndarray) -> np.ndarray:
    """What actions cost for each choice of parameters."""
    return np.array([task.structure.costs(row) for row in costs.tolist()], dtype=np.int64)

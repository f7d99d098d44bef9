"""Which sets of plans can be optimal together, by one linear program for each set.

All simple plans of every task are alternatives, so nothing is searched for and nothing is lazy.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from scipy.optimize import linprog

from plancost.learning.problem.rows import Row
from plancost.learning.problem.task import LearningTask, PlanSet
from plancost.observations.planfile import Plan


def rows_of(task: LearningTask, number: int, plans: Sequence[Sequence[Plan]]) -> list[Row]:
    """What a candidate demands because of all its alternatives."""
    candidate = task.candidates[number]
    return [
        task.row(candidate, plan)
        for plan in plans[candidate.task]
        if task.is_alternative(candidate, plan)
    ]


def is_feasible(rows: Sequence[Row], actions: int) -> bool:
    """Whether some costs of at least 1 satisfy all rows."""
    if not rows:
        return True
    matrix = np.zeros((len(rows), actions))
    for line, (coefficients, _) in zip(matrix, rows, strict=True):
        for action, coefficient in coefficients:
            line[action] = coefficient
    limits = [-margin for _, margin in rows]
    found = linprog(np.zeros(actions), A_ub=matrix, b_ub=limits, bounds=(1, None), method="highs")
    assert found.status in (0, 2), found.message
    return bool(found.status == 0)


def feasible_sets(task: LearningTask, plans: Sequence[Sequence[Plan]]) -> list[PlanSet]:
    """All sets of candidates that can be optimal together; a part of one is one too."""
    demands = [rows_of(task, number, plans) for number in range(len(task.candidates))]
    found = [frozenset[int]()]
    layer = set(found)
    while layer:
        larger = {
            chosen | {number}
            for chosen in layer
            for number in range(len(demands))
            if number not in chosen
        }
        layer = {
            chosen
            for chosen in larger
            if is_feasible([row for n in chosen for row in demands[n]], len(task.case.actions))
        }
        found += sorted(layer, key=sorted)
    return found


def heaviest_union(task: LearningTask, subproblem: Sequence[PlanSet], count: int) -> int:
    """The most plans in the union of so many sets: every partition is tried."""
    largest = [one for one in subproblem if not any(one < other for other in subproblem)]
    return max(
        task.weight(frozenset().union(*chosen))
        for chosen in itertools.combinations_with_replacement(largest, count)
    )

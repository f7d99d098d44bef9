"""All sets of maximal weight, and the least secondary cost of each, by linear programs over all
rows: nothing is searched for and nothing is lazy."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from plancost.learning.problem.rows import Row
from plancost.learning.problem.task import LearningTask, PlanSet
from plancost.learning.subproblem.conflict import Conflict
from plancost.learning.subproblem.cost_columns import CostColumns
from plancost.observations.planfile import Plan
from plancost.solver import highs
from plancost.solver.model import Model, Status
from support.feasible_sets import rows_of


@dataclass(frozen=True)
class Maximal:
    """The rows of each candidate, the conflicts, and what each set of maximal weight costs."""

    rows: list[list[Row]]
    conflicts: list[Conflict]
    weight: int
    least: dict[PlanSet, float]


def least_secondary(task: LearningTask, rows: Sequence[Row]) -> float:
    """The least secondary cost of costs that satisfy the rows; infinite if none do."""
    columns = CostColumns(task, range(len(task.parameters)))
    model = Model()
    for _, _, slope, most in columns.columns:
        model.add_column(0.0, most, objective=slope)
    for row in rows:
        line, limit = columns.translate(row[0], -row[1])
        model.add_row(line, upper=limit)
    outcome = highs.solve(model)
    if outcome.status is Status.INFEASIBLE:
        return inf
    assert outcome.objective is not None
    return outcome.objective + task.objective.at_origin


def maximal_sets(task: LearningTask, plans: Sequence[Sequence[Plan]]) -> Maximal:
    """Every set of candidates is tried."""
    count = len(task.candidates)
    rows = [rows_of(task, number, plans) for number in range(count)]
    least: dict[PlanSet, float] = {}
    conflicts: list[Conflict] = []
    for size in range(count + 1):
        for members in itertools.combinations(range(count), size):
            chosen = frozenset(members)
            if any(conflict.contains(chosen) for conflict in conflicts):
                continue
            value = least_secondary(task, [row for number in members for row in rows[number]])
            if value == inf:
                conflicts.append(Conflict(tuple(frozenset([n]) for n in members), None))
            else:
                least[chosen] = value
    weight = max(map(task.weight, least))
    heaviest = {s: value for s, value in least.items() if task.weight(s) == weight}
    return Maximal(rows, conflicts, weight, heaviest)

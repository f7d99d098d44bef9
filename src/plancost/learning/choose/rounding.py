"""From the mean of costs to integers near it under which the same plans are optimal.

Costs that may be scaled are multiplied and rounded; equalities and rows with little room may break.
Then the nearest integers that keep to all known rows are found by an integer program, and a search
looks for rows that were not known. A larger scale is tried where a smaller one has no answer.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from plancost.learning.choose.prior import Vector
from plancost.learning.problem.rows import Row
from plancost.learning.problem.task import Costs, LearningTask, PlanSet
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.observations.cost_files import LARGEST_LEARNED_COST
from plancost.solver import highs
from plancost.solver.model import Model
from plancost.system.clock import Deadline

_FACTORS = (100, 1000, 10**4, 10**5)
_PROGRAM_S = 10.0
"""Seconds for one integer program."""


def rounded(
    subproblem: Subproblem, chosen: PlanSet, mean: Vector, deadline: Deadline
) -> tuple[Costs, int] | None:
    """Integer costs near some factor times the mean, and the factor; None: none were found."""
    task = subproblem.task
    is_scaled = task.scales and task.initial_costs is None
    for factor in _FACTORS if is_scaled else (1,):
        if float(mean.max(initial=0.0)) * factor > LARGEST_LEARNED_COST:
            break
        costs = _whole(task, mean * factor)
        if task.admits(costs) and subproblem.check(costs, chosen, deadline):
            return costs, factor
        repaired = _repaired(subproblem, chosen, mean * factor, deadline)
        if repaired is not None:
            return repaired, factor
    return None


def _whole(task: LearningTask, target: Vector) -> Costs:
    least = np.array([term.least for term in task.terms])
    values = np.maximum(np.rint(target).astype(np.int64), least)
    return task.structure.completed(values.tolist())


def _repaired(
    subproblem: Subproblem, chosen: PlanSet, target: Vector, deadline: Deadline
) -> Costs | None:
    """The nearest integers that keep to the rows, with rows found until a search finds none."""
    task = subproblem.task
    while not deadline.is_over:
        until = deadline.within(_PROGRAM_S)
        costs = nearest_integers(task, subproblem.rows_of_set(chosen), target, until)
        if costs is None:
            return None
        if not task.admits(costs):
            return None
        correct = subproblem.check(costs, chosen, deadline)
        if correct is not False:
            return costs if correct else None
    return None


def nearest_integers(
    task: LearningTask, rows: Sequence[Row], target: Vector, deadline: Deadline
) -> Costs | None:
    """Integers within bounds that satisfy rows, with the least sum of distances from a target.

    Costs that no row speaks of are rounded. None: not found in time.
    """
    spoken = sorted({parameter for coefficients, _ in rows for parameter, _ in coefficients})
    model, columns = Model(), {}
    for parameter in spoken:
        term, aim = task.terms[parameter], float(target[parameter])
        most = np.inf if term.greatest is None else float(term.greatest)
        columns[parameter] = column = model.add_column(float(term.least), most, integer=True)
        distance = model.add_column(objective=1.0)
        model.add_row({column: 1.0, distance: -1.0}, upper=aim)
        model.add_row({column: -1.0, distance: -1.0}, upper=-aim)
    for coefficients, margin in rows:
        line = {columns[parameter]: float(value) for parameter, value in coefficients}
        model.add_row(line, upper=-float(margin))
    gap = 0.01 * float(np.sum(target[spoken]))
    outcome = highs.solve(model, time_limit_s=deadline.remaining(), gap=max(gap, 1e-6))
    if outcome.values is None:
        return None
    found = list(_whole(task, target))
    for parameter, column in columns.items():
        found[parameter] = round(outcome.values[column])
    return tuple(found)

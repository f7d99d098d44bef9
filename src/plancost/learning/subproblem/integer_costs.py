"""From a solver's floating-point costs to integers that really satisfy the rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

import numpy as np

from plancost.learning.problem.rows import Row, is_violated
from plancost.learning.problem.task import Costs, LearningTask
from plancost.learning.subproblem.cost_columns import CostColumns
from plancost.observations.cost_files import LARGEST_LEARNED_COST
from plancost.solver import highs
from plancost.solver.model import Model, Status
from plancost.system.clock import Deadline

_LARGEST_DENOMINATOR = 10**5
"""Corners of these programs are fractions, whose denominators are mostly small."""
_WHOLE = 1e-5
_SAME = 1e-9
"""How far a whole number, and a fraction, may be from what the solver says."""
_COARSE_FACTORS = (1, 2, 5, 10, 20, 50, 100, 1000, 10**4)
"""Larger costs are seldom needed, and planners cannot count much further."""
_WORTH_OF_ROOM = 1000.0


def round_to_integers(costs: np.ndarray, *, scales: bool = True) -> Costs | None:
    """Scale costs up to integers, if they are fractions; to be checked by the caller.

    Where costs may not be scaled, they must be integers already.
    """
    whole = np.rint(costs)
    fractional = np.flatnonzero(np.abs(whole - costs) > _WHOLE)
    largest = float(np.max(np.abs(whole), initial=0.0))
    if largest > LARGEST_LEARNED_COST or (len(fractional) and not scales):
        return None
    fractions: list[Fraction | int] = [*whole.astype(np.int64).tolist()]
    factor = 1
    for place in fractional.tolist():
        cost = costs.item(place)
        fraction = Fraction(cost).limit_denominator(_LARGEST_DENOMINATOR)
        factor = lcm(factor, fraction.denominator)
        if abs(float(fraction) - cost) > _SAME or largest * factor > LARGEST_LEARNED_COST:
            return None
        fractions[place] = fraction
    return tuple(int(cost * factor) for cost in fractions)


@dataclass(frozen=True)
class Preference:
    """Another objective: the least sum of ``weight * cost`` within a secondary cost."""

    weights: Mapping[int, int]
    """Of parameters; 0 for all others."""
    budget: int
    """The greatest secondary cost."""


@dataclass(frozen=True)
class IntegerSolution:
    """The integer costs found, and whether the solver proved that none are better.

    Proven without costs: no integer costs satisfy the rows, by the solver's own word.
    """

    costs: Costs | None
    proven: bool


def solve_with_slack(
    task: LearningTask, actions: Iterable[int], rows: Sequence[Row], deadline: Deadline
) -> Costs | None:
    """Integer costs that satisfy the rows, where costs may be scaled up; None: not found.

    Rows of plans with factors have corners with huge denominators. But most of them need not
    be tight: costs that leave as many rows as possible some room can be scaled up and rounded.
    """
    model = Model()
    columns = {
        action: model.add_column(task.terms[action].least, objective=1.0)
        for action in sorted(actions)
    }
    for coefficients, margin in rows:
        room = model.add_column(0, 1, objective=-_WORTH_OF_ROOM)
        line = {columns[action]: float(c) for action, c in coefficients}
        model.add_row({**line, room: 1.0}, upper=float(-margin))
    outcome = highs.solve(model, time_limit_s=deadline.remaining())
    if outcome.values is None:
        return None
    point = np.asarray(task.baseline, dtype=np.float64)
    for action, column in columns.items():
        point[action] = outcome.values[column]
    for factor in _COARSE_FACTORS:
        if float(point.max(initial=0.0)) * factor > LARGEST_LEARNED_COST:
            return None
        costs = tuple(np.rint(point * factor).astype(np.int64).tolist())
        if not any(is_violated(row, costs) for row in rows):
            return costs
    return None


def solve_integers(
    task: LearningTask,
    actions: Iterable[int],
    rows: Sequence[Row],
    deadline: Deadline,
    preference: Preference | None = None,
    *,
    seed: int = 0,
) -> IntegerSolution:
    """The integer costs that satisfy the rows and are best, by default of least secondary cost."""
    model = Model()
    columns = CostColumns(task, actions)
    for action, sign, slope, most in columns.columns:
        weight = slope if preference is None else sign * preference.weights.get(action, 0)
        model.add_column(0, most, objective=weight, integer=True)
    for coefficients, margin in rows:
        line, limit = columns.translate(coefficients, -margin)
        model.add_row(line, upper=limit)
    if task.most_deviation is not None:
        _limit_deviation(model, task, columns)
    if preference is not None:
        slopes = {number: float(column.slope) for number, column in enumerate(columns.columns)}
        model.add_row(slopes, upper=float(preference.budget - task.objective.at_origin))
    outcome = highs.solve(model, time_limit_s=deadline.remaining(), seed=seed, gap=1e-6)
    if outcome.values is None:
        return IntegerSolution(None, proven=outcome.status is Status.INFEASIBLE)
    costs = list(task.baseline)
    for action in columns.actions:
        costs[action] = task.objective.origin[action]
    for column, value in zip(columns.columns, outcome.values, strict=False):
        costs[column.action] += column.sign * round(value)
    found = tuple(costs)
    too_much = preference is not None and task.secondary(found) > preference.budget
    if too_much or any(is_violated(row, found) for row in rows):
        return IntegerSolution(None, proven=False)
    return IntegerSolution(found, proven=outcome.status is Status.OPTIMAL)


def _limit_deviation(model: Model, task: LearningTask, columns: CostColumns) -> None:
    """Soft known costs: how far each plan is outside, and that it is not too much in all."""
    total: dict[int, float] = {}
    shared = gcd(*(item.count for item in task.known)) or 1
    for item in task.known:
        outside = model.add_column()
        total[outside] = float(item.count // shared)
        line, greatest = columns.translate(item.counts, item.greatest)
        _, least = columns.translate(item.counts, item.least)
        model.add_row({**line, outside: -1.0}, upper=greatest)
        model.add_row({**line, outside: 1.0}, lower=least)
    model.add_row(total, upper=float((task.most_deviation or 0) / shared))

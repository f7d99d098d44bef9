"""The master problem for several groups: the heaviest sets that no known conflict excludes.

A conflict says that some plans cannot all be optimal under one cost function, whichever that is.
So each known inequality holds for each group alike. The integer program has one column for each
plan and group, every inequality once for each group, and each plan in one group at most.

Groups have no names of their own, so every answer would come in all their orders. They are put in
the order of their first plans: a plan may open a group only if an earlier plan is in the group
before. The plans that come first in that order are in conflict pair by pair: they say the most.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from plancost.learning.master.inequalities import Inequalities
from plancost.learning.master.lazy_program import Choice, LazyProgram
from plancost.learning.master.weighing import Weighing
from plancost.learning.problem.task import PlanSet
from plancost.solver.model import Model
from plancost.system.clock import Deadline

_MOST_ORDERED = 400
"""With more columns than this, only the first plans are ordered: the rows would be too long."""


def heaviest_sets(
    weights: Sequence[int],
    inequalities: Inequalities,
    count: int,
    deadline: Deadline,
    seed: int = 0,
    start: Sequence[PlanSet] | None = None,
) -> Choice[tuple[PlanSet, ...]]:
    """The heaviest `count` sets outside all conflicts; `start` are some to begin with."""
    order = _order(inequalities)
    model = _model(inequalities, count, order)
    columns = [
        (group * inequalities.size + plan, weight)
        for group in range(count)
        for plan, weight in enumerate(weights)
    ]
    point = None if start is None else _point(start, inequalities.size, order)
    program = LazyProgram(model, inequalities, count)
    found = program.heaviest(Weighing(model, columns), deadline, seed, point)
    return replace(found, bound=min(found.bound, sum(weights)))


def _order(inequalities: Inequalities) -> list[int]:
    """The plans, a clique of conflicts first."""
    alive = [plan for plan in range(inequalities.size) if plan not in inequalities.infeasible_alone]
    degrees = np.zeros(inequalities.size)
    for plan in alive:
        degrees[plan] = len(inequalities.pairs.neighbours(plan))
    clique = inequalities.pairs.heaviest(np.array(alive, dtype=np.int64), degrees) if alive else []
    first = frozenset(clique)
    return [*clique, *(plan for plan in alive if plan not in first)]


def _model(inequalities: Inequalities, count: int, order: Sequence[int]) -> Model:
    """Column ``group * size + plan`` says whether the plan is in the group."""
    model = Model()
    position = {plan: place for place, plan in enumerate(order)}
    for group in range(count):
        for plan in range(inequalities.size):
            # Each group that was opened before has taken a plan that stands before this one.
            is_open = plan in position and group <= position[plan]
            model.add_column(0, 1 if is_open else 0, integer=True)
    for plan in order:
        line = {group * inequalities.size + plan: 1.0 for group in range(count)}
        model.add_row(line, upper=1.0)
    if count * inequalities.size <= _MOST_ORDERED:
        for group in range(1, count):
            for place, plan in enumerate(order):
                before = {(group - 1) * inequalities.size + other: -1.0 for other in order[:place]}
                model.add_row({**before, group * inequalities.size + plan: 1.0}, upper=0.0)
    return model


def _point(start: Sequence[PlanSet], size: int, order: Sequence[int]) -> list[float]:
    """Sets as values of the columns, in the order in which groups are opened."""
    position = {plan: place for place, plan in enumerate(order)}
    first = [min((position[plan] for plan in chosen), default=len(order)) for chosen in start]
    arranged = [chosen for _, chosen in sorted(zip(first, start, strict=True), key=lambda p: p[0])]
    return [float(plan in chosen) for chosen in arranged for plan in range(size)]

"""Integer costs close to the optimum of the linear program, without an integer program.

A dive: a few columns are fixed at the whole numbers next to them, and the program is solved again,
so that the others make up for it. Where that leaves no point, one column alone is tried, up and
down. On thousands of actions this takes tens of solves from the last basis, and mostly ends within
a few units of the program's own bound. The columns nearest to whole numbers come first, as they
change least; or the farthest ones, as the others then often turn whole by themselves: many plans
that cost the same tie columns together, and fixing near ones can leave no whole numbers to others.
"""

from __future__ import annotations

from math import ceil, floor

import numpy as np

from plancost.learning.problem.task import Costs
from plancost.learning.subproblem.cost_lp import CostLP
from plancost.observations.cost_files import LARGEST_LEARNED_COST
from plancost.solver.model import Status
from plancost.system.clock import Deadline

_TOLERANCE = 1e-6
_NEAREST_AT_ONCE, _FARTHEST_AT_ONCE = 0.1, 0.02
"""The part of the fractional columns that is fixed before the program is solved again."""


def dive(program: CostLP, deadline: Deadline, *, farthest: bool = False) -> Costs | None:
    """Integer costs that keep to the rows of a program as it is, if some are found easily.

    `farthest`: columns far from whole numbers come first. Columns stay fixed afterwards; the caller
    releases them. The costs are to be checked.
    """
    at_once, sign = (_FARTHEST_AT_ONCE, -1) if farthest else (_NEAREST_AT_ONCE, 1)
    while not deadline.is_over:
        point = program.solve(deadline.remaining())
        if point.status is not Status.OPTIMAL:
            return None
        distances = np.abs(program.values - np.rint(program.values))
        fractional = np.flatnonzero(distances > _TOLERANCE)
        if not len(fractional):
            integers = np.rint(point.costs)
            if np.max(np.abs(integers), initial=0.0) > LARGEST_LEARNED_COST:
                return None
            return tuple(integers.astype(np.int64).tolist())
        order = fractional[np.argsort(sign * distances[fractional], kind="stable")].tolist()
        if not _fix_some(program, order[: ceil(at_once * len(order))], deadline):
            return None
    return None


def _fix_some(program: CostLP, some: list[int], deadline: Deadline) -> bool:
    """Fix these columns, or at least the first of them, so that there still is a point."""
    values = program.values
    first = some[0]
    rounded = {column: float(np.rint(values[column])) for column in some}
    other = ceil(values[first]) if rounded[first] == floor(values[first]) else floor(values[first])
    for attempt in (
        rounded,
        {first: rounded[first]},
        {first: float(other)},
    ):
        program.fix(attempt)
        if program.solve(deadline.remaining()).status is Status.OPTIMAL:
            return True
        program.release(attempt)
    return False

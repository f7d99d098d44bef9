"""The costs nearest to given ones under which some plans are optimal.

*Near* is measured by how much likelihood is lost: each cost has a curvature. A plan need only be as
cheap as each alternative; but where that costs little, it should be cheaper by a margin, so that it
is the one predicted. So there are two rows for each alternative that is found: one that holds, and
one with the margin that may be broken at a price. The dual of this quadratic program has bounds as
its only constraints, and is solved by L-BFGS-B over the rows known. Alternatives are found by
searches under the costs at hand, until there are no new ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
from scipy.optimize import Bounds, minimize
from scipy.sparse import csr_array

from plancost.learning.choose.competition import Competition
from plancost.learning.choose.likelihood import LEAST_COST, PARTS
from plancost.learning.choose.walks import Vector
from plancost.learning.problem.cuts import Cut, cuts_of
from plancost.learning.problem.rows import Row
from plancost.learning.problem.task import PlanSet
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.oracles.other_plans import near_deviations
from plancost.system.clock import Deadline

MARGIN = 0.3
"""By so much a plan should be cheaper than its alternatives, in units of log-odds."""
_PRICE = 0.5
"""Of a margin that is missing, for each unit: as if so many more plans were observed."""
_DEVIATIONS = 3
"""Alternatives of one plan that are taken from one search."""
_TOLERANCE = 1e-4
_MOST_ROUNDS = 15
"""Searches for alternatives. What they have not found by then, the search for whole costs does."""
_MOST_ITERATIONS = 1000


@dataclass(frozen=True)
class Nearness:
    """Costs, and how fast the loss grows around them along each cost."""

    centre: Vector
    curvature: Vector


class Projection:
    """Moves costs to where plans are optimal; what searches find is kept for later questions."""

    def __init__(self, subproblem: Subproblem, competition: Competition) -> None:
        self._subproblem = subproblem
        self._competition = competition

    def nearest(self, near: Nearness, chosen: PlanSet, deadline: Deadline) -> Vector | None:
        """The nearest costs under which the chosen plans are optimal; None: not in time.

        They are floats, so the plans are optimal up to a small tolerance.
        """
        point, multipliers = near.centre, dict[Row, tuple[float, float]]()
        for round_ in range(_MOST_ROUNDS):
            if not self._find_alternatives(point, chosen, deadline) and round_:
                break
            if deadline.is_over:
                return None
            rows = self._subproblem.rows_of_set(chosen)
            point = _solved(near, rows, multipliers) if rows else near.centre
        return point

    def _find_alternatives(self, costs: Vector, chosen: PlanSet, deadline: Deadline) -> bool:
        """Learn alternatives that cost less than the margin demands; False if none is new."""
        subproblem = self._subproblem
        is_new = subproblem.learn(self._cuts(costs, chosen))
        others = sorted(chosen - self._competition.on_graphs)
        if others:
            broken = subproblem.separator.violated(costs, others, exact=False, deadline=deadline)
            is_new |= subproblem.learn(broken or ())
        return is_new

    def _cuts(self, costs: Vector, chosen: PlanSet) -> Iterator[Cut]:
        task = self._subproblem.task
        for cost_to_go, members in self._competition.searches(costs, chosen):
            names = cost_to_go.graph.action_names
            for number, path in members:
                near = near_deviations(cost_to_go, path.states, path.actions, MARGIN - _TOLERANCE)
                plans = (tuple(names[action] for action in actions) for actions in near)
                yield from islice(cuts_of(task, number, plans), _DEVIATIONS)


def _solved(near: Nearness, rows: list[Row], multipliers: dict[Row, tuple[float, float]]) -> Vector:
    """The nearest costs that satisfy rows; begins with multipliers, and leaves its last ones."""
    starts = np.cumsum([0, *(len(coefficients) for coefficients, _ in rows)])
    entries = [entry for coefficients, _ in rows for entry in coefficients]
    matrix = csr_array(
        (
            np.array([float(times) for _, times in entries]),
            np.array([parameter for parameter, _ in entries]),
            starts,
        ),
        shape=(len(rows), len(near.centre)),
    )
    transposed = matrix.T.tocsr()
    least = np.array([margin for _, margin in rows]) / PARTS
    unit = np.sqrt(np.maximum(matrix.multiply(matrix) @ (1.0 / near.curvature), 1e-12)) ** -1
    units = np.concatenate([unit, unit])

    def costs_at(both: Vector) -> Vector:
        pull = transposed @ (both[: len(rows)] + both[len(rows) :])
        return np.asarray(np.maximum(LEAST_COST, near.centre - pull / near.curvature))

    def negated(scaled: Vector) -> tuple[float, Vector]:
        both = scaled * units
        costs = costs_at(both)
        broken = matrix @ costs
        slopes = np.concatenate([broken + least, broken + MARGIN])
        shift = costs - near.centre
        far = 0.5 * float(near.curvature @ (shift * shift))
        return -far - float(both @ slopes), -slopes * units

    begin = np.array([multipliers.get(row, (0.0, 0.0)) for row in rows]).T.ravel()
    most = np.concatenate([np.full(len(rows), np.inf), _PRICE / unit])
    found = minimize(
        negated,
        begin / units,
        jac=True,
        method="L-BFGS-B",
        bounds=Bounds(np.zeros(2 * len(rows)), most),
        options={
            "maxiter": _MOST_ITERATIONS,
            "maxfun": 2 * _MOST_ITERATIONS,
            "ftol": 1e-10,
            "gtol": 1e-6,
            "maxcor": 15,
        },
    )
    both = found.x * units
    multipliers.update(
        (row, (float(hard), float(soft)))
        for row, hard, soft in zip(rows, both[: len(rows)], both[len(rows) :], strict=True)
    )
    return costs_at(both)

"""Cuts of very many plans, found before any linear program.

A linear program that learns of the alternatives of thousands of plans a few at a time is solved
very often. Rough costs will do to find most of these alternatives: costs are moved to satisfy one
broken row after the other, in proportion to what actions cost (projections, as in Kaczmarz's
method), and a search finds what is cheaper under them. The costs prove nothing and are not kept.
The cuts are: the linear program then begins with nearly all rows that it needs.
"""

from __future__ import annotations

import logging

import numpy as np
import numpy.typing as npt

from plancost.learning.problem.task import PlanSet
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.learning.subproblem.pricing_out import PricesOut
from plancost.system.clock import Deadline

_log = logging.getLogger(__name__)

_SWEEPS = 10
"""How often all rows are satisfied one after the other between two searches."""
_FEW_NEW = 0.01
"""The search ends when fewer than this part of the rows are new."""
_TOLERANCE = 1e-6

Vector = npt.NDArray[np.float64]


def find_early_cuts(subproblem: Subproblem, chosen: PlanSet, deadline: Deadline) -> None:
    """Make most of the cuts known that decide whether these plans can be optimal together."""
    task = subproblem.task
    if task.composition is not None or not task.prices_out or not chosen:
        return
    everyone = sorted(chosen)
    price_out = PricesOut(task, chosen)
    rows = _Rows(subproblem)
    costs, is_first = subproblem.start, True
    while not deadline.is_over:
        known = subproblem.row_count
        cuts = subproblem.separator.violated(
            price_out(costs), everyone, exact=False, deadline=deadline
        )
        if not cuts:
            break
        subproblem.learn(cuts)
        new = subproblem.row_count - known
        _log.debug("early cuts: %d rows, %d of them new", subproblem.row_count, new)
        # Those under the costs at the start may all be known already.
        if new <= _FEW_NEW * subproblem.row_count and not is_first:
            break
        is_first = False
        costs = rows.nearly_satisfied(costs, subproblem.pool.induced(chosen))


class _Rows:
    """The rows of a subproblem as arrays."""

    def __init__(self, subproblem: Subproblem) -> None:
        self._pool = subproblem.pool
        self._least = np.asarray(subproblem.task.objective.least, dtype=np.float64)
        self._arrays: list[tuple[npt.NDArray[np.int64], Vector]] = []

    def nearly_satisfied(self, costs: Vector, among: npt.NDArray[np.bool_]) -> Vector:
        """Costs that break fewer of these rows, or break them by less."""
        for row, _ in self._pool.rows[len(self._arrays) :]:
            actions = np.array([action for action, _ in row], dtype=np.int64)
            self._arrays.append((actions, np.array([times for _, times in row], dtype=np.float64)))
        for _ in range(_SWEEPS):
            broken = self._pool.violated(costs, among, _TOLERANCE).tolist()
            if not broken:
                break
            costs = costs.copy()
            for number in broken:
                self._satisfy(costs, number)
        return costs

    def _satisfy(self, costs: Vector, number: int) -> None:
        """Change the costs of the actions of a row, each in proportion to what it is."""
        actions, times = self._arrays[number]
        own = costs[actions]
        excess = float(times @ own) + self._pool.rows[number][1]
        if excess <= _TOLERANCE or not len(actions):
            return  # of a strictly cheaper reordering no costs are left in the row
        step = excess / float((times * times) @ own)
        costs[actions] = np.maximum(self._least[actions], own - step * times * own)

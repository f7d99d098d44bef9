"""The linear relaxation of the master: an upper bound in milliseconds, and a direction.

Plans may be chosen in part. The inequalities that the optimum breaks are added until it
breaks none; the simplex method goes on from where it stopped. At a thousand plans this bound
is within a few parts in a hundred of the truth, where branching alone does not get in hours,
and plans that the relaxation likes are good ones to begin with.

With several *copies* it bounds the union of as many sets. Each of them satisfies every inequality,
so the union satisfies their sum: the same left side, and as many times the right side. No column
for each set is needed, and so there are no equally good answers that only differ in the order of
the sets.

The bound does not rest on the solver's tolerances: any multipliers of the rows that are not
negative prove one, and it is computed from the solver's multipliers, not from its objective, in
whole numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import highspy
import numpy as np

from plancost.learning.master.cliques import Values
from plancost.learning.master.inequalities import Cut, Cuts
from plancost.learning.master.weighing import common_unit
from plancost.solver.highs import new_highs, run_at_once
from plancost.system.clock import Deadline

_MOST_ROUNDS = 60
_PARTS = 2**30
"""Multipliers are rounded to such parts of a unit, and then count as whole numbers."""


@dataclass(frozen=True)
class RelaxedChoice:
    """How much of each plan the relaxation chooses, and a bound on every set's weight."""

    values: Values
    bound: int
    weight: float
    """The same before it was rounded down."""


class Relaxation:
    """A linear program over the plans that grows with the cuts.

    It speaks of the union of so many sets as there are `copies`.
    """

    def __init__(self, weights: Sequence[int], cuts: Cuts, copies: int = 1) -> None:
        self._copies = copies
        self._unit = common_unit(weights)
        self._weights = [weight // self._unit for weight in weights]
        self._cuts = cuts
        self._rows: list[Cut] = []
        self._closed: set[int] = set()
        self._highs = new_highs()
        self._highs.setOptionValue("presolve", "off")
        self._highs.setOptionValue("solver", "simplex")
        empty = np.empty(0, dtype=np.int32)
        for weight in self._weights:
            self._highs.addCol(-float(weight), 0.0, 1.0, 0, empty, np.empty(0))

    def solve(self, deadline: Deadline) -> RelaxedChoice | None:
        """The optimum over all known conflicts, or over most if time is short; None: no time."""
        for plan in self._cuts.hopeless - self._closed:
            self._highs.changeColBounds(plan, 0.0, 0.0)
            self._closed.add(plan)
        self._add(list(self._cuts.found)[len(self._rows) :])
        choice: RelaxedChoice | None = None
        for _ in range(_MOST_ROUNDS):
            remaining = deadline.remaining()
            if remaining is not None:
                limit = self._highs.getRunTime() + max(0.0, remaining)
                self._highs.setOptionValue("time_limit", limit)
            run_at_once(self._highs)
            if self._highs.getModelStatus() not in (
                highspy.HighsModelStatus.kOptimal,
                highspy.HighsModelStatus.kModelEmpty,
            ):
                break
            choice = self._choice()
            new = self._cuts.separate(choice.values / self._copies)
            if not new:
                break
            self._add(new)
        return choice

    def _add(self, cuts: Sequence[Cut]) -> None:
        for coefficients, most in cuts:
            plans = np.array([plan for plan, _ in coefficients], dtype=np.int32)
            values = np.array([value for _, value in coefficients], dtype=np.float64)
            limit = float(self._copies * most)
            self._highs.addRow(-highspy.kHighsInf, limit, len(plans), plans, values)
        self._rows.extend(cuts)

    def _choice(self) -> RelaxedChoice:
        solution = self._highs.getSolution()
        values = np.clip(_finite(solution.col_value), 0.0, 1.0)
        multipliers = np.maximum(0.0, -_finite(solution.row_dual))
        # What is left of each weight when the rows are paid for can be had at most once.
        left = [0 if n in self._closed else w * _PARTS for n, w in enumerate(self._weights)]
        paid = 0
        for number in np.flatnonzero(multipliers).tolist():
            coefficients, most = self._rows[number]
            times = round(float(multipliers[number]) * _PARTS)
            paid += times * self._copies * most
            for plan, value in coefficients:
                left[plan] -= times * value
        weight = paid + sum(part for part in left if part > 0)
        return RelaxedChoice(values, weight // _PARTS * self._unit, weight * self._unit / _PARTS)


def _finite(numbers: Sequence[float]) -> Values:
    """Numbers of the solver; what is none says nothing, and neither does 0."""
    found: Values = np.nan_to_num(
        np.asarray(numbers, dtype=np.float64), nan=0.0, posinf=0.0, neginf=0.0
    )
    return found

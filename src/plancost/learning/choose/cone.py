"""The costs under which some plans are optimal, as far as their rows are known.

There are too many alternatives to list, so rows are found where they are needed: at points that
satisfy all known rows, a search looks for plans that are cheaper than those that must be optimal.
"""

from __future__ import annotations

import numpy as np

from plancost.learning.choose.chains import pulled_inside
from plancost.learning.choose.polytope import TOLERANCE, Mask, Polytope, extended, polytope_of
from plancost.learning.choose.prior import SPREAD, Prior, Vector
from plancost.learning.choose.shape import centred
from plancost.learning.problem.rows import Row
from plancost.learning.problem.task import PlanSet
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.system.clock import Deadline

_LARGEST_SPREAD = 2.0**24
"""Costs that differ more are not looked at."""


class NoTimeError(Exception):
    """Ends the search for costs."""


class Cone:
    """The costs that make a set of plans optimal, within the bounds of the prior."""

    def __init__(self, subproblem: Subproblem, chosen: PlanSet, deadline: Deadline) -> None:
        self._subproblem = subproblem
        self._chosen = chosen
        self._members = sorted(chosen)
        self._deadline = deadline
        self.is_searched = subproblem.separator.graphs() is not None
        """Whether points of chains are looked at: planners would take too long."""
        self.spread = SPREAD
        """The greatest cost over the least one that is thought possible."""
        self.prior = Prior.of(subproblem.task, self.spread)
        self._known: dict[Row, None] = {}
        self.polytope = self._found()

    def _found(self) -> Polytope:
        """The costs that known rows allow, with a point that a search finds nothing wrong with."""
        while True:
            found = polytope_of(self._rows(), self.prior, self._deadline)
            if self._deadline.is_over or self.spread > _LARGEST_SPREAD:
                raise NoTimeError
            if found is None:
                self._widen()
                continue
            found = centred(found, self.prior)
            known = len(self._known)
            if not self._is_broken(found.centre) or len(self._rows()) == known:
                return found

    def _widen(self) -> None:
        self.spread *= 2
        self.prior = Prior.of(self._subproblem.task, self.spread)

    def _rows(self) -> list[Row]:
        """What the plans demand, and what is given; new rows come after those known before.

        Where costs may be scaled up, a plan that must be cheaper need only be as cheap here: the
        scale gives it the rest.
        """
        subproblem = self._subproblem
        for row in subproblem.rows_of_set(self._chosen):
            self._known.setdefault(self._demanded(row))
        return list(self._known)

    def _demanded(self, row: Row) -> Row:
        subproblem = self._subproblem
        is_exact = row in subproblem.given or not subproblem.task.scales
        return row if is_exact else (row[0], 0)

    def _is_broken(self, point: Vector) -> bool:
        """Whether a search finds a row that a point breaks; what it finds is known from now on."""
        found = self._subproblem.separator.violated(
            np.ascontiguousarray(point), self._members, exact=False, deadline=self._deadline
        )
        if found is None:
            raise NoTimeError
        self._subproblem.learn(found)
        return any(_breaks(point, self._demanded(cut.row)) for cut in found)

    def possible(self, points: Vector) -> Mask:
        """At which points (columns) a search finds nothing wrong; rows of others are taken in."""
        if not self.is_searched:
            return np.ones(points.shape[1], dtype=bool)
        before = len(self._known)
        found = np.array([not self._is_broken(point) for point in points.T], dtype=bool)
        if len(rows := self._rows()) > before:
            self.polytope = extended(self.polytope, rows, self.prior) or self._found()
        return found

    def recentre(self) -> None:
        """Move the centre into the middle of what rows leave now."""
        self.polytope = centred(self.polytope, self.prior)

    def inside(self, points: Vector) -> Vector:
        """Points (columns), moved towards the centre as far as the rows known now demand."""
        return pulled_inside(self.polytope, points)


def _breaks(point: Vector, row: Row) -> bool:
    coefficients, margin = row
    return sum(value * float(point[n]) for n, value in coefficients) + margin > TOLERANCE

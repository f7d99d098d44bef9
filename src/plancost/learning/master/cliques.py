"""Cliques of plans of which at most one can be optimal: they make the master's bound strong.

Two plans in conflict are an edge. ``x_1 + ... + x_n <= 1`` over a clique is far stronger in the
linear relaxation than the same demand pair by pair, where every plan could be one half.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from plancost.learning.problem.task import PlanSet
from plancost.learning.subproblem.conflict import Conflict

Values = npt.NDArray[np.float64]
"""One number for each plan."""


class PairGraph:
    """Which pairs of plans are known to be in conflict."""

    def __init__(self, size: int, conflicts: Iterable[Conflict] = ()) -> None:
        self._adjacent = np.zeros((size, size), dtype=bool)
        self._degree = np.zeros(size, dtype=np.int64)
        for conflict in conflicts:
            self.add(conflict)

    def add(self, conflict: Conflict) -> None:
        """Take note of a conflict; only one that forbids, with two classes, makes edges."""
        if conflict.secondary is not None or len(conflict.classes) != 2:
            return
        first, second = (sorted(members) for members in conflict.classes)
        self._adjacent[np.ix_(first, second)] = True
        self._adjacent[np.ix_(second, first)] = True
        touched = sorted({*first, *second})
        self._adjacent[touched, touched] = False
        self._degree[touched] = self._adjacent[touched].sum(axis=1)

    def neighbours(self, plan: int) -> npt.NDArray[np.int64]:
        """The plans that a plan is in conflict with."""
        return np.flatnonzero(self._adjacent[plan])

    def partition(self, members: PlanSet) -> list[list[int]]:
        """The members in cliques, each in one."""
        left = sorted(members)
        found = []
        while left:
            clique = self.heaviest(np.array(left), self._degree.astype(np.float64), left[0])
            found.append(clique)
            left = [number for number in left if number not in clique]
        return found

    def heaviest(
        self, members: npt.NDArray[np.int64], values: Values, first: int | None = None
    ) -> list[int]:
        """A clique among the members, grown greedily by the largest values (from `first`)."""
        order = members[np.argsort(-values[members], kind="stable")]
        clique = []
        if first is not None:
            clique.append(first)
            order = order[self._adjacent[first, order]]
        while len(order):
            best = int(order[0])
            clique.append(best)
            order = order[self._adjacent[best, order]]
        return clique

    def extended(self, clique: Sequence[int]) -> list[int]:
        """A clique with more plans, as many as fit, those with many conflicts first."""
        fits = np.flatnonzero(np.logical_and.reduce(self._adjacent[list(clique)], axis=0))
        return [*clique, *self.heaviest(fits, self._degree.astype(np.float64))]

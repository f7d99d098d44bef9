"""Cliques of plans of which at most one can be optimal: they make the master's bound strong.

Two plans in conflict are an edge. ``x_1 + ... + x_n <= 1`` over a clique is far stronger in the
linear relaxation than the same demand pair by pair, where every plan could be one half.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from plancost.learning.plan_sets import Conflict
from plancost.learning.task import PlanSet

_MOST_CLIQUES_A_PLAN = 12


class PairGraph:
    """Which pairs of plans are known to be in conflict."""

    def __init__(self, size: int, conflicts: Iterable[Conflict]) -> None:
        self._adjacent = np.zeros((size, size), dtype=bool)
        for conflict in conflicts:
            if conflict.secondary is not None or len(conflict.classes) != 2:
                continue
            first, second = (sorted(members) for members in conflict.classes)
            self._adjacent[np.ix_(first, second)] = True
            self._adjacent[np.ix_(second, first)] = True
        np.fill_diagonal(self._adjacent, val=False)
        self._degree = self._adjacent.sum(axis=1)

    def partition(self, members: PlanSet) -> list[list[int]]:
        """The members in cliques, each in one."""
        left = sorted(members)
        found = []
        while left:
            clique = self._grow(left[:1], np.array(left))
            found.append(clique)
            left = [number for number in left if number not in clique]
        return found

    def cover(self) -> list[list[int]]:
        """Large cliques that together contain every edge of most plans."""
        everything = np.arange(len(self._adjacent))
        found: dict[tuple[int, ...], None] = {}
        for number in np.argsort(-self._degree, kind="stable").tolist():
            open_edges = self._adjacent[number].copy()
            for _ in range(_MOST_CLIQUES_A_PLAN):
                neighbours = np.flatnonzero(open_edges)
                if not len(neighbours):
                    break
                start = int(neighbours[np.argmax(self._degree[neighbours])])
                clique = self._grow([number, start], everything)
                open_edges[clique] = False
                found[tuple(sorted(clique))] = None
        return [list(clique) for clique in found]

    def _grow(self, clique: Sequence[int], among: np.ndarray) -> list[int]:
        """Extend a clique greedily by plans with many conflicts."""
        grown = list(clique)
        fits = np.logical_and.reduce(self._adjacent[grown], axis=0)
        while True:
            candidates = among[fits[among]]
            if not len(candidates):
                return grown
            best = int(candidates[np.argmax(self._degree[candidates])])
            grown.append(best)
            fits &= self._adjacent[best]

"""Inequalities that every set of plans that can be optimal together satisfies.

Plans in conflict pair by pair are a clique: at most one of them. A conflict with k classes
allows no more than k - 1 of the classes to be hit; and of a clique within a class at most one
plan can be chosen, so the sums over one clique from each class add up to at most k - 1.

There are far too many such inequalities to write them all down, and only those matter that a
point of interest breaks. So they are found for a point: a fractional one of the relaxation, or
a proposed set, for which "none is broken" means that no known conflict excludes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from scipy.sparse import csr_array

from plancost.learning.master.cliques import PairGraph, Values
from plancost.learning.problem.task import PlanSet
from plancost.learning.subproblem.conflict import Conflict

Inequality = tuple[tuple[tuple[int, int], ...], int]
"""Plans with their coefficients, in order, and what the sum may be at most."""

Origin = tuple[tuple[PlanSet, ...], tuple[tuple[int, ...], ...]]
"""The classes of a conflict, and a clique from each, that an inequality follows from.

Without classes it follows from pairs: it is a clique.
"""
_PAIRS: Origin = (), ()

_LEAST_EXCESS = 1e-4
"""A point must break an inequality by so much that it is worth adding."""


class Inequalities:
    """The inequalities found so far, over all conflicts known so far."""

    def __init__(self, size: int, conflicts: Iterable[Conflict] = ()) -> None:
        self.size = size
        self.pairs = PairGraph(size)
        self.infeasible_alone: set[int] = set()
        """Plans that cannot even be optimal alone."""
        self.found: dict[Inequality, Origin] = {}
        self.broken_by_sets: dict[Inequality, None] = {}
        """Those of them that an integer program's proposals have broken."""
        self._large: dict[tuple[PlanSet, ...], None] = {}
        self._members: csr_array | None = None
        self._found: tuple[csr_array, Values] = csr_array((0, size)), np.zeros(0)
        for conflict in conflicts:
            self.add(conflict)

    def add(self, conflict: Conflict) -> None:
        """Take note of a conflict that forbids (others say nothing here)."""
        if conflict.secondary is not None:
            return
        self.infeasible_alone.update(frozenset.intersection(*conflict.classes))
        self.pairs.add(conflict)
        if len(conflict.classes) > 2:
            self._large[conflict.classes] = None
            self._members = None

    def separate(self, values: Values) -> list[Inequality]:
        """New inequalities that a point breaks."""
        new = []
        for inequality, origin in (
            *self._broken_cliques(values),
            *self._broken_conflicts(values),
        ):
            if inequality not in self.found:
                self.found[inequality] = origin
                new.append(inequality)
        return new

    def near(self, values: Values, slack: float) -> list[Inequality]:
        """Those found so far that a point breaks, or satisfies by no more than this."""
        matrix, most = self._found_rows()
        inequalities = list(self.found)
        close = np.flatnonzero(matrix @ values >= most - slack)
        return [inequalities[number] for number in close.tolist()]

    def _found_rows(self) -> tuple[csr_array, Values]:
        """The inequalities found so far: coefficients, and what the sums may be at most."""
        if len(self._found[1]) < len(self.found):
            lines = [dict(coefficients) for coefficients, _ in self.found]
            starts = np.cumsum([0, *map(len, lines)])
            columns = np.array([plan for line in lines for plan in line], dtype=np.int64)
            entries = np.array([value for line in lines for value in line.values()], dtype=float)
            matrix = csr_array((entries, columns, starts), shape=(len(lines), self.size))
            self._found = matrix, np.array([most for _, most in self.found], dtype=float)
        return self._found

    def _broken_cliques(self, values: Values) -> Iterator[tuple[Inequality, Origin]]:
        for plan in np.argsort(-values, kind="stable").tolist():
            if values[plan] <= 0:
                return
            neighbours = self.pairs.neighbours(plan)
            clique = self.pairs.heaviest(neighbours[values[neighbours] > 0], values)
            if values[plan] + values[clique].sum() > 1 + _LEAST_EXCESS:
                full = self.pairs.extended([plan, *clique])
                yield (tuple((member, 1) for member in sorted(full)), 1), _PAIRS

    def _broken_conflicts(self, values: Values) -> Iterator[tuple[Inequality, Origin]]:
        if not self._large:
            return
        conflicts = list(self._large)
        if self._members is None:
            self._members = _class_matrix(conflicts, self.size)
        # No clique in a class weighs more than the class, and none more than 1.
        weights = np.minimum(1.0, self._members @ values)
        first = np.cumsum([0, *(len(classes) for classes in conflicts)])
        most = np.add.reduceat(weights, first[:-1])
        allowed = np.diff(first) - 1
        for number in np.flatnonzero(most > allowed + _LEAST_EXCESS).tolist():
            yield from self._broken_conflict(conflicts[number], values)

    def _broken_conflict(
        self, classes: tuple[PlanSet, ...], values: Values
    ) -> Iterator[tuple[Inequality, Origin]]:
        allowed = len(classes) - 1
        coefficients: dict[int, int] = {}
        total = 0.0
        cliques = []
        for members in classes:
            among = np.array(sorted(members))
            clique = self.pairs.heaviest(among, values)
            cliques.append(tuple(clique))
            total += float(values[clique].sum())
            for plan in clique:
                coefficients[plan] = coefficients.get(plan, 0) + 1
        if total > allowed + _LEAST_EXCESS:
            yield (tuple(sorted(coefficients.items())), allowed), (classes, tuple(cliques))


def _class_matrix(conflicts: list[tuple[PlanSet, ...]], size: int) -> csr_array:
    """One row for each class of each conflict, with a 1 for each of its plans."""
    columns: list[int] = []
    starts = [0]
    for classes in conflicts:
        for members in classes:
            columns.extend(sorted(members))
            starts.append(len(columns))
    entries = (np.ones(len(columns)), np.array(columns), np.array(starts))
    return csr_array(entries, shape=(len(starts) - 1, size))

"""Conflicts: classes of plans; no costs make one plan of each class optimal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from plancost.learn.certificate import Certificate
from plancost.learn.rows import PlanSet, Vector

_LEAST_EXCESS = 1e-4


@dataclass(frozen=True)
class Conflict:
    """Every choice of one plan from each class is impossible, and why.

    Proof None: by the word of an integer program, or only for costs as good as the best known.
    """

    classes: tuple[PlanSet, ...]
    proof: Certificate | None


@dataclass(frozen=True)
class Inequality:
    """At most one plan of a clique; or of the cliques of a conflict, all but one are hit."""

    coefficients: tuple[tuple[int, int], ...]
    """Plans, and in how many of the cliques they are."""
    most: int
    """What the sum may be at most."""
    cliques: tuple[tuple[int, ...], ...] = field(compare=False)
    of: int = field(compare=False)
    """The number of the conflict, in the order in which they were learned; -1: a clique of pairs.
    """


class Cuts:
    """All known conflicts, which plans they exclude beside others, and inequalities that every
    allowed set satisfies.

    Plans in conflict pair by pair are a clique: at most one of them. Of a conflict with k classes
    at most k - 1 are hit; a clique within a class counts once, so the sums over one clique of each
    class are at most k - 1 together. Inequalities are found for a point.
    """

    def __init__(self, plan_count: int) -> None:
        self.impossible = np.zeros(plan_count, dtype=bool)
        self.found: dict[Inequality, None] = {}
        self.known: set[tuple[PlanSet, ...]] = set()
        self._others: list[list[tuple[PlanSet, ...]]] = [[] for _ in range(plan_count)]
        """Of each plan, for each conflict that it is in: the classes that it is not in."""
        self._adjacent = np.zeros((plan_count, plan_count), dtype=bool)
        self._large: dict[int, list[npt.NDArray[np.int64]]] = {}
        """By the number of the conflict."""

    def allows(self, plan: int, chosen: Set[int]) -> bool:
        """Whether no known conflict excludes the plan beside those chosen."""
        others = self._others[plan]
        return not self.impossible[plan] and all(any(map(chosen.isdisjoint, o)) for o in others)

    def learn(self, conflict: Conflict) -> bool:
        """Take note of a conflict; False if it is known."""
        if conflict.classes in self.known:
            return False
        self.known.add(conflict.classes)
        for plan in frozenset().union(*conflict.classes):
            others = tuple(own for own in conflict.classes if plan not in own)
            self._others[plan].append(others)
        classes = [np.array(sorted(members), dtype=np.int64) for members in conflict.classes]
        self.impossible[sorted(frozenset.intersection(*conflict.classes))] = True
        if len(classes) == 2:
            self._adjacent[np.ix_(classes[0], classes[1])] = True
            self._adjacent[np.ix_(classes[1], classes[0])] = True
            np.fill_diagonal(self._adjacent, False)
        elif len(classes) > 2:
            self._large[len(self.known) - 1] = classes
        return True

    def separate(self, values: Vector) -> list[Inequality]:
        """New ones that a point breaks."""
        every = (*self._cliques(values), *self._conflicts(values))
        new = [cut for cut in dict.fromkeys(every) if cut not in self.found]
        self.found.update(dict.fromkeys(new))
        return new

    def _clique(self, members: npt.NDArray[np.int64], values: Vector) -> list[int]:
        """Grown greedily by the largest values."""
        order = members[np.argsort(-values[members], kind="stable")]
        clique = []
        while len(order):
            clique.append(int(order[0]))
            order = order[self._adjacent[order[0], order]]
        return clique

    def _cliques(self, values: Vector) -> Iterator[Inequality]:
        degree = self._adjacent.sum(axis=1).astype(np.float64)
        for plan in np.flatnonzero(values > 1e-9).tolist():
            near = np.flatnonzero(self._adjacent[plan] & (values > 1e-9))
            clique = [plan, *self._clique(near, values)]
            if values[clique].sum() > 1 + _LEAST_EXCESS:
                fits = np.flatnonzero(self._adjacent[clique].all(axis=0))
                yield _inequality([[*clique, *self._clique(fits, degree)]], 1, -1)

    def _conflicts(self, values: Vector) -> Iterator[Inequality]:
        for number, classes in self._large.items():
            allowed = len(classes) - 1
            sums = (min(1.0, float(values[own].sum())) for own in classes)
            if sum(sums) <= allowed + _LEAST_EXCESS:
                continue
            cliques = [self._clique(members, values) for members in classes]
            if sum(float(values[own].sum()) for own in cliques) > allowed + _LEAST_EXCESS:
                yield _inequality(cliques, allowed, number)


def _inequality(cliques: Sequence[Sequence[int]], most: int, of: int) -> Inequality:
    counts = Counter(plan for own in cliques for plan in own)
    inside = tuple(tuple(sorted(own)) for own in cliques)
    return Inequality(tuple(sorted(counts.items())), most, inside, of)

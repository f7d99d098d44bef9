"""From the knowledge of a run to bounds that need no solver: trees of cases.

A tree says: some plan is in the set, or it is not; and so on. In a leaf inequalities over the
plans, each taken some number of times, show that no set of that case weighs more than is claimed
(duality of linear programs). Inequalities follow from conflicts, whose rows add up to a
contradiction. Branching takes the place of the integer solver, so nothing rests on its word.

The second objective has a tree of the same kind. A *price* is a conflict under a condition: sets
with a plan of each of its classes cost at least so much. If no set that weighs as much as the best
one avoids all conflicts and all prices of the bound or more, then every such set costs the bound.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import highspy
import numpy as np
import numpy.typing as npt

from plancost.clock import Clock, OutOfTimeError
from plancost.errors import SolverError
from plancost.files import write_atomically
from plancost.learn.cost_lp import quiet_highs, run

Json = dict[str, Any]
Ints = npt.NDArray[np.int64]
Vector = npt.NDArray[np.float64]
Plans = frozenset[int]

_PARTS = 2**30
"""Multipliers are rounded to such parts of a unit."""
_NEARLY = 1e-6
"""So near to 0 or 1 a plan counts as left out or chosen."""
_LEAST_EXCESS = 1e-4
_LEAST_FALL = 1e-4
"""A bound that does not fall in one case should not hide how much it falls in the other."""
_MOST_TRIED = 6
"""Plans that are tried before the cases are divided by one of them."""
_ROUNDS = 100
_MOST_CASES = 5000
"""A larger tree is left open: its file would be too large."""


@dataclass(frozen=True)
class Claims:
    """No set weighs more than `most`; all sets of some weight cost at least so much, if that is
    more than plain.
    """

    most: int
    weight: int
    least: int | None


def add_trees(path: Path, weights: Sequence[int], claims: Claims, more: Json, clock: Clock) -> None:
    """Add the trees of the bounds to the file of a run, as far as time allows, and `more`."""
    document = {**json.loads(path.read_bytes()), **more}
    cases = _Cases(weights, clock)
    conflicts, least = document["conflicts"], claims.least
    for number, conflict in enumerate(conflicts):
        if conflict["rows"]:
            cases.add(number, conflict["classes"])
    document["most"] = cases.tree(claims.most)
    if least is not None:
        for number, price in enumerate(document["prices"], start=len(conflicts)):
            if price["bound"] >= least:
                cases.add(number, price["classes"])
        document["least"] = cases.tree(claims.weight - 1)
    found = [{"of": one.of, "cliques": one.cliques} for one in cases.inequalities]
    document["inequalities"] = found
    write_atomically(path, json.dumps(document, separators=(",", ":")))


@dataclass(frozen=True)
class _Inequality:
    """At most one plan of a clique; or of the cliques of a conflict, all but one are hit."""

    cliques: tuple[tuple[int, ...], ...]
    of: int
    """The number of the conflict or, behind these, of the price; -1: a clique of pairs."""

    @property
    def most(self) -> int:
        """What the sum over all cliques is at most."""
        return 1 if self.of < 0 else len(self.cliques) - 1


@dataclass(frozen=True)
class _Choice:
    """What the relaxation chooses in a case, and the leaf that bounds all sets of the case."""

    values: Vector
    bound: int
    weight: float
    leaf: Json


class _OpenError(Exception):
    """A tree cannot be closed, and why."""


class _Cases:
    """Builds trees over the conflicts and prices that it is given."""

    def __init__(self, weights: Sequence[int], clock: Clock) -> None:
        self._weights, self._clock = [int(weight) for weight in weights], clock
        count = len(self._weights)
        self.inequalities: list[_Inequality] = []
        """All that the relaxation has as rows."""
        self._adjacent = np.zeros((count, count), dtype=bool)
        self._large: list[tuple[int, list[Ints]]] = []
        self._out = np.zeros(count, dtype=bool)
        """Plans that are in a conflict by themselves."""
        self._is_done = False
        """Whether there is a price of all sets."""
        self._left = 0
        """How many cases the tree may still have."""
        self._highs = quiet_highs()
        empty = np.zeros(0, dtype=np.int32)
        ends = np.zeros(count), np.ones(count)
        self._highs.addCols(count, np.zeros(count), *ends, 0, empty, empty, np.zeros(0))

    def add(self, number: int, classes: Sequence[Sequence[int]]) -> None:
        """Take a conflict or price into account."""
        if not classes:
            self._is_done = True
            return
        members = [np.array(own, dtype=np.int64) for own in classes]
        alone = set[int]().union(*classes).intersection(*classes)
        self._out[sorted(alone)] = True
        if len(members) == 2:
            self._adjacent[np.ix_(members[0], members[1])] = True
            self._adjacent[np.ix_(members[1], members[0])] = True
            np.fill_diagonal(self._adjacent, False)
        elif len(members) > 2:
            self._large.append((number, members))

    def tree(self, most: int) -> Json:
        """That no set weighs more, or why that is left open."""
        if self._is_done:
            return {"take": [], "parts": 1}
        self._left = _MOST_CASES
        try:
            return self._proved(frozenset(), frozenset(), most)
        except OutOfTimeError:
            return {"open": "the time was over before all cases were closed"}
        except (_OpenError, SolverError) as reason:
            return {"open": str(reason)}

    def _proved(self, inside: Plans, outside: Plans, most: int) -> Json:
        """The same of sets with the plans inside and without those outside."""
        self._clock.check()
        self._left -= 1
        if self._left < 0:
            raise _OpenError(f"there are more than {_MOST_CASES} cases")
        choice = self._relaxed(inside, outside, _ROUNDS)
        if choice.bound <= most:
            return choice.leaf
        plan = self._deciding(choice, inside, outside)
        return {
            "plan": plan,
            "without": self._proved(inside, outside | {plan}, most),
            "with": self._proved(inside | {plan}, outside, most),
        }

    def _deciding(self, choice: _Choice, inside: Plans, outside: Plans) -> int:
        """The plan that lowers the bound most in both cases, of those least decided."""
        unsure = np.minimum(choice.values, 1 - choice.values)
        unsure[sorted(inside | outside)] = 0.0
        tried = [n for n in np.argsort(-unsure, kind="stable").tolist() if unsure[n] > _NEARLY]
        if not tried:
            raise _OpenError(
                f"{choice.weight:.0f} plans are in no conflict that has a certificate: the bound "
                "rests on an integer program"
            )

        def falls(plan: int) -> float:
            cases = (inside | {plan}, outside), (inside, outside | {plan})
            weights = [self._relaxed(*case, 1).weight for case in cases]
            return prod(max(_LEAST_FALL, choice.weight - weight) for weight in weights)

        plans: list[int] = tried[:_MOST_TRIED]
        return max(plans, key=falls) if len(plans) > 1 else plans[0]

    def _relaxed(self, inside: Plans, outside: Plans, rounds: int) -> _Choice:
        """The relaxation; plans inside are worth so much that they are chosen if they can be."""
        count, worth = len(self._weights), np.array(self._weights, dtype=np.float64)
        worth[sorted(inside)] += 1 + sum(self._weights)
        ends = np.where(self._out, 0.0, 1.0)
        ends[sorted(outside)] = 0.0
        every = np.arange(count, dtype=np.int32)
        self._highs.changeColsCost(count, every, -worth)
        self._highs.changeColsBounds(count, every, np.zeros(count), ends)
        for _ in range(rounds):
            run(self._highs, self._clock)
            solution = self._highs.getSolution()
            values = np.clip(np.asarray(solution.col_value), 0.0, 1.0)
            if not self._cut(values):
                break
        return self._choice(values, np.asarray(solution.row_dual), inside, ends)

    def _choice(self, values: Vector, duals: Vector, inside: Plans, ends: Vector) -> _Choice:
        """The bound of whole multipliers: what they do not pay for is had once, if at all."""
        left, paid, take = [weight * _PARTS for weight in self._weights], 0, []
        for number, (inequality, dual) in enumerate(zip(self.inequalities, duals, strict=False)):
            times = round(-float(dual) * _PARTS)
            if times > 0:
                take.append([number, times])
                paid += times * inequality.most
                for clique in inequality.cliques:
                    for plan in clique:
                        left[plan] -= times
        paid += sum(left[plan] for plan in inside)
        paid += sum(max(0, left[n]) for n, end in enumerate(ends) if end and n not in inside)
        leaf = {"take": take, "parts": _PARTS}
        return _Choice(values, paid // _PARTS, paid / _PARTS, leaf)

    def _cut(self, values: Vector) -> bool:
        """Add inequalities that a point breaks to the relaxation; False if it breaks none."""
        known = set(self.inequalities)
        new = [one for one in dict.fromkeys(self._broken(values)) if one not in known]
        for one in new:
            plans, times = np.unique([n for own in one.cliques for n in own], return_counts=True)
            columns, entries = plans.astype(np.int32), times.astype(np.float64)
            ends = -highspy.kHighsInf, float(one.most)
            self._highs.addRow(*ends, len(columns), columns, entries)
        self.inequalities += new
        return bool(new)

    def _broken(self, values: Vector) -> Iterator[_Inequality]:
        degree = self._adjacent.sum(axis=1).astype(np.float64)
        for plan in np.flatnonzero(values > _NEARLY).tolist():
            near = np.flatnonzero(self._adjacent[plan] & (values > _NEARLY))
            clique = [plan, *self._clique(near, values)]
            if values[clique].sum() > 1 + _LEAST_EXCESS:
                fits = np.flatnonzero(self._adjacent[clique].all(axis=0))
                whole = sorted((*clique, *self._clique(fits, degree)))
                yield _Inequality((tuple(whole),), -1)
        for number, classes in self._large:
            sums = [min(1.0, float(values[own].sum())) for own in classes]
            if sum(sums) > len(classes) - 1 + _LEAST_EXCESS:
                cliques = tuple(tuple(sorted(self._clique(own, values))) for own in classes)
                inside = sum(float(values[list(clique)].sum()) for clique in cliques)
                if inside > len(classes) - 1 + _LEAST_EXCESS:
                    yield _Inequality(cliques, number)

    def _clique(self, members: Ints, values: Vector) -> list[int]:
        """Grown greedily by the largest values."""
        order = members[np.argsort(-values[members], kind="stable")]
        clique = []
        while len(order):
            clique.append(int(order[0]))
            order = order[self._adjacent[order[0], order]]
        return clique

"""Can these plans be optimal together? Costs that make them so, or a conflict with an exact proof.

The linear program over the rows known; a search for rows that its solution breaks; again, until
there are none. Actions that can be priced out are closed meanwhile, so only the states that the
other actions reach matter. A contradiction between rows is cut down to few plans and lifted to
classes of plans.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import chain
from math import lcm
from typing import Protocol, TypeVar

import numpy as np

from plancost.clock import Clock, OutOfTimeError
from plancost.errors import SolverError
from plancost.learn.certificate import Certificate, contradiction
from plancost.learn.conflict import Conflict
from plancost.learn.cost_lp import CostLP, Solved, least_whole
from plancost.learn.interior import whole_near
from plancost.learn.rows import Alternative, Costs, Cut, PlanSet, RowPool, Vector, Whole
from plancost.learn.task import LearningTask

T = TypeVar("T")
LARGEST = 2**40
"""No cost is larger: sums of a thousand of them are exact in floating point."""
_WHOLE = 1e-6
"""How far from a whole number a value may be that is taken for one."""
_SECONDS_FOR_FEWER = 5.0
_MOST_SHRUNK = 60
"""Conflicts of more plans are not shrunk one by one."""


class Separation(Protocol):
    """Who finds the rows that costs break: state graphs, or planners."""

    def separate(self, costs: Costs, plans: Sequence[int], most: int = 6) -> dict[int, list[Cut]]:
        """Of each plan that does not count under these costs of actions, rows that they break."""
        ...

    def rebuild(self, why: Alternative) -> Cut | None:
        """The cut of an alternative from a file, if it is one: it is replayed here."""
        ...


def optimal_under(separation: Separation, costs: Whole, plans: Sequence[int]) -> list[int]:
    """Those of the plans that count under whole costs, in exact arithmetic."""
    wrong = separation.separate(costs, plans, most=1)
    return [plan for plan in plans if plan not in wrong]


class UndecidedError(Exception):
    """Numerical trouble: a proof that does not hold, or no whole costs found."""


class Feasibility:
    """Answers for one set at a time; keeps all rows that it has seen.

    Whole values are found in one of four ways. Where costs can be scaled, `whole` takes the first
    that makes all plans optimal: a corner of the program times its common denominator, then
    (`most_whole`) interior points. Where they cannot, `decide` goes on from whole values only: the
    corner itself if it is whole, else those of an integer program over the rows known.
    """

    def __init__(self, task: LearningTask, separation: Separation, clock: Clock) -> None:
        self.task, self.separation, self.clock = task, separation, clock
        self.parameters = task.parameters
        self.pool = RowPool(len(task.plans), self.parameters.count, self.parameters.always)
        self._lp = CostLP(self.parameters, self.pool, priced=False)

    def decide(self, plans: Sequence[int]) -> Vector | Conflict:
        """Values that make all of these optimal, or a conflict; later plans are rather in it."""
        closed = ~self.task.open_actions(plans)
        while True:
            self.clock.check()
            solved = self._lp.solve(self.pool.demanded(plans), self.clock)
            if solved.values is None:
                return self._conflict(solved, plans)
            values: Vector | None = solved.values
            if not self.parameters.scales:
                values = self._made_whole(solved.values, plans)
            if values is None:
                return self._whole_conflict(plans)
            costs = np.where(closed, np.inf, self.parameters.costs(values))
            broken = self.separation.separate(costs, plans)
            if not broken:
                return values
            if not self.pool.add(chain(*broken.values())):
                raise UndecidedError("the search finds rows that the values already satisfy")

    def whole(self, values: Vector, plans: Sequence[int]) -> Whole | None:
        """Whole values near a multiple of the given ones that make all these plans optimal.

        Checked exactly. Parameters that none of the plans has are priced out.
        """
        scale = _common_denominator(values) if self.parameters.scales else 1
        rounded = np.maximum(self.parameters.least, np.rint(scale * values)).astype(np.int64)
        found, broken = self._checked(rounded, plans)
        if not broken:
            return found
        found, kept = self.most_whole(values, plans)
        return found if len(kept) == len(plans) else None

    def most_whole(self, values: Vector, plans: Sequence[int]) -> tuple[Whole, list[int]]:
        """Whole values, and the plans that they make optimal: all of those that `values` make
        optimal, unless time is up.
        """
        best, kept = self.parameters.baseline, list[int]()
        with suppress(OutOfTimeError):
            while self.parameters.scales and len(kept) < len(plans):
                demanded, least = self.pool.demanded(plans), self.parameters.least
                whole = whole_near(values, self.pool, demanded, least, self.clock)
                if whole is None:
                    break
                found, broken = self._checked(whole, plans)
                fewer = [plan for plan in plans if plan not in broken]
                if self.task.weight(fewer) > self.task.weight(kept):
                    best, kept = found, fewer
                if not self.pool.add(chain(*broken.values())):
                    break
        return best, kept

    def _checked(self, whole: Whole, plans: Sequence[int]) -> tuple[Whole, dict[int, list[Cut]]]:
        """Whole values with the rest priced out, and plans that are not optimal under them."""
        whole = self.parameters.completed(whole)
        used = self.task.used(plans)
        costs = self.parameters.costs(whole).astype(np.int64)
        own = (sum(int(costs[a]) for a in self.task.plans[n].actions) for n in plans)
        more = max(own, default=0) + 1
        raised = self.parameters.raised(whole, used, more)
        if not self.parameters.allows(whole) or whole.max(initial=0) > LARGEST:
            return raised, {plan: [] for plan in plans}
        priced = np.where(self.parameters.unused(used), np.maximum(costs, more), costs)
        return raised, self.separation.separate(priced, plans)

    def _made_whole(self, corner: Vector, plans: Sequence[int]) -> Vector | None:
        """Where costs cannot be scaled: whole values under the rows known, None if there are none.

        The corner of the linear program is often whole; else an integer program finds them.
        """
        values = np.rint(corner)
        if np.abs(values - corner).max(initial=0) <= _WHOLE:
            return values
        found, bound = self._integers(plans, self.clock)
        if found is None and not np.isinf(bound):
            raise UndecidedError("no whole costs were found in time")
        return None if found is None else found.astype(np.float64)

    def _integers(self, plans: Sequence[int], clock: Clock) -> tuple[Whole | None, float]:
        return least_whole(self.parameters, self.pool, self.pool.demanded(plans), clock.remaining)

    def _whole_conflict(self, plans: Sequence[int]) -> Conflict:
        """Fewer of these plans for which an integer program over the rows known has no solution."""

        def refuted(fewer: list[int]) -> tuple[list[int], None] | None:
            found, bound = self._integers(fewer, self.clock.part(_SECONDS_FOR_FEWER))
            return (fewer, None) if found is None and np.isinf(bound) else None

        members, _ = _shrunk(list(dict.fromkeys(plans)), None, refuted)
        return Conflict(tuple(frozenset([n]) for n in sorted(members)), None)

    def _conflict(self, solved: Solved, plans: Sequence[int]) -> Conflict:
        """Of few of these plans, with a proof."""

        def refuted(fewer: list[int]) -> tuple[list[int], Solved] | None:
            with suppress(SolverError):
                found = self._lp.solve(self.pool.demanded(fewer), self.clock)
                if found.values is None:
                    return self._cover(found.rows.tolist(), fewer), found
            return None

        members, solved = _shrunk(self._cover(solved.rows.tolist(), plans), solved, refuted)
        rows = [self.pool.rows[n] for n in solved.rows.tolist()]
        proof = contradiction(self.parameters, rows, solved.multipliers.tolist())
        if proof is None:
            raise UndecidedError("the solver's proof does not hold in exact arithmetic")
        return Conflict(self.classes(proof, members), proof)

    def _cover(self, rows: Sequence[int], plans: Sequence[int]) -> list[int]:
        """Few of the plans that demand all these rows, in the order of the plans."""
        left = [self.pool.plans[row] for row in rows if row >= self.pool.always]
        found: set[int] = set()
        while left:
            demanded = Counter(plan for members in left for plan in members)
            best = max(plans, key=demanded.__getitem__)
            found.add(best)
            left = [members for members in left if best not in members]
        return [plan for plan in plans if plan in found]

    def classes(self, proof: Certificate, members: Sequence[int]) -> tuple[PlanSet, ...]:
        """For each member all plans that demand the same rows as it has to."""
        found: dict[int, set[int]] = {}
        for row in proof.rows:
            number = self.pool.number(row)
            if number < self.pool.always:
                continue
            own = [plan for plan in members if plan in self.pool.plans[number]]
            plan = next((plan for plan in own if plan in found), own[0])
            demanding = self.pool.plans[number]
            found[plan] = found[plan] & demanding if plan in found else set(demanding)
        return tuple(sorted({frozenset(own) for own in found.values()}, key=sorted))


def _shrunk(
    members: list[int], proof: T, refuted: Callable[[list[int]], tuple[list[int], T] | None]
) -> tuple[list[int], T]:
    """A deletion filter: each plan is left out if the others are a contradiction without it.

    Returns those left with their proof. Without the filter grids with 100 plans take twice as long.
    """
    for plan in list(members) if len(members) <= _MOST_SHRUNK else ():
        if plan in members and len(members) > 1:
            fewer = refuted([n for n in members if n != plan])
            members, proof = fewer or (members, proof)
    return members, proof


def _common_denominator(values: Vector) -> int:
    """A number that makes these values whole, 1 if there is none that is small enough."""
    scale = 1
    for value in np.unique(values).tolist():
        fraction = Fraction(value).limit_denominator(10**5)
        if abs(float(fraction) - value) > 1e-9 * max(1.0, value):
            return 1
        scale = lcm(scale, fraction.denominator)
        if scale * float(values.max()) > LARGEST:
            return 1
    return scale

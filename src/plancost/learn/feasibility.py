"""Can these plans be optimal together? Costs that make them so, or a conflict with an exact proof.

The linear program over the rows known; a search for rows that its solution breaks; again, until
there are none. Actions that can be priced out are closed meanwhile, so only the states that the
other actions reach matter. A contradiction between rows is cut down to few plans (without that
grids with 100 plans take twice as long) and lifted to classes of plans.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import inf, lcm
from typing import Protocol

import numpy as np
import numpy.typing as npt

from plancost.clock import Clock
from plancost.errors import SolverError
from plancost.learn.certificate import Certificate, contradiction
from plancost.learn.conflict import Conflict
from plancost.learn.cost_lp import CostLP, WholeProgram
from plancost.learn.rows import Alternative, Cut, PlanSet, RowPool, Vector
from plancost.learn.task import LearningTask

Whole = npt.NDArray[np.int64]

LARGEST = 2**40
"""No cost is larger: sums of a thousand of them are exact in floating point."""
_SCALES = (1, 2, 3, 4, 5, 6, 8, 10, 12, 24, 60, 120, 840, 2520)
"""A corner of the linear program is made whole by one of these, if at all."""
_WHOLE = 1e-6
"""How far from a whole number a value may be that is taken for one."""
_SECONDS_FOR_WHOLE = 20.0
_MOST_SHRUNK = 60
"""Conflicts of more plans are not shrunk one by one."""


class Separation(Protocol):
    """Who finds the rows that costs break: state graphs, or planners."""

    def separate(
        self, costs: Vector | Whole, plans: Sequence[int], most: int = 6
    ) -> dict[int, list[Cut]]:
        """Of each plan that does not count under these costs of actions, rows that they break."""
        ...

    def optimal(self, costs: Whole, plans: Sequence[int]) -> list[int]:
        """Those of the plans that count under whole costs."""
        ...


class OutOfTimeError(Exception):
    """The clock ran out between two steps; what was found is kept by the caller."""


class UndecidedError(Exception):
    """Numerical trouble: a proof that does not hold, or no whole costs found."""


class Feasibility:
    """Answers for one set at a time; keeps all rows that it has seen."""

    def __init__(self, task: LearningTask, separation: Separation, clock: Clock) -> None:
        self.task, self.separation, self.clock = task, separation, clock
        self.parameters = task.parameters
        self.pool = RowPool(len(task.plans), self.parameters.count, self.parameters.always)
        self._lp = CostLP(self.parameters, self.pool, priced=False)
        self._small_lp = CostLP(self.parameters, self.pool, priced=False)
        """For shrinking: over the rows of few plans."""
        self.values: Vector = self.parameters.least.astype(np.float64)
        """The last solution."""

    def decide(self, plans: Sequence[int]) -> Vector | Conflict:
        """Values that make all of these optimal, or a conflict; later plans are rather in it."""
        closed = ~self.task.open_actions(plans)
        while True:
            self._look_at_clock()
            solved = self._lp.solve(self.pool.demanded(plans))
            if solved.values is None:
                return self._conflict(solved.rows.tolist(), solved.multipliers.tolist(), plans)
            self.values = solved.values
            if not self._learn(solved.values, closed, plans):
                if self.parameters.scales:
                    return solved.values
                return self._decide_whole(plans, closed, solved.values)

    def whole(self, values: Vector, plans: Sequence[int]) -> Whole | None:
        """Whole values near multiples of the given ones that make all these plans optimal.

        Checked exactly. Parameters that none of the plans has are priced out.
        """
        for candidate in self._multiples(values):
            found, broken = self._priced_out(candidate, plans)
            if not broken:
                return found
        clock = self.clock.part(_SECONDS_FOR_WHOLE)
        while not clock.is_over:
            demanded = self.pool.demanded(plans)
            program = WholeProgram(self.parameters, self.pool, demanded, priced=False)
            whole, _ = program.solve(clock.remaining, enough=inf)
            if whole is None:
                return None
            found, broken = self._priced_out(whole, plans)
            if not broken:
                return found
            if not self.pool.add(broken):
                return None
        return None

    def _multiples(self, values: Vector) -> Iterable[Whole]:
        """The values times small factors, and times one that makes them whole."""
        least = self.parameters.least
        scales = (*_SCALES, _common_denominator(values)) if self.parameters.scales else (1,)
        for scale in scales:
            if scale * float(values.max(initial=0)) <= LARGEST:
                yield np.maximum(least, np.rint(scale * values)).astype(np.int64)

    def _priced_out(self, candidate: Whole, plans: Sequence[int]) -> tuple[Whole, list[Cut]]:
        """Whole values with the rest priced out, and the rows that they break."""
        used = self.task.used(plans)
        whole = self.parameters.completed(candidate)
        for row in self.parameters.always:
            if row.excess(whole) > 0:
                return whole, [Cut(row, frozenset(), Alternative(0, 0, 0, ()))]
        costs = self.parameters.costs(whole).astype(np.int64)
        own = (sum(int(costs[a]) for a in self.task.plans[n].actions) for n in plans)
        dearest = max(own, default=0)
        priced = np.where(self.parameters.unused(used), np.maximum(costs, dearest + 1), costs)
        broken = self.separation.separate(priced, plans)
        found = self.parameters.raised(whole, used, dearest + 1)
        return found, [cut for cuts in broken.values() for cut in cuts]

    def _decide_whole(
        self, plans: Sequence[int], closed: npt.NDArray[np.bool_], values: Vector
    ) -> Vector | Conflict:
        """Where costs cannot be scaled: whole values, by an integer program if the corner is not
        whole.
        """
        candidate = np.rint(values)
        while np.abs(candidate - values).max(initial=0) > _WHOLE or self._learn(
            candidate, closed, plans
        ):
            self._look_at_clock()
            demanded = self.pool.demanded(plans)
            program = WholeProgram(self.parameters, self.pool, demanded, priced=False)
            found, bound = program.solve(self.clock.remaining, enough=inf)
            if found is None:
                if np.isinf(bound):
                    return self._whole_conflict(plans)
                raise UndecidedError("no whole costs were found in time")
            candidate = values = found.astype(np.float64)
        self.values = candidate
        return candidate

    def _whole_conflict(self, plans: Sequence[int]) -> Conflict:
        """Fewer of these plans for which an integer program over the rows known has no solution."""
        members = list(dict.fromkeys(plans))
        for plan in list(members) if len(members) <= _MOST_SHRUNK else ():
            fewer = [n for n in members if n != plan]
            demanded = self.pool.demanded(fewer)
            program = WholeProgram(self.parameters, self.pool, demanded, priced=False)
            found, bound = program.solve(self.clock.part(5).remaining, enough=inf)
            if found is None and np.isinf(bound):
                members = fewer
        return Conflict(tuple(frozenset([n]) for n in sorted(members)), None)

    def _learn(self, values: Vector, closed: npt.NDArray[np.bool_], plans: Sequence[int]) -> bool:
        """Whether the values break rows, all of which are known afterwards."""
        broken = self.separation.separate(self._costs(values, closed), plans)
        if broken and not self.pool.add(cut for cuts in broken.values() for cut in cuts):
            raise UndecidedError("the search finds rows that the linear program already satisfies")
        return bool(broken)

    def _costs(self, values: Vector, closed: npt.NDArray[np.bool_]) -> Vector:
        return np.where(closed, np.inf, self.parameters.costs(values))

    def _look_at_clock(self) -> None:
        if self.clock.is_over:
            raise OutOfTimeError

    def _conflict(
        self, rows: list[int], multipliers: list[float], plans: Sequence[int]
    ) -> Conflict:
        members = self._cover(rows, plans)
        for plan in list(members) if len(members) <= _MOST_SHRUNK else ():
            if len(members) <= 1 or plan not in members:
                continue
            fewer = [n for n in members if n != plan]
            try:
                solved = self._small_lp.solve(self.pool.demanded(fewer))
            except SolverError:
                break
            if solved.values is None:
                rows, multipliers = solved.rows.tolist(), solved.multipliers.tolist()
                kept = set(self._cover(rows, fewer))
                members = [n for n in members if n in kept]
        proof = contradiction(self.parameters, [self.pool.rows[n] for n in rows], multipliers)
        if proof is None:
            raise UndecidedError("the solver's proof does not hold in exact arithmetic")
        return Conflict(self.classes(proof, members), proof)

    def _cover(self, rows: Sequence[int], plans: Sequence[int]) -> list[int]:
        """Few of the plans that demand all these rows, in the order of the plans."""
        left = {n for n in rows if n >= self.pool.always}
        place = {plan: n for n, plan in enumerate(plans)}
        by_plan: dict[int, set[int]] = {}
        for row in left:
            for plan in self.pool.plans[row]:
                if plan in place:
                    by_plan.setdefault(plan, set()).add(row)
        found = []
        while left:
            best = max(by_plan, key=lambda plan: (len(by_plan[plan] & left), -place[plan]))
            found.append(best)
            left -= by_plan[best]
        return sorted(found, key=lambda plan: place[plan])

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

"""A tree of cases that proves a bound: some plans are in the set, some are not, and so on.

In a leaf either inequalities, each taken some number of times, show that no set of the case weighs
more than is claimed; or, for the second objective, rows of plans that are in the set show that the
costs are at least what is claimed. Where neither holds, a plan is in the set or it is not. No
integer program takes part, so nothing rests on a solver's word. What is left open is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import prod

import numpy as np

from plancost.learning.master.inequalities import Inequalities
from plancost.learning.master.relaxation import Proof, Relaxation, RelaxedChoice
from plancost.learning.problem.rows import Row
from plancost.learning.problem.task import PlanSet
from plancost.learning.subproblem.certificates import proving_multipliers
from plancost.learning.subproblem.conflict import Conflict, Undecided
from plancost.learning.subproblem.cost_lp import ProgramPoint
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.system.clock import Deadline

_NEARLY = 1e-6
"""So near to 0 or 1 a plan counts as left out or chosen."""
_MOST_TRIED = 8
"""Plans that are tried before the cases are divided by one of them."""
_LEAST_FALL = 1e-4
"""A bound that does not fall in one case should not hide how much it falls in the other."""


@dataclass(frozen=True)
class Weighed:
    """No set of the case weighs more than is claimed: inequalities, and how often each is taken."""

    proof: Proof


@dataclass(frozen=True)
class Priced:
    """No costs that make these plans of the case optimal have less secondary cost."""

    rows: tuple[tuple[Row, Fraction], ...]


@dataclass(frozen=True)
class Open:
    """Not proven, and why."""

    reason: str


@dataclass(frozen=True)
class Branch:
    """A plan is in the set, or it is not."""

    plan: int
    without: Node
    with_it: Node


Node = Weighed | Priced | Open | Branch


@dataclass(frozen=True)
class Pricing:
    """Whether rows prove enough secondary cost, which ones do, and whose rows matter."""

    reached: bool
    rows: tuple[tuple[Row, Fraction], ...]
    plans: PlanSet


@dataclass(frozen=True)
class _Case:
    included: PlanSet = frozenset()
    excluded: PlanSet = frozenset()

    def branch(self, plan: int) -> tuple[_Case, _Case]:
        one = frozenset({plan})
        return _Case(self.included, self.excluded | one), _Case(self.included | one, self.excluded)


class Prover:
    """Builds trees over the conflicts that come with a proof, and finds more if it needs them."""

    def __init__(self, first: Subproblem, conflicts: Iterable[Conflict]) -> None:
        self._task = first.task
        self._first = first
        self.inequalities = Inequalities(len(self._task.candidates))
        self._by_classes: dict[tuple[PlanSet, ...], Conflict] = {}
        self._pairs: dict[PlanSet, Conflict] | None = None
        """Those of two classes by two plans, as long as no other conflict comes."""
        for conflict in conflicts:
            if conflict.certificate is not None:
                self._add(conflict)
        counts = [candidate.weight - candidate.bonus for candidate in self._task.candidates]
        self._relaxation = Relaxation(counts, self.inequalities)
        self._all = _Case(self._task.required_candidates)

    def prove_count(self, most: int, deadline: Deadline) -> Node:
        """That no more plans can be optimal together, with those that are required."""
        return self._prove(self._all, most, None, deadline)

    def prove_cost(self, full: Subproblem, count: int, least: int, deadline: Deadline) -> Node:
        """That costs which make so many plans optimal have this secondary cost or more."""

        def price(included: PlanSet) -> Pricing | None:
            return self._price(full, included, least, deadline)

        return self._prove(self._all, count - 1, price, deadline)

    def _prove(
        self,
        case: _Case,
        most: int,
        price: Callable[[PlanSet], Pricing | None] | None,
        deadline: Deadline,
    ) -> Node:
        """That every set of the case weighs at most so much, or costs enough."""
        while not deadline.is_over:
            with self._relaxation.within(case.included, case.excluded):
                choice = self._relaxation.solve(deadline)
            if choice is None:
                break
            if choice.bound <= most:
                return Weighed(choice.proof)
            pricing = None if price is None else price(case.included)
            if pricing is not None and pricing.reached:
                return Priced(pricing.rows)
            plan = self._branching(choice, case, deadline)
            if plan is None:
                chosen = frozenset(np.flatnonzero(choice.values > 0.5).tolist())
                answer = self._first.decide(chosen, deadline)
                if isinstance(answer, Conflict):
                    if answer.certificate is None:
                        return Open("there are rational costs but no integers for some plans")
                    self._add(answer)
                    continue
                if isinstance(answer, Undecided):
                    return Open(answer.reason)
                if price is None:
                    return Open("plans that are more than the bound can be optimal together")
                plan = _deciding(price(chosen), chosen - case.included)
                if plan is None:
                    return Open("only an integer program tells what is least for these plans")
            without, with_it = case.branch(plan)
            return Branch(
                plan,
                self._prove(without, most, price, deadline),
                self._prove(with_it, most, price, deadline),
            )
        return Open("out of time")

    def _branching(self, choice: RelaxedChoice, case: _Case, deadline: Deadline) -> int | None:
        """The plan that lowers the bound most in both cases; None if the relaxation is sure of all.

        Both cases are tried for the few plans that it is least sure of: the tree grows with every
        plan that decides little.
        """
        plans = _fractional(choice, case)
        if len(plans) < 2:
            return next(iter(plans), None)

        def fall(under: _Case) -> float:
            with self._relaxation.within(under.included, under.excluded):
                tried = self._relaxation.solve(deadline)
            return max(
                _LEAST_FALL, choice.weight - (choice.weight if tried is None else tried.weight)
            )

        return max(plans, key=lambda plan: prod(map(fall, case.branch(plan))))

    def by_classes(self, classes: tuple[PlanSet, ...]) -> Conflict:
        """The conflict of these classes."""
        return self._by_classes[classes]

    def alone(self, plan: int) -> Conflict:
        """A conflict that a plan is in by itself."""
        return next(c for c in self._by_classes.values() if all(plan in m for m in c.classes))

    def between(self, one: int, other: int) -> Conflict:
        """A conflict that two plans are in."""
        if self._pairs is None:
            self._pairs = {
                frozenset({one, other}): conflict
                for classes, conflict in self._by_classes.items()
                if len(classes) == 2
                for one in classes[0]
                for other in classes[1]
                if one != other
            }
        return self._pairs[frozenset({one, other})]

    def _add(self, conflict: Conflict) -> None:
        self._by_classes.setdefault(conflict.classes, conflict)
        self._pairs = None
        self.inequalities.add(conflict)

    def _price(
        self, full: Subproblem, chosen: PlanSet, least: int, deadline: Deadline
    ) -> Pricing | None:
        """What costs that make these plans optimal have in secondary cost at least."""
        point = full.relax(chosen, deadline)
        if not isinstance(point, ProgramPoint):
            return None
        used = [
            (row, float(multiplier))
            for row, multiplier in zip(point.rows, point.multipliers, strict=True)
            if multiplier > _NEARLY
        ]
        rows = [row for row, _ in used]
        exact = proving_multipliers(self._task, rows, [times for _, times in used], least)
        plans = frozenset(plan for row in rows for plan in full.inducing_plans(row) & chosen)
        if exact is None:
            return Pricing(False, (), plans)
        return Pricing(True, tuple(zip(rows, exact, strict=True)), plans)


def _fractional(choice: RelaxedChoice, case: _Case) -> list[int]:
    """The plans that the relaxation is least sure of, but no more than are tried."""
    between = np.minimum(choice.values, 1 - choice.values)
    between[sorted(case.included | case.excluded)] = 0.0
    order = np.argsort(-between, kind="stable")[:_MOST_TRIED]
    return [plan for plan in order.tolist() if between[plan] >= _NEARLY]


def _deciding(pricing: Pricing | None, plans: PlanSet) -> int | None:
    """One of the plans, if possible one that the secondary cost depends on."""
    if pricing is None or not plans:
        return None
    return min(plans & pricing.plans or plans)

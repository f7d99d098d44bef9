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

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from plancost.errors import SolverError
from plancost.learning.master.cliques import Values
from plancost.learning.master.inequalities import Inequalities, Inequality
from plancost.learning.master.weighing import common_unit
from plancost.learning.problem.task import PlanSet
from plancost.solver.default import new_lp
from plancost.solver.lp import LPSolution
from plancost.solver.model import Status
from plancost.system.clock import Deadline

_MOST_ROUNDS = 60
PARTS = 2**30
"""Multipliers are rounded to such parts of a unit, and then count as whole numbers."""

Proof = tuple[tuple[Inequality, int], ...]
"""Inequalities, each with how often it is taken."""


@dataclass(frozen=True)
class RelaxedChoice:
    """How much of each plan the relaxation chooses, and a bound on every set's weight."""

    values: Values
    bound: int
    weight: float
    """The same before it was rounded down."""
    proof: Proof = ()
    """What the bound rests on, in parts of a unit of weight (`PARTS`)."""


class Relaxation:
    """A linear program over the plans that grows with the inequalities.

    It speaks of the union of so many sets as there are `copies`.
    """

    def __init__(self, weights: Sequence[int], inequalities: Inequalities, copies: int = 1) -> None:
        self._copies = copies
        self._unit = common_unit(weights)
        self._weights = [weight // self._unit for weight in weights]
        self._inequalities = inequalities
        self._rows: list[Inequality] = []
        self._closed: set[int] = set()
        self._included: PlanSet = frozenset()
        self._nothing: Values = np.zeros(len(weights))
        self._program = new_lp()
        for weight in self._weights:
            self._program.add_column(0.0, 1.0, objective=-float(weight))

    def solve(self, deadline: Deadline) -> RelaxedChoice | None:
        """The optimum over all known conflicts, or over most if time is short; None: no time."""
        for plan in self._inequalities.infeasible_alone - self._closed:
            self._program.change_column_bounds(plan, 0.0, 0.0)
            self._closed.add(plan)
        self._add(list(self._inequalities.found)[len(self._rows) :])
        choice: RelaxedChoice | None = None
        for _ in range(_MOST_ROUNDS):
            try:
                solution = self._program.solve(deadline.remaining())
            except SolverError:
                if choice is None:
                    raise
                break  # what the last round proved still holds
            if solution.status is Status.STOPPED:
                break
            choice = self._choice(solution)
            if solution.status is not Status.OPTIMAL:
                break
            new = self._inequalities.separate(choice.values / self._copies)
            if not new:
                break
            self._add(new)
        return choice

    def bound_without(self, plans: PlanSet, deadline: Deadline) -> int | None:
        """No set without these plans weighs more than that; None: no time."""
        with self.within(frozenset(), plans):
            choice = self.solve(deadline)
        return None if choice is None else choice.bound

    @contextmanager
    def within(self, included: PlanSet, excluded: PlanSet) -> Iterator[None]:
        """Speak only of sets that have some plans and that do not have some others."""
        closed = excluded - self._closed
        for plan in closed:
            self._program.change_column_bounds(plan, 0.0, 0.0)
        for plan in included:
            self._program.change_column_bounds(plan, 1.0, 1.0)
        self._closed |= closed
        self._included = included
        try:
            yield
        finally:
            self._closed -= closed
            self._included = frozenset()
            for plan in closed | included:
                most = 0.0 if plan in self._inequalities.infeasible_alone else 1.0
                self._program.change_column_bounds(plan, 0.0, most)

    def _add(self, inequalities: Sequence[Inequality]) -> None:
        for coefficients, most in inequalities:
            self._program.add_row(dict(coefficients), float(self._copies * most))
        self._rows.extend(inequalities)

    def _choice(self, solution: LPSolution) -> RelaxedChoice:
        times = {
            number: round(float(solution.multipliers[number]) * PARTS)
            for number in np.flatnonzero(solution.multipliers > 0).tolist()
        }
        proof = tuple((self._rows[number], many) for number, many in times.items() if many)
        if solution.status is not Status.OPTIMAL:
            # The rows contradict the plans that are fixed: taken often enough, they prove anything.
            shortfall = -self._paid(proof, [0] * len(self._weights))
            often = 1 + (sum(self._weights) * PARTS) // shortfall if shortfall > 0 else 1
            proof = tuple((row, many * often) for row, many in proof)
        weight = self._paid(proof, [weight * PARTS for weight in self._weights])
        values = np.clip(solution.values, 0.0, 1.0) if len(solution.values) else self._nothing
        return RelaxedChoice(
            values, weight // PARTS * self._unit, weight * self._unit / PARTS, proof
        )

    def _paid(self, proof: Proof, weights: list[int]) -> int:
        """What sets weigh at most: the rows are paid for, and what is left is had at most once."""
        paid, left = 0, weights
        for (coefficients, most), times in proof:
            paid += times * self._copies * most
            for plan, value in coefficients:
                left[plan] -= times * value
        kept = self._included
        return paid + sum(
            part
            for plan, part in enumerate(left)
            if plan not in self._closed and (part > 0 or plan in kept)
        )

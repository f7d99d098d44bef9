"""Which sets do the known conflicts allow? A relaxation with strong cuts, and an integer program.

The relaxation's bound is computed from its multipliers in whole numbers. The integer program comes
where the relaxation stalls (SCIP, 2.6 times as fast as HiGHS on grids with 100 plans).
"""

from __future__ import annotations

from dataclasses import dataclass

import highspy
import numpy as np
import numpy.typing as npt

from plancost.clock import Clock
from plancost.errors import SolverError
from plancost.learn.conflict import Cuts, Inequality
from plancost.learn.rows import PlanSet, Vector
from plancost.learn.solvers import quiet_highs, run, run_scip, solution

PARTS = 2**30
"""Multipliers are rounded to such parts of a unit."""
ROUNDS = 100


class Relaxation:
    """The linear program over the plans; it grows with the cuts.

    With several `copies` it is about unions of so many sets: what one set satisfies, all together
    satisfy with so many times the limit.
    """

    def __init__(self, weights: npt.NDArray[np.int64], cuts: Cuts, copies: int = 1) -> None:
        self._weights, self._cuts, self._copies = weights, cuts, copies
        self.rows: list[Inequality] = []
        self.taken: list[tuple[int, int]] = []
        """Numbers of rows, and how many parts of them pay for the weights of plans."""
        self._left = [0] * len(weights)
        """In parts, what of each plan's weight the rows do not pay for."""
        self.paid = 0
        """In parts, what sets weigh at most."""
        self._inside: PlanSet = frozenset()
        self._outside: PlanSet = frozenset()
        self._highs = quiet_highs()
        count, empty = len(weights), np.zeros(0, dtype=np.int32)
        bounds = np.zeros(count), np.ones(count)
        self._highs.addCols(count, -weights.astype(float), *bounds, 0, empty, empty, np.zeros(0))

    def restrict(self, inside: PlanSet, outside: PlanSet) -> None:
        """From now on only sets with some plans and without some others: those inside are worth so
        much that they are chosen if they can be.
        """
        self._inside, self._outside = inside, outside
        count, worth = len(self._weights), self._weights.astype(np.float64)
        worth[sorted(inside)] += 1 + self._weights.sum()
        ends = np.ones(count)
        ends[sorted(outside)] = 0.0
        every = np.arange(count, dtype=np.int32)
        self._highs.changeColsCost(count, every, -worth)
        self._highs.changeColsBounds(count, every, np.zeros(count), ends)

    def solve(self, clock: Clock, rounds: int = ROUNDS) -> tuple[Vector, int]:
        """How much of each plan is chosen, and a bound on the weight of every allowed set."""
        for plan in np.flatnonzero(self._cuts.impossible).tolist():
            self._highs.changeColBounds(plan, 0.0, 0.0)
        for _ in range(rounds):
            run(self._highs, clock)
            found, multipliers = solution(self._highs, len(self._weights))
            values = np.clip(found, 0.0, 1.0)
            new = self._cuts.separate(values / self._copies)
            if not new or clock.is_over:
                break
            for row in new:
                most = float(self._copies * row.most)
                columns = np.array([n for n, _ in row.coefficients], dtype=np.int32)
                entries = np.array([float(c) for _, c in row.coefficients])
                self._highs.addRow(-highspy.kHighsInf, most, len(columns), columns, entries)
            self.rows += new
        self._pay(multipliers)
        return values, self.paid // PARTS

    def needed(self, weight: int) -> list[int]:
        """Plans that every allowed set of this weight has, by the last solution: without what is
        left of one the others weigh less.
        """
        enough = weight * PARTS
        return [n for n, part in enumerate(self._left) if self.paid - max(0, part) < enough]

    def _pay(self, multipliers: Vector) -> None:
        """Rows are paid for, and what is left is had once, if at all."""
        left = [int(w) * PARTS for w in self._weights]
        self.paid, self.taken = 0, []
        for number, (row, multiplier) in enumerate(zip(self.rows, multipliers, strict=False)):
            times = round(-float(multiplier) * PARTS)
            if times > 0:
                self.taken.append((number, times))
                self.paid += times * row.most * self._copies
                for plan, count in row.coefficients:
                    left[plan] -= times * count
        for plan in (*np.flatnonzero(self._cuts.impossible).tolist(), *self._outside):
            left[plan] = 0
        self._left = left
        self.paid += sum(p if n in self._inside else max(0, p) for n, p in enumerate(left))


@dataclass(frozen=True)
class Proposal:
    """A set, a bound on all sets that the known conflicts allow, and whether the set has that
    weight, or enough.
    """

    plans: list[int]
    bound: int
    is_enough: bool


def heaviest_set(
    weights: npt.NDArray[np.int64], cuts: Cuts, clock: Clock, enough: int | None = None
) -> Proposal:
    """By SCIP, under all cuts known and those that its answer breaks; or any that weighs `enough`.

    A set that is only better than the incumbent brings a conflict as well as the heaviest one: on
    grid-10_1000_0 the proof comes after 104 s instead of 172 s.
    """
    from pyscipopt import Model, quicksum

    bound = int(weights.sum())
    while True:
        model = Model()
        x = [model.addVar(vtype="B", ub=0.0 if out else 1.0) for out in cuts.impossible]
        objective = quicksum(int(w) * v for w, v in zip(weights, x, strict=True))
        model.setObjective(objective, "maximize")
        for row in cuts.found:
            model.addCons(quicksum(c * x[n] for n, c in row.coefficients) <= row.most)
        model.setParam("limits/absgap", 0.9)  # weights are whole
        if enough is not None:
            model.setParam("limits/primal", float(enough))
        run_scip(model, clock)
        if model.getStatus() == "infeasible":
            raise SolverError("SCIP says that conflicts allow no set, not even the empty one")
        finished = model.getStatus() in ("optimal", "gaplimit", "primallimit")
        bound = min(bound, int(np.floor(model.getDualbound() + 1e-6)))
        values = np.zeros(len(weights))
        if model.getNSols():
            best = model.getBestSol()
            values = np.array([round(float(model.getSolVal(best, v))) for v in x], dtype=np.float64)
        is_allowed = not cuts.separate(values)
        if is_allowed or not finished or clock.is_over:
            plans: list[int] = np.flatnonzero(values > 0.5).tolist()
            return Proposal(plans, bound, finished and is_allowed)

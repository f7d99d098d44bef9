"""The second objective: least sum of costs, or least distance from known costs, over all actions.

For one set: the linear program over rows found lazily, then whole numbers; where a corner is not
whole, an integer program over the same rows takes its place. For all sets of the same weight:
what one set costs at least rests on few rows, so every set that demands these rows costs as much.
They are a conflict as soon as that is no better than the incumbent (Benders), and the master
proposes a set until there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from plancost.clock import Clock
from plancost.errors import SolverError
from plancost.learn.certificate import Certificate, least_second
from plancost.learn.conflict import Conflict
from plancost.learn.cost_lp import CostLP, WholeProgram
from plancost.learn.feasibility import LARGEST, Separation
from plancost.learn.rows import PlanSet, RowPool, Vector
from plancost.learn.task import LearningTask

Whole = npt.NDArray[np.int64]

_TRIES = 10


@dataclass(frozen=True)
class Least:
    """Whole values for a set (None: not found in time), and a bound on the second objective.

    Every set with a plan of each class is subject to the bound.
    """

    values: Whole | None
    value: int
    bound: int
    classes: tuple[PlanSet, ...]
    proof: Certificate | None

    @property
    def is_least(self) -> bool:
        """Whether no values are better for this set."""
        return self.values is not None and self.value <= self.bound


class LeastCosts:
    """Answers for one set at a time; keeps all rows."""

    def __init__(self, task: LearningTask, separation: Separation, clock: Clock) -> None:
        self.task, self.separation, self.clock = task, separation, clock
        self.parameters = task.parameters
        self.pool = RowPool(len(task.plans), self.parameters.count, self.parameters.always)
        self._lp = CostLP(self.parameters, self.pool, priced=True)
        self._baseline = self.parameters.baseline

    def of(self, plans: Sequence[int]) -> Least:
        """The least for these plans, which can be optimal together."""
        least = self._at_baseline(plans)
        if least is not None:
            return least
        while True:
            self.clock.check()
            demanded = self.pool.demanded(plans)
            solved = self._lp.solve(demanded, self.clock)
            if solved.values is None:
                raise SolverError("HiGHS finds no costs for plans that can be optimal together")
            broken = self.separation.separate(self.parameters.costs(solved.values), plans)
            if not broken or not self._add(broken):
                break
        rows = [self.pool.rows[n] for n in solved.rows.tolist()]
        value = int(np.ceil(self._price(solved.values) - 1e-6))
        bound, proof = least_second(self.parameters, rows, solved.multipliers.tolist(), value)
        classes = self._classes(solved.rows)
        candidate = self.parameters.completed(
            np.maximum(self.parameters.least, np.rint(solved.values)).astype(np.int64)
        )
        if self._fits(candidate, plans) and self.parameters.second(candidate) <= bound:
            return Least(candidate, self.parameters.second(candidate), bound, classes, proof)
        start = Least(None, 0, bound, classes, proof)
        near = self._near(solved.values, plans, start)
        if near is not None and near.is_least:
            return near
        return self._whole(plans, near or start)

    def _at_baseline(self, plans: Sequence[int]) -> Least | None:
        """The baseline, if it makes the plans optimal: nothing is less. (Barman: all costs 1.)"""
        values = self._baseline
        value = self.parameters.second(values)
        bound, _ = least_second(self.parameters, (), (), value)
        if value > bound or not self._fits(values, plans):
            return None
        return Least(values, value, bound, (), Certificate((), ()))

    def _fits(self, values: Whole, plans: Sequence[int]) -> bool:
        """Whether whole values keep to all rows that always hold, and make the plans optimal."""
        if (values < self.parameters.least).any() or (values > self.parameters.greatest).any():
            return False
        excess = self.pool.excess(values.astype(np.float64))
        demanded = self.pool.demanded(plans)
        costs = self.parameters.costs(values).astype(np.int64)
        if (excess[demanded] > 0).any() or int(costs.max(initial=0)) > LARGEST:
            return False
        broken = self.separation.separate(costs, plans)
        self._add(broken)
        return not broken

    def _near(self, corner: Vector, plans: Sequence[int], start: Least) -> Least | None:
        """Whole values that reach the bound and agree with the corner where that is whole."""
        for _ in range(_TRIES):
            program = WholeProgram(
                self.parameters, self.pool, self.pool.demanded(plans), priced=True
            )
            seconds = self.clock.part(self.clock.remaining / 4).remaining
            values = program.near(corner, start.bound, seconds)
            if values is None:
                return None
            if self._fits(values, plans):
                value = self.parameters.second(values)
                return replace(start, values=values, value=value)
        return None

    def _whole(self, plans: Sequence[int], start: Least) -> Least:
        """By integer programs over the rows known, until their answer breaks no others."""
        least = start
        while not self.clock.is_over:
            demanded = self.pool.demanded(plans)
            program = WholeProgram(self.parameters, self.pool, demanded, priced=True)
            values, found = program.solve(self.clock.remaining, start.bound)
            bound = int(np.ceil(found - 1e-6)) if np.isfinite(found) else least.bound
            if bound > least.bound:
                classes = self._classes(np.flatnonzero(demanded))
                least = replace(least, bound=bound, classes=classes, proof=None)
            if values is None:
                break
            if self._fits(values, plans):
                value = self.parameters.second(values)
                return (
                    least
                    if least.values is not None and least.value <= value
                    else replace(least, values=values, value=value)
                )
        return least

    def _classes(self, rows: npt.NDArray[np.int64]) -> tuple[PlanSet, ...]:
        own = {frozenset(self.pool.plans[n]) for n in rows.tolist() if n >= self.pool.always}
        # A plan of a smaller class does for a larger one that contains it.
        minimal = [c for c in own if not any(other < c for other in own)]
        return tuple(sorted(minimal, key=sorted))

    def _add(self, broken: dict[int, list]) -> int:  # type: ignore[type-arg]
        return self.pool.add(cut for cuts in broken.values() for cut in cuts)

    def _price(self, values: npt.NDArray[np.float64]) -> float:
        functions = self.parameters.functions
        return float(
            sum(
                f.weight * x + sum(abs(x - t) for t in f.targets)
                for f, x in zip(functions, values.tolist(), strict=True)
            )
        )


def benders(least: Least, second: int) -> Conflict | None:
    """Sets with a plan of each class are no better than `second`; None: nothing is, whatever the
    set.
    """
    if not least.classes:
        return None
    return Conflict(least.classes, least.proof, second)

"""Integer programs over sets of plans whose inequalities are added as answers break them.

There are far too many inequalities to write all of them down (`inequalities`). So the program is
solved over those found so far, or over those of them that are close to the relaxation's optimum,
which are far fewer and give nearly the same bound in a fraction of the time. It is solved again
with those that its answer breaks, until it breaks none.
The first columns of the model are the plans, once for each set asked for (a *copy*), and every
inequality holds for each copy.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from math import inf
from typing import Generic, TypeVar

import numpy as np

from plancost.learning.master.cliques import Values
from plancost.learning.master.inequalities import Inequalities, Inequality
from plancost.learning.master.weighing import Weighing
from plancost.learning.problem.task import PlanSet
from plancost.solver import highs
from plancost.solver.model import Model, Outcome, Status
from plancost.system.clock import Deadline
from plancost.system.schedule import SCHEDULE

T = TypeVar("T")

_CLOSE = 0.02
"""An inequality whose slack at the relaxation's optimum is no more is there from the start."""
_BROKEN = 0.5
"""By how much sets break inequalities at least: all numbers in them are whole."""


@dataclass(frozen=True)
class Choice(Generic[T]):
    """The master's proposal, a set of plans or several, and what it proves.

    `chosen` is None if no set is left. `bound` is an upper bound on the weight, or
    (second objective) a lower bound on the secondary cost. Unless `finished`, time was
    short: a better set may exist, and a known conflict may exclude this one.
    """

    chosen: T | None
    bound: int
    finished: bool
    gave_up: bool = False
    """Not finished, although there was time: asking again is no use."""


@dataclass(frozen=True)
class LazyProgram:
    """A model whose first columns are copies of the plans, and the inequalities that bind them."""

    model: Model
    inequalities: Inequalities
    copies: int = 1
    near: Values | None = None
    """The relaxation's optimum; None: all inequalities found so far are there from the start."""

    def heaviest(
        self,
        weighing: Weighing,
        deadline: Deadline,
        seed: int = 0,
        start: list[float] | None = None,
    ) -> Choice[tuple[PlanSet, ...]]:
        """The heaviest sets, from a point to start with."""
        started = time.monotonic()
        mending_s = SCHEDULE.mending_s if self.near is None else inf
        first = None if start is None else weighing.start(start)

        def solve(known: list[float] | None) -> Outcome:
            point = first if known is None else known
            return self.solve(deadline, seed, gap=0.5, start=point, mending_s=mending_s)

        outcome, bound = weighing.largest(solve)
        finished = outcome.status is Status.OPTIMAL
        had_time = not deadline.is_over and time.monotonic() < started + mending_s
        return Choice(self.chosen(outcome), bound, finished, gave_up=not finished and had_time)

    def solve(
        self,
        deadline: Deadline,
        seed: int = 0,
        *,
        gap: float,
        start: list[float] | None = None,
        mending_s: float = inf,
    ) -> Outcome:
        """Solve until the answer breaks no known conflict, or that takes longer than this.

        The bound is the best of all solves, since each proves one.
        """
        started = time.monotonic()
        bound = -inf
        new = self._first()
        held: set[Inequality] = set()
        while True:
            held.update(new)
            for coefficients, most in new:
                for copy in range(self.copies):
                    offset = copy * self.inequalities.size
                    line = {offset + plan: float(value) for plan, value in coefficients}
                    self.model.add_row(line, upper=float(most))
            outcome = highs.solve(
                self.model, time_limit_s=deadline.remaining(), seed=seed, gap=gap, start=start
            )
            bound = max(bound, outcome.bound)
            outcome = replace(outcome, bound=bound)
            if outcome.status is not Status.OPTIMAL or outcome.values is None:
                return outcome
            chosen = np.round(self._by_copy(outcome.values))
            new = [row for row in self._broken(chosen) if row not in held]
            self.inequalities.broken_by_sets.update(dict.fromkeys(new))
            if not new:
                return outcome
            if time.monotonic() > started + mending_s:
                return replace(outcome, status=Status.STOPPED)

    def _first(self) -> list[Inequality]:
        """The inequalities to begin with."""
        if self.near is None:
            return list(self.inequalities.found)
        close = self.inequalities.near(self.near, _CLOSE)
        return list(dict.fromkeys((*close, *self.inequalities.broken_by_sets)))

    def _broken(self, chosen: np.ndarray) -> list[Inequality]:
        """The inequalities that proposed sets break, each once."""
        for line in chosen:
            self.inequalities.separate(line)
        broken = (self.inequalities.near(line, -_BROKEN) for line in chosen)
        return list(dict.fromkeys(row for rows in broken for row in rows))

    def chosen(self, outcome: Outcome) -> tuple[PlanSet, ...] | None:
        """The plans of each copy."""
        if outcome.values is None:
            return None
        values = self._by_copy(outcome.values)
        return tuple(frozenset(np.flatnonzero(line > 0.5).tolist()) for line in values)

    def _by_copy(self, values: tuple[float, ...]) -> np.ndarray:
        size = self.inequalities.size
        return np.asarray(values[: self.copies * size]).reshape(self.copies, size)


def only(chosen: tuple[PlanSet, ...] | None) -> PlanSet | None:
    """The set of a program with one copy."""
    return None if chosen is None else chosen[0]

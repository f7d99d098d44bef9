"""The first objective: the most plans that can be optimal together, with a proof (implicit hitting
sets).

The relaxation bounds the answer and says which plans to insert first; what does not fit is a new
conflict, which the relaxation has to respect; each pass ends in a set that can be had. Where that
leads nowhere, the integer program proposes a set; if it can be had, it is the best, else it
brings a conflict. The run ends when the incumbent meets the bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import numpy as np

from plancost.clock import OutOfTimeError
from plancost.errors import PlancostError, SolverError
from plancost.learn.conflict import Conflict, Cuts
from plancost.learn.feasibility import Feasibility
from plancost.learn.incumbent import Incumbent
from plancost.learn.insertion import Insertion
from plancost.learn.knowledge import Knowledge
from plancost.learn.master import Relaxation, heaviest_set
from plancost.learn.rows import Vector

_STALL = 0.05
"""A relaxation that falls by less than this has stalled."""
_PROBES_FROM = 500
"""With so many plans, insertion in a noisy order finds conflicts that the plain order does not: on
1,000-plan grids the relaxation stalls at 444.8 instead of 447.3."""
_NOISE = 0.3


class MostPlans:
    """The moves, around one incumbent."""

    def __init__(
        self, feasibility: Feasibility, incumbent: Incumbent, knowledge: Knowledge, seed: int
    ) -> None:
        self.task, self.feasibility = feasibility.task, feasibility
        self.incumbent, self.knowledge, self.clock = incumbent, knowledge, feasibility.clock
        count = len(self.task.plans)
        self.cuts = Cuts(count)
        self.insertion = Insertion(feasibility, self.cuts, self.learn)
        self._relaxation = Relaxation(self.task.weights, self.cuts)
        self._liking = np.ones(count)
        """How much of each plan the relaxation chooses."""
        self._random = np.random.default_rng(seed)

    def learn(self, conflict: Conflict) -> None:
        """Take note of a conflict, and of its proof."""
        if self.cuts.learn(conflict):
            self.knowledge.add(conflict, self.feasibility.pool)

    def take(self, plans: Sequence[int], values: Vector) -> bool:
        """Make this set the incumbent; False if no whole values are found for it."""
        whole = self.feasibility.whole(values, plans)
        if whole is not None:
            self.incumbent.take(plans, whole)
        return whole is not None

    def insert(self, order: Sequence[int], first: int = 1) -> None:
        """Grow a set, and keep it if it is better."""
        if self._is_over:
            return
        possible = [n for n in order if not self.cuts.impossible[n]]
        try:
            self.insertion.grow(possible, first)
        except BaseException:  # Ctrl-C, or a program that fails
            with suppress(OutOfTimeError, PlancostError):
                self._keep()
            raise
        self._keep()

    def _keep(self) -> None:
        """What was inserted, if it is better."""
        plans = self.insertion.decided
        if self.task.weight(plans) > self.incumbent.weight:
            self.take(plans, self.insertion.values)

    def relax(self) -> float:
        """The bound of the conflicts so far."""
        choice = self._relaxation.solve(self.clock)
        self._liking = choice.values
        self.incumbent.lower_bound(choice.bound)
        return choice.weight

    def run(self) -> None:
        """Follow the relaxation as long as that helps, then the integer program."""
        last = np.inf
        while not self._is_over:
            before = self._found
            weight = self.relax()
            if weight > last - _STALL and not self._propose():
                return
            last = weight
            self.insert(self._by_liking())
            if len(self.task.plans) >= _PROBES_FROM:
                noisy = [n for n in self._by_liking(_NOISE) if self._liking[n] > 1e-6]
                self.insert(noisy, max(1, self.incumbent.weight // 2))
            if self._found == before and not self._propose():
                return

    @property
    def _is_over(self) -> bool:
        """Whether it is proven, or time is up."""
        return self.incumbent.is_proved or self.clock.is_over

    @property
    def _found(self) -> tuple[int, int]:
        """What changes whenever anything is found."""
        return self.cuts.conflict_count, self.incumbent.weight

    def _by_liking(self, noise: float = 0.0) -> list[int]:
        """Plans that the relaxation likes first; of equal ones the short ones."""
        liking = self._liking - 1e-4 * self.task.lengths
        if noise:
            liking = liking + noise * self._random.random(len(liking))
        order: list[int] = np.argsort(-liking, kind="stable").tolist()
        return order

    def _propose(self) -> bool:
        """Decide the heaviest set that known conflicts allow; False if that cannot get further."""
        if self._is_over:
            return True
        before = self._found
        found = heaviest_set(self.task.weights, self.cuts, self.clock)
        if found.bound < self.incumbent.weight:
            raise SolverError(
                f"SCIP says that at most {found.bound} plans can be optimal together, but "
                f"{self.incumbent.weight} are"
            )
        self.incumbent.lower_bound(found.bound)
        self.insert([*found.plans, *self._by_liking()], max(1, len(found.plans)))
        return self._found != before or not found.is_best


def shortest_first(lengths: np.ndarray) -> list[int]:
    """Short plans leave the most room for others."""
    order: list[int] = np.argsort(lengths, kind="stable").tolist()
    return order

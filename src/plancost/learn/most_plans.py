"""The first objective: the most plans that can be optimal together, with a proof (implicit hitting
sets).

The relaxation bounds the answer and says which plans to insert first; what does not fit is a new
conflict, which the relaxation has to respect; each pass ends in a set that can be had. Where that
leads nowhere, the integer program proposes a set; if it can be had, it is the best, else it
brings a conflict. The run ends when the incumbent meets the bound.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from contextlib import suppress

import numpy as np

from plancost.clock import OutOfTimeError
from plancost.errors import PlancostError, SolverError
from plancost.learn.conflict import Conflict, Cuts
from plancost.learn.feasibility import Feasibility, UndecidedError
from plancost.learn.incumbent import Incumbent
from plancost.learn.knowledge import Knowledge
from plancost.learn.master import Relaxation, heaviest_set
from plancost.learn.rows import Vector

_PROBES_FROM = 500
"""With so many plans, insertion in a noisy order finds more than the plain order does: on
1,000-plan grids 439 plans in 40 s instead of 437."""
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
        self._relaxation = Relaxation(self.task.weights, self.cuts)
        self._liking = np.ones(count)
        """How much of each plan the relaxation chooses."""
        self._random = np.random.default_rng(seed)
        self.grown: list[int] = []
        """The set that was grown last, and values that make it optimal."""
        self._grown_values: Vector = np.zeros(0)

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
        try:
            self.grow(order, first)
        except BaseException:  # Ctrl-C, or a program that fails
            with suppress(OutOfTimeError, PlancostError):
                self._keep()
            raise
        self._keep()

    def _keep(self) -> None:
        """What was inserted, if it is better."""
        if self.task.weight(self.grown) > self.incumbent.weight:
            self.take(self.grown, self._grown_values)

    def grow(self, order: Iterable[int], first: int) -> list[int]:
        """A set that can be had: plans are inserted in blocks that double while most fit, as far as
        the clock lets it. `first` is the size of the first block, say of a set that nearly fits.
        """
        self.grown, waiting, size = [], deque(order), first
        with suppress(OutOfTimeError):
            while len(tried := self._with_next(self.grown, waiting, size)) > len(self.grown):
                known = len(self.cuts.known)
                try:
                    self.grown, self._grown_values = self._fitting(tried)
                    rejected = len(self.cuts.known) - known
                except UndecidedError:
                    rejected = size  # nothing is learned; the block that brought the trouble leaves
                size = 2 * size if 8 * rejected <= size else max(1, size // 2)
        return self.grown

    def needed(self) -> list[int]:
        """Plans that are in every set of the incumbent's weight; perhaps not all of them."""
        self.relax()
        return self._relaxation.needed(self.incumbent.weight)

    def relax(self) -> None:
        """The bound of the conflicts so far."""
        self._liking, bound = self._relaxation.solve(self.clock)
        self.incumbent.lower_bound(bound)

    def run(self) -> None:
        """Follow the relaxation as long as that helps, then the integer program."""
        while not self._is_over:
            before = self._found
            self.relax()
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
        return len(self.cuts.known), self.incumbent.weight

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
        found = heaviest_set(self.task.weights, self.cuts, self.clock, self.incumbent.weight + 1)
        if found.bound < self.incumbent.weight:
            raise SolverError(
                f"SCIP says that at most {found.bound} plans can be optimal together, but "
                f"{self.incumbent.weight} are"
            )
        self.incumbent.lower_bound(found.bound)
        self.insert([*found.plans, *self._by_liking()], max(1, len(found.plans)))
        return self._found != before or not found.is_enough

    def _with_next(self, plans: Iterable[int], waiting: deque[int], most: int) -> list[int]:
        """A set with the next plans that known conflicts allow beside it."""
        found = dict.fromkeys(plans)
        full = len(found) + most
        while waiting and len(found) < full:
            plan = waiting.popleft()
            if self.cuts.allows(plan, found.keys()):
                found[plan] = None
        return list(found)

    def _fitting(self, plans: list[int]) -> tuple[list[int], Vector]:
        """Those that are left when of each conflict the class that was hit last has gone."""
        while isinstance(answer := self.feasibility.decide(plans), Conflict):
            self.learn(answer)
            hit = ([n for n, plan in enumerate(plans) if plan in own] for own in answer.classes)
            _, last = max(zip(hit, answer.classes, strict=True), key=lambda pair: min(pair[0]))
            plans = [plan for plan in plans if plan not in last]
        return plans, answer

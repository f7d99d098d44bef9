"""The first objective: the most plans that can be optimal together, with a proof (implicit hitting
sets).

The relaxation bounds the answer and says which plans to insert first; what does not fit is a new
conflict, which the relaxation has to respect; each pass ends in a set that can be had. Where that
leads nowhere, the integer program proposes a set; if it can be had, it is the best, else it
brings a conflict. The run ends when the incumbent meets the bound.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from contextlib import suppress

import numpy as np

from plancost.clock import OutOfTimeError
from plancost.learn.conflict import Conflict, Cuts
from plancost.learn.feasibility import Feasibility, UndecidedError
from plancost.learn.incumbent import Incumbent
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
        plans, values = Insertion(self).grow(order, first)
        if self.task.weight(plans) > self.incumbent.weight:
            self.take(plans, values)

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
        self.incumbent.lower_bound(found.bound)
        self.insert([*found.plans, *self._by_liking()], max(1, len(found.plans)))
        return self._found != before or not found.is_best


class Insertion:
    """A set of plans that can be optimal together, grown in some order."""

    def __init__(self, search: MostPlans) -> None:
        self.feasibility, self.cuts, self.learn = search.feasibility, search.cuts, search.learn
        self._chosen: dict[int, None] = {}
        """The plans of the set, in the order in which they came."""
        self._decided: list[int] = []
        """The largest set so far that can be had, and values that make it optimal."""
        self._values: Vector = search.feasibility.values

    def grow(self, order: Sequence[int], first: int) -> tuple[list[int], Vector]:
        """Insert plans in blocks that double while most fit; of each conflict the plan that comes
        last leaves.

        `first` is the size of the first block, say of a set that nearly fits. Returns the set, or
        what of it was decided in time, and values that make it optimal.
        """
        before, size = -1, first
        with suppress(OutOfTimeError):
            while len(self._chosen) > before:
                before = len(self._chosen)
                waiting = deque(n for n in dict.fromkeys(order) if n not in self._chosen)
                while self._take(waiting, size):
                    rejected = self._decide()
                    size = 2 * size if 8 * rejected <= size else max(1, size // 2)
        return self._decided, self._values

    def _take(self, waiting: deque[int], most: int) -> bool:
        """Insert the next plans that known conflicts allow; False if there are none."""
        before = len(self._chosen)
        while waiting and len(self._chosen) < before + most:
            plan = waiting.popleft()
            if self.cuts.allows(plan, self._chosen.keys()):
                self._chosen[plan] = None
        return len(self._chosen) > before

    def _decide(self) -> int:
        """Take plans out until the rest can be optimal together; how often that was necessary."""
        rejected = 0
        while True:
            plans = list(self._chosen)
            try:
                answer = self.feasibility.decide(plans)
            except UndecidedError:
                # Without a proof nothing is learned; the block that brought the trouble leaves.
                self._chosen = dict.fromkeys(self._decided)
                return rejected + len(plans) - len(self._decided)
            if not isinstance(answer, Conflict):
                self._decided, self._values = plans, answer
                return rejected
            rejected += 1
            self.learn(answer)
            self._take_out(answer)

    def _take_out(self, conflict: Conflict) -> None:
        """The plans of the class that was hit last."""
        place = {plan: n for n, plan in enumerate(self._chosen)}
        hit = [[place[n] for n in own if n in place] for own in conflict.classes]
        last = conflict.classes[hit.index(max(hit, key=min))]
        self._chosen = dict.fromkeys(n for n in self._chosen if n not in last)

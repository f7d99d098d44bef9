"""The first objective: the most plans that can be optimal together, with a proof (implicit hitting
sets).

The relaxation bounds the answer and says which plans to insert first; what does not fit is a new
conflict, which the relaxation has to respect; each pass ends in a set that can be had. Where that
leads nowhere, the integer program proposes a set; if it can be had, it is the best, else it
brings a conflict. The run ends when the incumbent meets the bound.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from plancost.clock import Clock
from plancost.learn.conflict import Conflict, ConflictIndex
from plancost.learn.feasibility import Feasibility, OutOfTimeError
from plancost.learn.incumbent import Incumbent
from plancost.learn.insertion import grow
from plancost.learn.knowledge import Knowledge
from plancost.learn.master import Choice, Cuts, Relaxation, heaviest_set

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
        self.incumbent, self.knowledge = incumbent, knowledge
        count = len(self.task.plans)
        self.cuts, self.index = Cuts(count), ConflictIndex(count)
        self._relaxation = Relaxation(self.task.weights, self.cuts)
        self._choice = Choice(np.ones(count), incumbent.bound, float(incumbent.bound))
        self._random = np.random.default_rng(seed)

    @property
    def clock(self) -> Clock:
        """Of the run."""
        return self.feasibility.clock

    def is_over(self) -> bool:
        """Whether it is proven, or time is up."""
        return self.incumbent.is_proved or self.clock.is_over

    def forbid(self, plans: Iterable[int]) -> None:
        """Plans that are known to be impossible, each alone."""
        self.cuts.impossible[sorted(plans)] = True

    def learn(self, conflict: Conflict) -> None:
        """Take note of a conflict everywhere."""
        if self.index.learn(conflict):
            self.cuts.learn(conflict)
            self.knowledge.add(conflict, self.feasibility.pool)

    def insert(self, order: Sequence[int], first: int = 1) -> list[int]:
        """Grow a set, and keep it if it is better."""
        possible = [n for n in order if not self.cuts.impossible[n]]
        chosen = grow(self.feasibility, self.index, possible, first, self.learn)
        if self.task.weight(chosen) > self.incumbent.weight:
            try:
                answer = self.feasibility.decide(chosen)
            except OutOfTimeError:
                answer = self.feasibility.values
            if not isinstance(answer, Conflict):
                values = self.feasibility.whole(answer, chosen)
                if values is not None:
                    self.incumbent.take(chosen, values)
        return chosen

    def relax(self) -> float:
        """The bound of the conflicts so far."""
        self._choice = self._relaxation.solve(self.clock)
        self.incumbent.lower_bound(self._choice.bound)
        return self._choice.weight

    def by_value(self, noise: float = 0.0) -> list[int]:
        """Plans that the relaxation likes first; of equal ones the short ones."""
        liking = self._choice.values - 1e-4 * self.task.lengths
        if noise:
            liking = liking + noise * self._random.random(len(liking))
        order: list[int] = np.argsort(-liking, kind="stable").tolist()
        return order

    def run(self) -> None:
        """Follow the relaxation as long as that helps, then the integer program."""
        last = np.inf
        while not self.is_over():
            before = len(self.index.conflicts), self.incumbent.weight
            weight = self.relax()
            if self.is_over():
                return
            stalls = weight > last - _STALL and self.incumbent.weight == before[1]
            last = weight
            if stalls and not self.propose():
                return
            self.insert(self.by_value())
            if len(self.task.plans) >= _PROBES_FROM and not self.is_over():
                noisy = [n for n in self.by_value(_NOISE) if self._choice.values[n] > 1e-6]
                self.insert(noisy, max(1, self.incumbent.weight // 2))
            if (len(self.index.conflicts), self.incumbent.weight) == before and not self.propose():
                return

    def propose(self) -> bool:
        """Decide the heaviest set that known conflicts allow; False if that cannot get further."""
        if self.is_over():
            return True
        before = len(self.index.conflicts), self.incumbent.weight
        known = self.incumbent.plans
        found = heaviest_set(self.task.weights, self.cuts, known, self._choice.values, self.clock)
        self.incumbent.lower_bound(found.bound)
        if self.is_over():
            return True
        order = [*found.plans, *self.by_value()]
        self.insert(order, max(1, len(found.plans)))
        return (len(self.index.conflicts), self.incumbent.weight) != before or not found.is_best


def shortest_first(lengths: np.ndarray) -> list[int]:
    """Short plans leave the most room for others."""
    order: list[int] = np.argsort(lengths, kind="stable").tolist()
    return order

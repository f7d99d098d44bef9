"""Several cost functions: plans are divided into groups, so that most are optimal under those of
theirs.

Conflicts hold in every group. Peeling begins: the largest set found is the first group, the
largest of what is left the second. Then some plans leave their groups, some that are in none are
tried first, and all groups take in what fits. The bound is that of the relaxation for the union
of so many sets: it holds for every division.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from plancost.case.model import Case
from plancost.clock import Clock, OutOfTimeError
from plancost.learn.feasibility import UndecidedError
from plancost.learn.incumbent import Incumbent
from plancost.learn.master import Relaxation
from plancost.learn.most_plans import MostPlans, shortest_first
from plancost.learn.outcome import Learned
from plancost.learn.run import Run, learn_costs
from plancost.learn.task import LearningTask
from plancost.options import LearnOptions
from plancost.progress import Progress

_FOR_DIVIDING = 0.5
"""The part of the time in which plans are divided; then each group learns its costs."""
_IDLE = 12
"""Passes without a better division, and it is kept."""
_LEAVING = 0.25
"""The part of the plans that leave their groups in a pass."""


@dataclass(frozen=True)
class Division:
    """A case for each group with what was learned from it, and a bound on all divisions."""

    parts: tuple[tuple[str, Case, Learned], ...]
    bound: int


def learn_groups(case: Case, options: LearnOptions, clock: Clock, progress: Progress) -> Division:
    """Divide the plans of a case into `options.groups` groups, and learn costs for each."""
    run = Run(Incumbent(LearningTask(case, options), clock, progress), options)
    search, plans = run.prepared(clock.part(clock.remaining * _FOR_DIVIDING))
    groups = _Groups(search, plans, options)
    groups.improve()
    of_plan = groups.of_plan()
    parts = []
    for number in range(len(groups.sets)):
        kept = tuple(
            observation
            for observation, plan in zip(case.observations, run.task.plan_of, strict=True)
            if of_plan[plan] == number
        )
        if not kept:
            continue
        part = replace(case, observations=kept)
        share = clock.part(clock.remaining / (len(groups.sets) - number))
        alone = replace(options, groups=None)
        parts.append((f"group-{number + 1}", part, learn_costs(part, alone, share, progress)))
    return Division(tuple(parts), groups.bound)


class _Groups:
    """Sets of plans that can be optimal together, each under costs of its own."""

    def __init__(self, search: MostPlans, plans: list[int], options: LearnOptions) -> None:
        self.search, self.task = search, search.task
        self.plans = [n for n in shortest_first(self.task.lengths) if n in set(plans)]
        assert options.groups is not None
        self.count = options.groups
        self.sets: list[list[int]] = [[] for _ in range(self.count)]
        self.bound = self.task.weight(plans)
        self._relaxation = Relaxation(self.task.weights, search.cuts, self.count)
        self._random = np.random.default_rng(options.seed)

    @property
    def weight(self) -> int:
        """How many observations are in a group."""
        return self.task.weight([n for own in self.sets for n in own])

    def improve(self) -> None:
        """Peel, then let plans leave and come back, until nothing helps or time is up."""
        self._refill([[] for _ in self.sets], self.plans)
        idle = 0
        while idle < _IDLE and not self.search.clock.is_over:
            self.bound = min(self.bound, self._relaxation.solve(self.search.clock).bound)
            if self.weight >= self.bound:
                return
            before = self.weight
            stays = [[n for n in own if self._random.random() > _LEAVING] for own in self.sets]
            self._refill(stays, self._random.permutation(self.plans).tolist())
            idle = 0 if self.weight > before else idle + 1

    def of_plan(self) -> dict[int, int]:
        """The group of each plan; one that is optimal in none goes where most of its actions are
        known.
        """
        found = {n: number for number, own in enumerate(self.sets) for n in own}
        used = [self.task.used(own) for own in self.sets]
        for plan in range(len(self.task.plans)):
            if plan not in found:
                parameters = list(self.task.counts[plan])
                shares = [Fraction(int(own[parameters].sum()), 1) for own in used]
                found[plan] = shares.index(max(shares))
        return found

    def _refill(self, stays: list[list[int]], order: list[int]) -> None:
        """Grow each group from what stays in it; kept if it is no worse."""
        taken: set[int] = {n for own in stays for n in own}
        sets = []
        for own in stays:
            others = [n for n in order if n not in taken]
            first = max(1, len(own))
            try:
                grown, _ = self.search.insertion.grow([*own, *others], first)
            except (OutOfTimeError, UndecidedError):
                return
            taken |= set(grown)
            sets.append(grown)
        if self.task.weight([n for own in sets for n in own]) >= self.weight:
            self.sets = sets

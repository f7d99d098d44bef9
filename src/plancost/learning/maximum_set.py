"""The first objective: the most plans that can be optimal together, with a proof.

Implicit hitting sets: the master proposes the heaviest set that no known conflict excludes.
Its plans are inserted one by one, and then all others; each rejection is a new conflict,
each pass ends in a set that can be had. If no plan of the proposal was rejected, it is the
optimum, since every heavier set is excluded by conflicts that were checked in exact
arithmetic. So there is always a best answer so far and a valid bound, and both improve.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np

from plancost.clock import Deadline
from plancost.learning.conflict_index import ConflictIndex
from plancost.learning.cost_program import ProgramPoint
from plancost.learning.crossings import find_crossings
from plancost.learning.master import heaviest_set
from plancost.learning.paths import Paths
from plancost.learning.plan_sets import Conflict, PlanSets, Possible
from plancost.learning.task import Costs, PlanSet

Report = Callable[[int, int], None]
"""Told the best weight so far and the upper bound whenever one of them moves."""

_CROSSING_SHARE = 0.2
_MASTER_S = 20.0
"""How long the master may search for its proposal; its bound counts in any case."""


@dataclass
class MaximumSet:
    """The best set so far with costs that make it optimal, and the bound."""

    chosen: PlanSet
    costs: Costs
    weight: int
    upper_bound: int
    conflicts: list[Conflict] = field(default_factory=list)

    @property
    def proved(self) -> bool:
        """Whether no heavier set exists."""
        return self.weight == self.upper_bound


def find_maximum_set(
    sets: PlanSets,
    deadline: Deadline,
    *,
    start: MaximumSet,
    paths: Paths | None = None,
    report: Report = lambda best, bound: None,
    seed: int = 0,
) -> MaximumSet:
    """Improve `start` (a valid answer, perhaps the empty set) until it is proven best.

    With `paths`, conflicts between two plans are looked for at once.
    """
    search = _Search(sets, deadline, start, report)
    start_with = search.optimal_at_baseline()
    search.insert(start_with)
    search.find_hopeless_plans()
    if paths is not None:
        crossings = find_crossings(sets, paths, search.alive, deadline.share(_CROSSING_SHARE))
        start.conflicts.extend(crossings)
    search.insert([*start_with, *search.alive])
    generator = random.Random(seed)
    while not start.proved and not deadline.is_over:
        choice = heaviest_set(
            search.weights, start.conflicts, deadline.within(_MASTER_S), seed, start.chosen
        )
        search.lower_bound_to(choice.bound)
        if start.proved:
            break
        known = len(start.conflicts)
        if choice.chosen is not None:
            search.insert([*search.shortest_first(choice.chosen), *search.alive])
        if len(start.conflicts) == known and not start.proved:
            if choice.finished:
                break  # nothing was learned: a question stayed undecided
            search.insert(search.neighbour(generator))
    return start


class _Search:
    """The moves of the search, around one best answer."""

    def __init__(
        self, sets: PlanSets, deadline: Deadline, best: MaximumSet, report: Report
    ) -> None:
        self.sets = sets
        self.deadline = deadline
        self.best = best
        self.report = report
        self.weights = [candidate.weight for candidate in sets.task.candidates]
        self.alive = self.shortest_first(range(len(self.weights)))

    def shortest_first(self, plans: Iterable[int]) -> list[int]:
        """Short plans leave the most room for others."""
        candidates = self.sets.task.candidates
        return sorted(plans, key=lambda n: (len(candidates[n].plan), -self.weights[n], n))

    def lower_bound_to(self, bound: int) -> None:
        """Take note of a better upper bound."""
        if bound < self.best.upper_bound:
            self.best.upper_bound = max(bound, self.best.weight)
            self.report(self.best.weight, self.best.upper_bound)

    def find_hopeless_plans(self) -> None:
        """Find the plans that cannot even be optimal alone."""
        index = ConflictIndex(self.best.conflicts)
        for number in list(self.alive):
            if self.deadline.is_over:
                return
            if index.allows(number):
                answer = self.sets.relax(frozenset([number]), self.deadline)
                if not isinstance(answer, Conflict):
                    continue
                self.best.conflicts.append(answer)
                index.add_conflict(answer)
            self.alive.remove(number)
        self.lower_bound_to(self.sets.task.weight(self.alive))

    def optimal_at_baseline(self) -> list[int]:
        """The plans that need no learning: so the first answer is no worse than that."""
        baseline = np.asarray(self.sets.task.baseline, dtype=np.float64)
        return [n for n in self.alive if self.sets.satisfies(baseline, n, self.deadline)]

    def neighbour(self, generator: random.Random) -> list[int]:
        """An order that forces a plan in that the best answer leaves out."""
        outside = [number for number in self.alive if number not in self.best.chosen]
        inside = self.shortest_first(self.best.chosen)
        generator.shuffle(outside)
        return [*outside[:1], *inside, *outside[1:]]

    def insert(self, order: Iterable[int]) -> None:
        """Insert plans one by one; what is left in the end is an answer.

        The linear program decides on the way; the whole set is confirmed at the end.
        """
        index = ConflictIndex(self.best.conflicts)
        costs = np.asarray(self.sets.task.baseline, dtype=np.float64)
        for number in dict.fromkeys(order):
            if self.deadline.is_over:
                break
            if not index.allows(number):
                continue
            if self.sets.satisfies(costs, number, self.deadline):
                index.add(number)
                continue
            chosen = frozenset(index.chosen | {number})
            answer = self.sets.relax(chosen, self.deadline, newest=number)
            if isinstance(answer, Conflict):
                self.best.conflicts.append(answer)
                index.add_conflict(answer)
            elif isinstance(answer, ProgramPoint):
                index.add(number)
                costs = answer.costs
        self._confirm(frozenset(index.chosen))

    def _confirm(self, chosen: PlanSet) -> None:
        """Make a set the best answer if it is better and integer costs exist for it."""
        weight = self.sets.task.weight(chosen)
        if weight <= self.best.weight:
            return
        answer = self.sets.decide(chosen, self.deadline)
        if isinstance(answer, Possible):
            self.best.chosen, self.best.costs, self.best.weight = chosen, answer.costs, weight
            self.report(weight, self.best.upper_bound)
        elif isinstance(answer, Conflict):
            self.best.conflicts.append(answer)

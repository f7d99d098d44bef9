"""The first objective: the most plans that can be optimal together, with a proof.

Implicit hitting sets: the master proposes the heaviest set that no known conflict
excludes, `PlanSets` decides it, and a no is a new conflict. The first yes is the
optimum, since every heavier set is excluded by a conflict that was checked in exact
arithmetic. On the way each proposal is repaired into a set that can be had, so
that there is always a best answer so far, and each repair finds more conflicts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from plancost.clock import Deadline
from plancost.learning.master import heaviest_set
from plancost.learning.plan_sets import Conflict, PlanSets, Possible
from plancost.learning.task import Costs, PlanSet

Report = Callable[[int, int], None]
"""Told the best weight so far and the upper bound whenever one of them moves."""


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
    report: Report = lambda best, bound: None,
    seed: int = 0,
) -> MaximumSet:
    """Improve `start` (a valid answer, perhaps the empty set) until it is proven best."""
    search = _Search(sets, deadline, start, report)
    search.decide_single_plans()
    by_length = sorted(search.alive, key=lambda number: (search.length(number), number))
    search.insert_greedily(frozenset(), by_length)
    while not start.proved and not deadline.is_over:
        choice = heaviest_set(search.weights, start.conflicts, deadline, seed)
        search.lower_bound_to(choice.bound)
        if choice.chosen is None or start.proved:
            break
        known = len(start.conflicts)
        search.repair(choice.chosen)
        if len(start.conflicts) == known and not start.proved:
            break  # nothing was learned: a question stayed undecided
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
        self.alive = list(range(len(self.weights)))

    def length(self, number: int) -> int:
        return len(self.sets.task.candidates[number].plan)

    def lower_bound_to(self, bound: int) -> None:
        if bound < self.best.upper_bound:
            self.best.upper_bound = max(bound, self.best.weight)
            self.report(self.best.weight, self.best.upper_bound)

    def decide_single_plans(self) -> None:
        """Find the plans that are hopeless alone."""
        lost = set()
        for number in self.alive:
            conflict = self.decide(frozenset([number]))
            if isinstance(conflict, Conflict):
                lost.add(number)
        self.alive = [number for number in self.alive if number not in lost]
        self.lower_bound_to(sum(self.weights[number] for number in self.alive))

    def decide(self, chosen: PlanSet) -> Possible | Conflict | None:
        """Ask about a set; remember conflicts and better answers."""
        for conflict in self.best.conflicts:
            if conflict.contains(chosen):
                return conflict
        answer = self.sets.decide(chosen, self.deadline)
        if isinstance(answer, Conflict):
            self.best.conflicts.append(answer)
            return answer
        if isinstance(answer, Possible):
            weight = sum(self.weights[number] for number in chosen)
            if weight > self.best.weight:
                self.best.chosen, self.best.costs = chosen, answer.costs
                self.best.weight = weight
                self.report(weight, self.best.upper_bound)
            return answer
        return None

    def insert_greedily(self, chosen: PlanSet, order: Sequence[int]) -> PlanSet:
        """Add plan after plan where that is possible."""
        for number in order:
            if self.deadline.is_over or self.best.proved:
                break
            if number not in chosen and isinstance(self.decide(chosen | {number}), Possible):
                chosen |= {number}
        return chosen

    def repair(self, chosen: PlanSet) -> None:
        """Take plans out of a proposal until the rest is possible, then refill."""
        while not self.deadline.is_over:
            answer = self.decide(chosen)
            if not isinstance(answer, Conflict):
                break
            members = answer.members(chosen)
            chosen -= {min(members, key=lambda n: (self.weights[n], -self.length(n), n))}
        self.insert_greedily(chosen, self.alive)

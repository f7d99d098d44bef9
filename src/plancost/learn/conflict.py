"""Conflicts: classes of plans; no costs make one plan of each class optimal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from plancost.learn.certificate import Certificate
from plancost.learn.rows import PlanSet


@dataclass(frozen=True)
class Conflict:
    """Every choice of one plan from each class is impossible, and why.

    Proof None: by the word of an integer program. With `second`: costs under which they are all
    optimal exist, but none of a second objective below that.
    """

    classes: tuple[PlanSet, ...]
    proof: Certificate | None
    second: int | None = None


class ConflictIndex:
    """A set of plans that changes, and which other plans known conflicts exclude beside it."""

    def __init__(self, plan_count: int) -> None:
        self.conflicts: list[Conflict] = []
        self.chosen: set[int] = set()
        self._known: set[tuple[PlanSet, ...]] = set()
        self._of_plan: list[list[tuple[int, list[int]]]] = [[] for _ in range(plan_count)]
        """Of each plan the conflicts that it is in, each with its classes."""
        self._hits: list[list[int]] = []
        """Of each conflict and class how many plans of the set are in it."""
        self._open: list[int] = []
        """Of each conflict how many classes are not hit."""

    def learn(self, conflict: Conflict) -> bool:
        """False if it is known."""
        if conflict.classes in self._known:
            return False
        self._known.add(conflict.classes)
        number = len(self.conflicts)
        self.conflicts.append(conflict)
        self._hits.append([len(members & self.chosen) for members in conflict.classes])
        self._open.append(self._hits[-1].count(0))
        for plan in frozenset().union(*conflict.classes):
            places = [place for place, own in enumerate(conflict.classes) if plan in own]
            self._of_plan[plan].append((number, places))
        return True

    def allows(self, plan: int) -> bool:
        """Whether no known conflict excludes the set with this plan."""
        for number, places in self._of_plan[plan]:
            left = self._open[number]
            if left <= len(places) and left == sum(not self._hits[number][p] for p in places):
                return False
        return True

    def add(self, plan: int) -> None:
        """Put a plan into the set."""
        self.chosen.add(plan)
        for number, places in self._of_plan[plan]:
            hits = self._hits[number]
            for place in places:
                self._open[number] -= not hits[place]
                hits[place] += 1

    def remove(self, plan: int) -> None:
        """Take a plan out of the set."""
        self.chosen.remove(plan)
        for number, places in self._of_plan[plan]:
            hits = self._hits[number]
            for place in places:
                hits[place] -= 1
                self._open[number] += not hits[place]

    def assign(self, plans: Iterable[int]) -> None:
        """Make this the set."""
        wanted = set(plans)
        for plan in sorted(self.chosen - wanted):
            self.remove(plan)
        for plan in sorted(wanted - self.chosen):
            self.add(plan)

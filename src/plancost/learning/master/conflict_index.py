"""Known conflicts, arranged for growing a set of plans one by one.

A conflict forbids one plan from each of its classes. While plans are added, count for each
conflict the classes that are hit already; a plan may not be added if it would hit the last.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from plancost.learning.problem.task import PlanSet
from plancost.learning.subproblem.conflict import Conflict


class ConflictIndex:
    """A set of plans under construction, and the conflicts that limit it."""

    def __init__(self, conflicts: Iterable[Conflict] = ()) -> None:
        self.chosen: set[int] = set()
        self._conflicts: list[Sequence[PlanSet]] = []
        self._hits: list[list[bool]] = []
        self._open: list[int] = []
        self._places: dict[int, list[tuple[int, int]]] = {}
        for conflict in conflicts:
            self.add_conflict(conflict)

    def add_conflict(self, conflict: Conflict) -> None:
        """Take note of a conflict (one that forbids, not one that only bounds costs)."""
        if conflict.secondary is not None:
            return
        number = len(self._conflicts)
        hits = [not self.chosen.isdisjoint(members) for members in conflict.classes]
        self._conflicts.append(conflict.classes)
        self._hits.append(hits)
        self._open.append(hits.count(False))
        for position, members in enumerate(conflict.classes):
            for plan in members:
                self._places.setdefault(plan, []).append((number, position))

    def clear(self) -> None:
        """Begin with the empty set again; the conflicts stay."""
        self.chosen.clear()
        for number, hits in enumerate(self._hits):
            self._hits[number] = [False] * len(hits)
            self._open[number] = len(hits)

    def remove(self, plan: int) -> None:
        """Take a plan out of the set again."""
        self.chosen.remove(plan)
        for number, position in self._places.get(plan, ()):
            if self.chosen.isdisjoint(self._conflicts[number][position]):
                self._hits[number][position] = False
                self._open[number] += 1

    def allows(self, plan: int) -> bool:
        """Whether the plan can be added without completing a known conflict."""
        closing: dict[int, int] = {}
        for number, position in self._places.get(plan, ()):
            if not self._hits[number][position]:
                closing[number] = closing.get(number, 0) + 1
        return all(self._open[number] > count for number, count in closing.items())

    def add(self, plan: int) -> None:
        """Add a plan to the set."""
        self.chosen.add(plan)
        for number, position in self._places.get(plan, ()):
            if not self._hits[number][position]:
                self._hits[number][position] = True
                self._open[number] -= 1

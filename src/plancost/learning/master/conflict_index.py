"""Known conflicts, arranged for changing a set of plans one by one.

A conflict forbids one plan from each of its classes. While plans are added, count for each
conflict the classes that are hit already; a plan may not be added if it would hit the last.
To add it in spite of that, others have to leave (`blockers`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

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

    def assign(self, chosen: Iterable[int]) -> None:
        """Begin with this set, which no known conflict forbids."""
        self.clear()
        for plan in chosen:
            self.add(plan)

    def allows(self, plan: int) -> bool:
        """Whether the plan can be added without completing a known conflict."""
        return all(self._open[number] > count for number, count in self._closing(plan).items())

    def blockers(self, plan: int, prices: Mapping[int, float]) -> PlanSet | None:
        """Plans that have to leave the set if this one is to be added, found greedily.

        They should be cheap, by the price of each. None: no set has room for this plan.
        """
        pending = []
        for number, count in self._closing(plan).items():
            if self._open[number] > count:
                continue
            others = [members for members in self._conflicts[number] if plan not in members]
            if not others:
                return None
            # A class is hit no more when all its plans have left.
            pending.append([members & self.chosen for members in others])
        leaving: set[int] = set()
        while pending:
            choices = sorted({way for ways in pending for way in ways}, key=sorted)
            price = {way: sum(prices[member] for member in way) for way in choices}
            ends = {way: sum(any(w <= way for w in ways) for ways in pending) for way in choices}
            leaving |= min((price[way] / ends[way], n, way) for n, way in enumerate(choices))[-1]
            pending = [ways for ways in pending if not any(way <= leaving for way in ways)]
            pending = [[way - leaving for way in ways] for ways in pending]
        return frozenset(leaving)

    def _closing(self, plan: int) -> dict[int, int]:
        """How many classes that are not hit yet the plan would hit, for each conflict."""
        closing: dict[int, int] = {}
        for number, position in self._places.get(plan, ()):
            if not self._hits[number][position]:
                closing[number] = closing.get(number, 0) + 1
        return closing

    def add(self, plan: int) -> None:
        """Add a plan to the set."""
        self.chosen.add(plan)
        for number, position in self._places.get(plan, ()):
            if not self._hits[number][position]:
                self._hits[number][position] = True
                self._open[number] -= 1

"""Conflicts: classes of plans; no costs make one plan of each class optimal."""

from __future__ import annotations

from collections.abc import Set
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
    """All conflicts that are known, and which plans they exclude beside others."""

    def __init__(self, plan_count: int) -> None:
        self.conflicts: list[Conflict] = []
        self._known: set[tuple[PlanSet, ...]] = set()
        self._others: list[list[tuple[PlanSet, ...]]] = [[] for _ in range(plan_count)]
        """Of each plan, for each conflict that it is in: the classes that it is not in."""

    def learn(self, conflict: Conflict) -> bool:
        """False if it is known."""
        if conflict.classes in self._known:
            return False
        self._known.add(conflict.classes)
        self.conflicts.append(conflict)
        for plan in frozenset().union(*conflict.classes):
            others = tuple(own for own in conflict.classes if plan not in own)
            self._others[plan].append(others)
        return True

    def allows(self, plan: int, chosen: Set[int]) -> bool:
        """Whether no known conflict excludes the plan beside those chosen."""
        return all(any(map(chosen.isdisjoint, others)) for others in self._others[plan])

"""What the subproblem can answer about a set of plans: possible, a conflict, or undecided."""

from __future__ import annotations

from dataclasses import dataclass

from plancost.learning.problem.rows import Row
from plancost.learning.problem.task import Costs, PlanSet
from plancost.learning.subproblem.certificates import Certificate


@dataclass(frozen=True)
class Conflict:
    """Plans that cannot all be optimal: one from every class.

    With a `secondary`: they can, but only at that secondary cost or more. Without a
    certificate: there are rational costs but no integers, by the solver's word.
    """

    classes: tuple[PlanSet, ...]
    certificate: Certificate | None
    secondary: int | None = None
    duals: tuple[tuple[Row, float], ...] = ()
    """Rows with the multipliers that a bound on the secondary cost rests on, if they prove it."""

    def contains(self, chosen: PlanSet) -> bool:
        """Whether a set of plans is excluded by this conflict."""
        return all(not chosen.isdisjoint(members) for members in self.classes)

    def members(self, chosen: PlanSet) -> PlanSet:
        """A few of the chosen plans that are in conflict already."""
        picked: set[int] = set()
        for members in sorted(self.classes, key=lambda c: (len(c & chosen), sorted(c))):
            if members.isdisjoint(picked):
                picked.add(min(members & chosen))
        return frozenset(picked)


@dataclass(frozen=True)
class Possible:
    """A set of plans that can be optimal together, with integer costs that do it."""

    costs: Costs


@dataclass(frozen=True)
class Undecided:
    """The time ran out, or the solver's numbers could not be confirmed exactly."""

    reason: str
    candidates: PlanSet = frozenset()
    """Those whose tasks nobody could decide, if it is their fault."""

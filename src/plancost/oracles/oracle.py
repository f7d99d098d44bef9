"""The two questions that learning asks about a task, whoever answers them.

*What does the cheapest plan cost?* decides whether an observed plan is optimal. For
strict optimality that is not enough, since the cheapest plan may be the observed one:
*is there a plan outside an allowed set that costs no more?*
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from plancost.observations.planfile import Plan
from plancost.system.clock import Deadline


@dataclass(frozen=True)
class Answer:
    """A plan with its cost, or none. Only what is `proven` may be relied on.

    Proven with a plan: there is none cheaper (first question), or it is outside
    the allowed set and costs no more than asked (second). Proven without a
    plan: there is none. Not proven: the search ended too early.
    """

    plan: Plan | None
    cost: int | None
    proven: bool


@dataclass(frozen=True)
class Allowed:
    """Plans that do not count as alternatives: these, or all orderings of their actions."""

    plans: frozenset[Plan]
    any_order: bool

    def contains(self, plan: Plan) -> bool:
        """Whether a plan is allowed."""
        if not self.any_order:
            return plan in self.plans
        actions = sorted(plan)
        return any(sorted(allowed) == actions for allowed in self.plans)


class Oracle(Protocol):
    """Answers for tasks by their number in the case."""

    name: str

    def cheapest(self, task: int, costs: Mapping[str, int], deadline: Deadline) -> Answer:
        """The cheapest plan of a task."""

    def outside(
        self, task: int, costs: Mapping[str, int], allowed: Allowed, cost: int, deadline: Deadline
    ) -> Answer:
        """A plan outside the allowed set that costs at most `cost`, the optimum of the task."""

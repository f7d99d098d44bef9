"""Conflicts without a plan too many.

The proof that a plan does not fit beside many others names a few of them, and often more than it
takes: another proof, by other rows, may do with fewer. The fewer plans a conflict has, the more
sets of plans it excludes, and the lower is the master's bound.
"""

from __future__ import annotations

from collections.abc import Callable

from plancost.learning.problem.task import PlanSet
from plancost.learning.subproblem.conflict import Conflict
from plancost.learning.subproblem.cost_lp import CostLP
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.system.clock import Deadline

_MOST_EFFORT = 2
"""Where a question about the few plans takes more searches, known rows alone decide."""
_MOST_IDLE_ROWS = 50
"""Small sets have few rows, and different ones: their program stays small, too."""


class ConflictShrinker:
    """Leaves out plans of a conflict that it does not need.

    Small sets have a linear program of their own, so that the one of the large set, which is
    asked about next, need not be built again.
    """

    def __init__(self, subproblem: Subproblem) -> None:
        self._subproblem = subproblem
        self._program = CostLP(subproblem.task, subproblem.actions, _MOST_IDLE_ROWS)

    def shrink(
        self,
        conflict: Conflict,
        chosen: PlanSet,
        value: Callable[[int], float],
        deadline: Deadline,
        needed: PlanSet = frozenset(),
    ) -> Conflict:
        """A conflict in the chosen set, one that it is in, from which no plan can be left out.

        Plans of the least value are left out first. Without those that are `needed`, the chosen
        set is known to be possible.
        """
        members = conflict.members(chosen)
        while len(members) > 1 and not deadline.is_over:
            rest = members - needed
            if not rest:
                break
            least = min(rest, key=lambda plan: (value(plan), plan))
            smaller = self._conflict_in(members - {least}, deadline)
            if smaller is None:
                needed |= {least}
            else:
                conflict, members = smaller, smaller.members(members - {least})
        return conflict

    def _conflict_in(self, chosen: PlanSet, deadline: Deadline) -> Conflict | None:
        """The conflict in a small set, if there is one that is found soon."""
        subproblem = self._subproblem
        is_quick = subproblem.effort(sorted(chosen)) <= _MOST_EFFORT
        with subproblem.using(self._program):
            answer = subproblem.relax(
                chosen, deadline, stop_at=float("inf") if is_quick else -float("inf")
            )
        return answer if isinstance(answer, Conflict) else None

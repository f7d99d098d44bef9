"""Conflicts without a plan too many.

The proof that a plan does not fit beside many others names a few of them, and often more than it
takes: another proof, by other rows, may do with fewer. The fewer plans a conflict has, the more
sets of plans it excludes, and the lower is the master's bound.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf

import numpy as np

from plancost.learning.problem.task import PlanSet
from plancost.learning.subproblem.conflict import Conflict
from plancost.learning.subproblem.cost_lp import CostLP
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.learning.subproblem.small_conflicts import SmallConflicts, left_over
from plancost.system.clock import Deadline

_MOST_EFFORT = 2
"""Where a question about the few plans takes more searches, known rows alone decide."""
_FEW_PLANS = 3
"""A conflict of so few is small."""
_LEAST_WEIGHT = 0.2
"""What a row counts even if the plan that induces it is worth most (1)."""
_MOST_WEIGHT = 1000.0
_MOST_IDLE_ROWS = 50
"""Questions about few plans have few rows in common, and are quick as long as there are few."""


class ConflictShrinker:
    """Leaves out plans of a conflict that it does not need.

    Small sets have a linear program of their own, so that the one of the large set, which is
    asked about next, need not be built again.
    """

    def __init__(self, subproblem: Subproblem) -> None:
        self._subproblem = subproblem
        self._program = CostLP(subproblem.task, subproblem.actions, _MOST_IDLE_ROWS)
        can_be_asked = SmallConflicts.can_be_asked(subproblem)
        self._small = SmallConflicts(subproblem) if can_be_asked else None

    def shrink(
        self,
        conflict: Conflict,
        chosen: PlanSet,
        value: Callable[[int], float],
        deadline: Deadline,
    ) -> Conflict:
        """A conflict in the chosen set, one that it is in, from which no plan can be left out.

        Plans of the least value are left out first.
        """
        conflict = self._smaller(conflict, chosen, value, deadline)
        members = conflict.members(chosen)
        needed: set[int] = set()
        while len(members) > 1 and not deadline.is_over:
            rest = members - needed
            if not rest:
                break
            least = min(rest, key=lambda plan: (value(plan), plan))
            smaller = self._conflict_in(members - {least}, deadline)
            if smaller is None:
                needed.add(least)
            else:
                conflict, members = smaller, smaller.members(members - {least})
        return conflict

    def _smaller(
        self,
        conflict: Conflict,
        chosen: PlanSet,
        value: Callable[[int], float],
        deadline: Deadline,
    ) -> Conflict:
        """A conflict among the same plans of fewer of them, and of more value, if one is found."""
        members, certificate = conflict.members(chosen), conflict.certificate
        if self._small is None or certificate is None or deadline.is_over:
            return conflict
        left = left_over(certificate)
        if len(members) <= _FEW_PLANS or not left:
            return conflict
        pool = self._subproblem.pool
        weights = np.full(len(pool.rows), inf)
        for plan in sorted(members, key=lambda plan: (value(plan), plan)):
            # Of the plans that induce a row, the one of the greatest value counts.
            weights[pool.rows_of(plan)] = _LEAST_WEIGHT + 1.0 - min(1.0, max(0.0, value(plan)))
        self._small.weigh(weights)
        small = self._small
        proof = self._subproblem.attempt(lambda: small.find(left[0], _MOST_WEIGHT, deadline))
        if proof is None:
            return conflict
        smaller = self._subproblem.certain(proof)
        return smaller if len(smaller.members(members)) < len(members) else conflict

    def _conflict_in(self, chosen: PlanSet, deadline: Deadline) -> Conflict | None:
        """The conflict in a small set, if there is one that is found soon."""
        subproblem = self._subproblem
        is_quick = subproblem.effort(sorted(chosen)) <= _MOST_EFFORT
        with subproblem.using(self._program):
            answer = subproblem.relax(
                chosen, deadline, stop_at=float("inf") if is_quick else -float("inf")
            )
        return answer if isinstance(answer, Conflict) else None

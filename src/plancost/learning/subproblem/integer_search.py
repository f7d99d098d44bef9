"""Integer costs that satisfy all known rows of a set of plans.

The linear program's own costs if they can be scaled up; else an integer program, whose rows come
in as its answers break them, beginning with those that the linear program holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from plancost.learning.problem.rows import Row
from plancost.learning.problem.task import Costs, PlanSet
from plancost.learning.subproblem.conflict import Conflict
from plancost.learning.subproblem.cost_lp import ProgramPoint
from plancost.learning.subproblem.integer_costs import (
    Preference,
    round_to_integers,
    solve_integers,
    solve_with_slack,
)
from plancost.learning.subproblem.known_rows import KnownRows
from plancost.system.clock import Deadline


class IntegerSearch:
    """Looks for integer costs, over known rows alone."""

    def __init__(self, known: KnownRows) -> None:
        self._known = known
        self._task = known.task

    def near(
        self, point: ProgramPoint, chosen: PlanSet, deadline: Deadline
    ) -> Costs | Conflict | None:
        """Integer costs for a set whose linear program is solved: the program's own if possible.

        Else those of least secondary cost. None: not in time.
        """
        costs = round_to_integers(point.costs, scales=self._task.scales)
        if costs is not None and not self._known.broken(costs, chosen):
            return costs
        if self._task.scales and not all(self._task.candidates[n].cancels for n in chosen):
            costs = self._with_slack(chosen, deadline)
            if costs is not None:
                return costs
        return self.least(chosen, deadline)

    def least(
        self,
        chosen: PlanSet,
        deadline: Deadline,
        preference: Preference | None = None,
        *,
        seed: int = 0,
    ) -> Costs | Conflict | None:
        """The proven best integer costs over the known rows of the set; see `solve_integers`.

        A conflict if the solver says that there are no such integers; None: not in time (or over
        the budget of the preference). Where costs scale, there are integers wherever there are
        rational costs, and a solver that finds none is not believed.
        """
        known = self._known
        numbers = self._in_program(chosen) | set(known.limits)
        while True:
            solution = known.attempt(
                partial(
                    solve_integers,
                    self._task,
                    known.actions,
                    self._rows(numbers),
                    deadline,
                    preference,
                    seed=seed,
                )
            )
            if solution is None:
                return None
            none = solution.costs is None and solution.proven and preference is None
            if none and not self._task.scales:
                return Conflict(known.classes(self._rows(numbers)), None)
            if solution.costs is None or not solution.proven:
                return None
            broken = known.broken(solution.costs, chosen)
            if not broken:
                return solution.costs
            if numbers.issuperset(broken):
                return None  # no progress: asking again is no use
            numbers.update(broken)

    def without_redundant_plans(
        self, chosen: PlanSet, conflict: Conflict, deadline: Deadline
    ) -> Conflict:
        """A conflict for want of integers, with as few plans as the known rows allow.

        The rows of the last integer program say little about who is to blame, so plans are
        left out one by one (a deletion filter).
        """
        for number in sorted(chosen):
            if deadline.is_over:
                break
            fewer = self.least(chosen - {number}, deadline)
            if isinstance(fewer, Conflict):
                chosen, conflict = chosen - {number}, fewer
        return conflict

    def _with_slack(self, chosen: PlanSet, deadline: Deadline) -> Costs | None:
        """Integer costs for plans with factors, if that is easy."""
        numbers = self._in_program(chosen)
        while not deadline.is_over:
            costs = self._known.attempt(
                partial(
                    solve_with_slack,
                    self._task,
                    self._known.actions,
                    self._rows(numbers),
                    deadline,
                )
            )
            if costs is None:
                return None
            broken = self._known.broken(costs, chosen)
            if not broken:
                return costs
            numbers.update(broken)
        return None

    def _in_program(self, chosen: PlanSet) -> set[int]:
        """The rows of the set that the linear program holds."""
        induced = np.flatnonzero(self._known.pool.induced(chosen)).tolist()
        return {number for number in induced if self._known.program.holds(number)}

    def _rows(self, numbers: set[int]) -> Sequence[Row]:
        return [self._known.pool.rows[number] for number in sorted(numbers)]

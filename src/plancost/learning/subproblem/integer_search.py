"""Integer costs that satisfy all known rows of a set of plans.

The linear program's own costs if they are integers; else those close by, at the end of a dive; else
its costs scaled up, if they may be; else an integer program, whose rows come in as its answers
break them, beginning with those that the linear program holds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import inf

import numpy as np

from plancost.learning.problem.rows import Row
from plancost.learning.problem.task import Costs, PlanSet
from plancost.learning.subproblem.conflict import Conflict
from plancost.learning.subproblem.cost_lp import ProgramPoint
from plancost.learning.subproblem.diving import dive
from plancost.learning.subproblem.integer_costs import (
    Preference,
    round_to_integers,
    solve_integers,
    solve_with_slack,
)
from plancost.learning.subproblem.known_rows import KnownRows
from plancost.system.clock import Deadline
from plancost.system.schedule import SCHEDULE

_MOST_DIVES = 20
_NEAR_ENOUGH = 1.02
"""Costs at the end of a dive are compared with others unless they are that close to their bound."""


class IntegerSearch:
    """Looks for integer costs, over known rows alone."""

    def __init__(
        self, known: KnownRows, complete: Callable[[Costs, PlanSet], Costs] = lambda costs, _: costs
    ) -> None:
        """`complete` gives the actions that a set does not use the costs that they will have."""
        self._known = known
        self._complete = complete
        self._task = known.task

    def near(
        self, point: ProgramPoint, chosen: PlanSet, deadline: Deadline
    ) -> Costs | Conflict | None:
        """Integer costs for a set whose linear program is solved: the program's own if possible.

        Else those of least secondary cost. None: not in time.
        """
        costs = self.close(point, chosen, deadline)
        return self.least(chosen, deadline) if costs is None else costs

    def close(
        self, point: ProgramPoint, chosen: PlanSet, deadline: Deadline, *, least: bool = False
    ) -> Costs | None:
        """Integer costs as near to the linear program's as is easy; None: an effort, or no time.

        The program's own if they are integers; those at the end of a dive, whose rows come in as
        its answers break them; the program's own, scaled up. With `least`, the better of two dives.
        """
        costs = self._rounded(point, chosen, scales=False)
        if costs is None:
            bound = point.objective + self._task.objective.at_origin
            costs = self._dive(chosen, deadline, _NEAR_ENOUGH * bound if least else inf)
        if costs is None and self._task.scales:
            costs = self._rounded(point, chosen, scales=True)
            if costs is None and not all(self._task.candidates[n].cancels for n in chosen):
                costs = self._with_slack(chosen, deadline)
        return costs

    def _rounded(self, point: ProgramPoint, chosen: PlanSet, *, scales: bool) -> Costs | None:
        costs = round_to_integers(point.costs, scales=scales)
        return None if costs is None or self._known.broken(costs, chosen) else costs

    def _dive(self, chosen: PlanSet, deadline: Deadline, enough: float) -> Costs | None:
        """Costs at the end of a dive, or the better of two if the first costs more than enough."""
        found: list[Costs] = []
        for farthest in (False, True):
            dives = partial(self._dive_once, chosen, deadline.share(SCHEDULE.diving), farthest)
            costs = self._known.attempt(dives)
            self._known.program.release()
            if costs is not None:
                found.append(costs)
                if self._task.secondary(costs) <= enough:
                    break
        return min(found, key=self._task.secondary, default=None)

    def _dive_once(self, chosen: PlanSet, deadline: Deadline, farthest: bool) -> Costs | None:
        known, program = self._known, self._known.program
        has_new_rows = False
        for _ in range(_MOST_DIVES):
            costs = dive(program, deadline, farthest=farthest)
            if costs is None:
                if not has_new_rows:
                    return None
                program.release()  # the rows that came in on the way need another one
                has_new_rows = False
                continue
            costs = self._complete(costs, chosen)
            broken = known.broken(costs, chosen)
            if not broken:
                return costs
            new = [number for number in broken if not program.holds(number)]
            if not new:
                return None  # broken by floating point
            program.add_all({number: known.pool.rows[number] for number in new})
            has_new_rows = True
        return None

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

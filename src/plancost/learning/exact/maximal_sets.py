"""All sets of plans of maximal weight at once: what they cost at least, and which costs least.

A row holds for every set with one of its inducing plans. If no set without them reaches the maximal
weight (the relaxation of the master proves that, with them left out), then *every* set of that
weight has the row. The linear program over such rows alone bounds the secondary cost of all sets,
in exact arithmetic, and mostly comes close to the least. For the rest, an
integer program chooses plans and costs together (`master.cost_program`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf, isfinite

import numpy as np

from plancost.learning.master.cost_program import CostProgram, RowOfSets, most_violation
from plancost.learning.master.inequalities import Inequalities
from plancost.learning.master.integer_program import Lift, SecondaryBounds, cheapest_set
from plancost.learning.master.lazy_program import Choice
from plancost.learning.master.necessary_plans import NecessaryPlans
from plancost.learning.problem.rows import Row
from plancost.learning.problem.task import PlanSet
from plancost.learning.subproblem.conflict import Conflict
from plancost.learning.subproblem.cost_lp import CostLP
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.solver.model import Status
from plancost.system.clock import Deadline
from plancost.system.schedule import SCHEDULE

_MOST_ROWS = 3000
"""An integer program over more rows does not end; those that bounds rest on come first."""
_MOST_ROUNDS = 30
_FEW = 20
"""Plans. Sets of so few are examined one by one in the time that a program with costs takes."""
_BY_CONFLICTS_FIRST = 10
"""So many of them, before bounds for all sets are worth their time."""
_LEAST_ROOM = 0.5
_LEAST_EFFORT = 4
"""Rows of all plans are searched for where that takes no more than so many searches."""


class MaximalSets:
    """The sets of plans of the required weight, as far as known conflicts and rows tell."""

    def __init__(
        self, subproblem: Subproblem, conflicts: list[Conflict], required_weight: int, seed: int = 0
    ) -> None:
        task = subproblem.task
        self._subproblem = subproblem
        self._conflicts = conflicts
        self._required = required_weight
        self._seed = seed
        self._weights = [candidate.weight for candidate in task.candidates]
        self._inequalities = Inequalities(len(self._weights), conflicts)
        self._necessary = NecessaryPlans(self._weights, self._inequalities, required_weight)
        self._program = CostLP(task, range(len(task.parameters)))
        self._important: dict[Row, None] = {}
        self._bound = task.secondary_floor
        self._budget, self._room = -1, 0
        self._most: dict[Row, float] = {}

    @property
    def are_few(self) -> bool:
        """Whether there are so few plans that known conflicts alone should propose sets first."""
        return len(self._weights) <= _FEW

    def go_by_conflicts(self, proposed: int) -> bool:
        """Whether they should propose the next set too, after so many."""
        return self.are_few and proposed < _BY_CONFLICTS_FIRST

    def add(self, conflict: Conflict) -> None:
        """Take note of what was found out about a set."""
        self._conflicts.append(conflict)
        self._inequalities.add(conflict)
        self._subproblem.keep(conflict)
        if conflict.secondary is None:
            self._necessary.forget()
        self._important.update(dict.fromkeys(row for row, _ in conflict.duals))

    def add_set(self, chosen: PlanSet) -> None:
        """Take note of a set of the required weight that can be optimal together."""
        self._necessary.add_set(chosen)

    def bound(self, deadline: Deadline, *, by_sets: bool = False) -> int:
        """No set has a lower secondary cost, by the rows that all of them have.

        With `by_sets`, integer programs say which rows these are, where the relaxation does not.
        """
        subproblem, best = self._subproblem, self._subproblem.task.secondary_floor
        searches = subproblem.effort(range(len(self._weights))) <= _LEAST_EFFORT
        for _ in range(_MOST_ROUNDS):
            until = deadline.share(SCHEDULE.splitting_rows)
            for row in self._split_rows(until, by_sets=by_sets)[0]:
                self._program.add(subproblem.pool.number(row), row)
            point = subproblem.attempt(lambda: self._program.solve(deadline.remaining()))
            if point is None or point.status is not Status.OPTIMAL:
                break
            proven = subproblem.bound(point)
            if proven is not None and proven.secondary is not None:
                best = max(best, proven.secondary)
            if not searches or not self._search_rows(point.costs, deadline):
                break
        self._bound = max(self._bound, best)
        return best

    def _search_rows(self, costs: np.ndarray, deadline: Deadline) -> bool:
        """Look for rows that costs break, of whichever plans; whether there is a new one."""
        everyone = range(len(self._weights))
        cuts = self._subproblem.separator.violated(costs, everyone, exact=False, deadline=deadline)
        return self._subproblem.learn(cuts or ())

    def cheapest(
        self, budget: int, deadline: Deadline, seconds: float = inf
    ) -> Choice[PlanSet] | None:
        """The set to examine next: within the budget by all that is known, if there is any.

        None: the solver failed. The integer program gets so many seconds.
        """
        program = self._cost_program(budget, deadline)
        until = deadline.within(seconds) if isfinite(seconds) else deadline
        return self._subproblem.attempt(lambda: program.cheapest(until, self._seed))

    def cheapest_by_conflicts(self, deadline: Deadline) -> Choice[PlanSet] | None:
        """The same by conflicts alone, without costs: for numbers that are large."""
        known = SecondaryBounds(self._subproblem.task.secondary_floor, self._lifts())
        return self._subproblem.attempt(
            lambda: cheapest_set(
                self._weights, self._required, self._inequalities, known, deadline, self._seed
            )
        )

    def preferred(
        self,
        preferences: Sequence[int],
        budget: int,
        deadline: Deadline,
        *,
        by_conflicts: bool = False,
    ) -> PlanSet | None:
        """The set within the budget with the largest sum of preferences; None: not known.

        By conflicts alone, it may be one whose rows exceed the budget.
        """
        program = self._cost_program(budget, deadline, by_conflicts=by_conflicts)
        return self._subproblem.attempt(lambda: program.preferred(preferences, deadline))

    def _cost_program(
        self, budget: int, deadline: Deadline, *, by_conflicts: bool = False
    ) -> CostProgram:
        always, sometimes = ([], {}) if by_conflicts else self._split_rows(None)
        return CostProgram(
            self._subproblem.task,
            self._inequalities,
            self._required,
            always,
            self._switched(always, sometimes, budget, deadline),
            list(self._necessary.classes),
            self._lifts(),
            budget,
        )

    def _lifts(self) -> list[Lift]:
        """What conflicts say of secondary costs."""
        return [
            (conflict.classes, conflict.secondary)
            for conflict in self._conflicts
            if conflict.secondary is not None
        ]

    def _switched(
        self, always: list[Row], sometimes: Mapping[Row, PlanSet], budget: int, deadline: Deadline
    ) -> list[RowOfSets]:
        """The rows of some sets, with how far others can break them.

        With more rows that all sets have, or a smaller budget, what was found before is still
        true. It is found again when costs have much less room than before.
        """
        room = budget - self._bound
        if budget > self._budget or room <= _LEAST_ROOM * self._room:
            self._budget, self._room = budget, room
            self._most.clear()
        new = [row for row in sometimes if row not in self._most]
        if new:
            until = deadline.share(SCHEDULE.necessary_rows)
            found = self._subproblem.attempt(
                lambda: most_violation(self._subproblem.task, always, new, budget, until)
            )
            for row, most in zip(new, found or (), strict=False):
                if isfinite(most):
                    self._most[row] = most
        return [
            RowOfSets(row, members, self._most[row])
            for row, members in sometimes.items()
            if row in self._most
        ]

    def _split_rows(
        self, deadline: Deadline | None, *, by_sets: bool = False
    ) -> tuple[list[Row], dict[Row, PlanSet]]:
        """The known rows of all sets, and those of some; in part, if there are very many.

        Without a deadline: by what is known already.
        """
        subproblem = self._subproblem
        always: list[Row] = []
        sometimes: dict[Row, PlanSet] = {}
        is_late = deadline is None
        rows = dict.fromkeys((*self._important, *subproblem.pool.rows[:_MOST_ROWS]))
        for row in list(rows)[:_MOST_ROWS]:
            if row in subproblem.given:
                always.append(row)
                continue
            members = subproblem.inducing_plans(row)
            is_late = is_late or (deadline is not None and deadline.is_over)
            if self._is_necessary(members, None if is_late else deadline, by_sets=by_sets):
                always.append(row)
            else:
                sometimes[row] = members
        return always, sometimes

    def _is_necessary(self, members: PlanSet, deadline: Deadline | None, *, by_sets: bool) -> bool:
        """Whether every set has one of these plans; not, if the solver fails."""
        return bool(
            self._subproblem.attempt(
                lambda: self._necessary.is_necessary(members, deadline, by_sets=by_sets)
            )
        )

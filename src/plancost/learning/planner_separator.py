"""Rows that costs break, found by planners: for tasks whose state space does not fit.

Planners count in integers, so only integer costs are checked. All chosen plans of a task
must be its cheapest; a plan that costs less than the cheapest of them is an alternative to
each. Strict concepts ask in addition for a plan as cheap outside the allowed ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from plancost.clock import Deadline
from plancost.learning.plan_sets import Finding, findings
from plancost.learning.task import LearningTask
from plancost.learning.verification import allowed_plans
from plancost.observations.planfile import Plan, plan_cost
from plancost.oracles.oracle import Oracle
from plancost.oracles.race import BoundedSearch
from plancost.workers import Workers


class PlannerSeparator:
    """Finds rows by asking planners, several tasks at a time."""

    description = "planners"

    def __init__(
        self,
        task: LearningTask,
        actions: frozenset[str] | None,
        search: BoundedSearch,
        oracle: Oracle,
        jobs: int,
    ) -> None:
        self._task = task
        self._actions = actions
        self._search = search
        self._oracle = oracle
        self._jobs = jobs

    def violated(
        self, costs: np.ndarray, chosen: Sequence[int], *, exact: bool, deadline: Deadline
    ) -> list[Finding] | None:
        """See `plan_sets.Separator`."""
        if not exact:
            return []
        named = dict(zip(self._task.case.actions, map(int, costs), strict=True))
        grouped: dict[int, list[int]] = {}
        for number in chosen:
            grouped.setdefault(self._task.candidates[number].task, []).append(number)
        with Workers(self._jobs) as pool:
            answers = list(
                pool.map(
                    lambda item: self._of_task(item[0], item[1], named, deadline), grouped.items()
                )
            )
        found = [finding for answer in answers for finding in answer or ()]
        if not found and any(answer is None for answer in answers):
            return None
        return found

    def _of_task(
        self, number: int, members: Sequence[int], costs: dict[str, int], deadline: Deadline
    ) -> list[Finding] | None:
        """The rows that one task breaks; None if that could not be decided."""
        candidates = self._task.candidates
        own = {m: plan_cost(candidates[m].plan, costs) for m in members}
        least = min(own.values())
        answer = self._search.below(number, costs, least, deadline, self._actions)
        if answer.plan is not None:
            return list(self._findings(members, [answer.plan]))
        if not answer.proven:
            return None
        dearer = [m for m in members if own[m] > least]
        if dearer:
            cheapest = min(members, key=lambda m: own[m])
            return list(self._findings(dearer, [candidates[cheapest].plan]))
        if not self._task.concept.is_strict:
            return []
        return self._ties(number, members, costs, least, deadline)

    def _ties(
        self,
        number: int,
        members: Sequence[int],
        costs: dict[str, int],
        cost: int,
        deadline: Deadline,
    ) -> list[Finding] | None:
        found: list[Finding] = []
        if self._actions is not None:
            # What costs more than the plan is left out of the search.
            costs = {n: c if n in self._actions else max(c, cost + 1) for n, c in costs.items()}
        for member in members:
            plan = self._task.candidates[member].plan
            allowed = allowed_plans(self._task, number, plan)
            answer = self._oracle.outside(number, costs, allowed, cost, deadline)
            if answer.plan is not None:
                found += self._findings([member], [answer.plan])
            elif not answer.proven:
                return found or None
        return found

    def _findings(self, members: Iterable[int], plans: Sequence[Plan]) -> Iterable[Finding]:
        for member in members:
            yield from findings(self._task, member, plans)

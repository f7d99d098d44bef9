"""Cuts that costs break, found by planners: for tasks whose state space does not fit.

All chosen plans of a task must be its cheapest; a plan that costs less than the cheapest of
them is an alternative to each (with factors, one that costs less than these allow). Strict
concepts ask in addition for a plan as cheap outside the allowed ones. Plans found once are
kept, and tried before a planner is asked again.

Planners count in integers, and they are slow. So floating-point costs are scaled up and rounded
for them, and only a question about one task is worth their while: that is how plans are
inserted one by one. What is missed then comes to light when integer costs are checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from plancost.learning.problem.cuts import Cut, cuts_of
from plancost.learning.problem.rows import excess
from plancost.learning.problem.task import LearningTask, PlanSet
from plancost.learning.verify.verification import allowed_plans
from plancost.observations.planfile import Plan, plan_cost
from plancost.oracles.oracle import Oracle
from plancost.oracles.portfolio import PlannerPortfolio
from plancost.system.clock import Deadline
from plancost.system.executors import Executor
from plancost.system.schedule import SCHEDULE
from plancost.system.workers import Workers

_TOLERANCE = 1e-6
"""Floating-point costs break a row only by more than this."""
_SCALE = 1000.0


class PlannerSeparator:
    """Finds cuts by asking planners, several tasks at a time."""

    description = "planners"

    def __init__(
        self,
        task: LearningTask,
        actions: frozenset[str] | None,
        search: PlannerPortfolio,
        oracle: Oracle,
        executor: Executor,
    ) -> None:
        self._task = task
        self._actions = actions
        self._search = search
        self._oracle = oracle
        self._executor = executor
        self._plans: dict[int, dict[Plan, None]] = {}
        self._undecided: PlanSet = frozenset()

    def graphs(self) -> None:
        """There are none."""

    def paths(self) -> None:
        """There are none."""

    def effort(self, chosen: Sequence[int]) -> int:
        """One search for each task."""
        return len({self._task.candidates[number].task for number in chosen})

    def undecided(self) -> PlanSet:
        """See `protocol.Separator`."""
        return self._undecided

    def violated(
        self, costs: np.ndarray, chosen: Sequence[int], *, exact: bool, deadline: Deadline
    ) -> list[Cut] | None:
        """See `protocol.Separator`."""
        known = self._broken(costs, chosen, self._plans, 0.0 if exact else _TOLERANCE)
        if known:
            return known
        return (
            self._exactly(costs, chosen, deadline)
            if exact
            else self._nearly(costs, chosen, deadline)
        )

    def _broken(
        self,
        costs: np.ndarray,
        chosen: Sequence[int],
        plans: Mapping[int, Iterable[Plan]],
        tolerance: float,
    ) -> list[Cut]:
        """The rows that come from given plans of the tasks and that the costs break."""
        numbers = costs.tolist()
        return [
            cut
            for number in chosen
            for cut in cuts_of(
                self._task, number, plans.get(self._task.candidates[number].task, ())
            )
            if excess(cut.row, numbers) > tolerance
        ]

    def _exactly(
        self, costs: np.ndarray, chosen: Sequence[int], deadline: Deadline
    ) -> list[Cut] | None:
        named = self._task.named(costs.tolist())
        grouped = self._grouped(chosen)
        with Workers(self._executor.width) as pool:
            answers = list(
                pool.map(
                    lambda item: self._of_task(item[0], item[1], named, deadline), grouped.items()
                )
            )
        self._undecided = frozenset(
            number
            for members, answer in zip(grouped.values(), answers, strict=True)
            if answer is None
            for number in members
        )
        found = [cut for answer in answers for cut in answer or ()]
        if not found and any(answer is None for answer in answers):
            return None
        return found

    def _nearly(
        self, costs: np.ndarray, chosen: Sequence[int], deadline: Deadline
    ) -> list[Cut] | None:
        """What planners find of one task under floating-point costs."""
        if deadline.is_over:
            return None
        grouped = self._grouped(chosen)
        if len(grouped) != 1:
            return []
        ((number, members),) = grouped.items()
        scale = 1.0 if np.allclose(costs, np.rint(costs), rtol=0.0, atol=1e-9) else _SCALE
        integers = np.rint(costs * scale).astype(np.int64)
        named = {name: max(1, cost) for name, cost in self._task.named(integers.tolist()).items()}
        own = self._bound({m: plan_cost(self._task.candidates[m].plan, named) for m in members})
        patience = deadline.within(SCHEDULE.nearly_s)
        answer = self._search.below(number, named, own, patience, self._actions)
        if answer.plan is None:
            return []
        self._plans.setdefault(number, {})[answer.plan] = None
        return self._broken(costs, members, {number: [answer.plan]}, _TOLERANCE)

    def _grouped(self, chosen: Sequence[int]) -> dict[int, list[int]]:
        grouped: dict[int, list[int]] = {}
        for number in chosen:
            grouped.setdefault(self._task.candidates[number].task, []).append(number)
        return grouped

    def _bound(self, own: Mapping[int, int]) -> int:
        """What a plan must cost less than to say something new of plans with these costs.

        It breaks a row if it costs less than a plan divided by its factor; and the cheapest of
        the plans themselves is known.
        """
        return min(*own.values(), max(map(self._limit, own, own.values())))

    def _limit(self, number: int, cost: int) -> int:
        """An alternative breaks a candidate's row iff it costs less than this."""
        factor = self._task.candidates[number].factor
        return -(-cost * factor.denominator // factor.numerator)

    def _of_task(
        self, number: int, members: Sequence[int], costs: dict[str, int], deadline: Deadline
    ) -> list[Cut] | None:
        """The rows that one task breaks; None if that could not be decided."""
        candidates = self._task.candidates
        own = {m: plan_cost(candidates[m].plan, costs) for m in members}
        least = min(own.values())
        answer = self._search.below(number, costs, self._bound(own), deadline, self._actions)
        if answer.plan is not None:
            return list(self._cuts(members, [answer.plan]))
        if not answer.proven:
            return None
        too_expensive = [m for m in members if self._limit(m, own[m]) > least]
        if too_expensive:
            cheapest = min(members, key=lambda m: own[m])
            return list(self._cuts(too_expensive, [candidates[cheapest].plan]))
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
    ) -> list[Cut] | None:
        found: list[Cut] = []
        if self._actions is not None:
            # What costs more than the plan is left out of the search.
            costs = {n: c if n in self._actions else max(c, cost + 1) for n, c in costs.items()}
        for member in members:
            plan = self._task.candidates[member].plan
            allowed = allowed_plans(self._task, number, plan)
            answer = self._oracle.outside(number, costs, allowed, cost, deadline)
            if answer.plan is not None:
                found += self._cuts([member], [answer.plan])
            elif not answer.proven:
                return found or None
        return found

    def _cuts(self, members: Sequence[int], plans: Sequence[Plan]) -> Iterable[Cut]:
        number = self._task.candidates[members[0]].task
        self._plans.setdefault(number, {}).update(dict.fromkeys(plans))
        for member in members:
            yield from cuts_of(self._task, member, plans)

"""The oracle by planners: Fast Downward for the cheapest plan, SymK for the next ones.

Both planners count in 32 bits. An action that costs more than a known plan of the task is
in no plan that is as cheap, so it is left out without changing any answer; that keeps
priced-out actions away from the planners.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from plancost.clock import Deadline
from plancost.observations.case import Task
from plancost.observations.planfile import Plan
from plancost.observations.sas import LARGEST_PLANNER_COST, sas_text
from plancost.oracles import fast_downward, symk
from plancost.oracles.oracle import Allowed, Answer
from plancost.oracles.search import SearchOutcome, Verdict
from plancost.processes import Limits

_LARGEST_TOTAL = LARGEST_PLANNER_COST // 4
"""Plans that cost more than this are not trusted to 32-bit planners."""
_MOST_PLANS = 4096
"""How many equally cheap plans are looked through for one outside the allowed set."""


class PlannerOracle:
    """Asks planners as separate processes."""

    def __init__(
        self,
        tasks: Sequence[Task],
        known_plans: Sequence[Sequence[Plan]],
        *,
        planner: str = "fast-downward",
        memory_mb: int | None = None,
    ) -> None:
        self.name = planner
        self._tasks = tasks
        self._known_plans = known_plans
        self._memory_mb = memory_mb

    def cheapest(self, task: int, costs: Mapping[str, int], deadline: Deadline) -> Answer:
        """The cheapest plan, by optimal search."""
        text = self._text(task, costs)
        if text is None:
            return Answer(None, None, proven=False)
        outcome = self._search(text, deadline)
        if outcome.verdict is Verdict.FOUND:
            plan = outcome.plans[0]
            return Answer(plan, _cost(plan, costs), proven=True)
        return Answer(None, None, proven=outcome.verdict is Verdict.NONE)

    def outside(
        self, task: int, costs: Mapping[str, int], allowed: Allowed, cost: int, deadline: Deadline
    ) -> Answer:
        """Look through the cheapest plans, more and more of them, for one outside."""
        text = self._text(task, costs)
        if text is None:
            return Answer(None, None, proven=False)
        count = len(allowed.plans) + 1
        while count <= _MOST_PLANS:
            outcome = symk.top_plans(text, count, limits=self._limits(deadline))
            for plan in outcome.plans:
                if _cost(plan, costs) <= cost and not allowed.contains(plan):
                    return Answer(plan, _cost(plan, costs), proven=True)
            if outcome.verdict is not Verdict.FOUND:
                return Answer(None, None, proven=False)
            if outcome.complete or any(_cost(plan, costs) > cost for plan in outcome.plans):
                return Answer(None, None, proven=True)
            count *= 4
        return Answer(None, None, proven=False)

    def _search(self, text: str, deadline: Deadline) -> SearchOutcome:
        if self.name == "symk":
            return symk.optimal_plan(text, limits=self._limits(deadline))
        return fast_downward.optimal_plan(text, limits=self._limits(deadline))

    def _limits(self, deadline: Deadline) -> Limits:
        return Limits(time_s=deadline.remaining(), memory_mb=self._memory_mb)

    def _text(self, task: int, costs: Mapping[str, int]) -> str | None:
        """The task under these costs, or None if they do not fit the planners."""
        roof = min(_cost(plan, costs) for plan in self._known_plans[task])
        if roof > _LARGEST_TOTAL:
            return None
        return sas_text(self._tasks[task].sas, costs, keep=lambda name: costs[name] <= roof)


def _cost(plan: Plan, costs: Mapping[str, int]) -> int:
    return sum(costs[name] for name in plan)

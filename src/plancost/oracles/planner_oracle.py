"""The oracle by planners: optimal search for the cheapest plan, top-k for the next ones."""

from __future__ import annotations

from collections.abc import Mapping

from plancost.observations.orderings import other_ordering
from plancost.observations.planfile import plan_cost
from plancost.oracles.oracle import Allowed, Answer
from plancost.oracles.portfolio import LARGEST_BOUND, PlannerPortfolio
from plancost.oracles.search import SearchOutcome, Verdict
from plancost.system.clock import Deadline
from plancost.system.schedule import SCHEDULE

_MOST_PLANS = 4096
"""How many equally cheap plans are looked through for one outside the allowed set."""
_NOT_KNOWN = Answer(None, None, proven=False)


class PlannerOracle:
    """Asks planners as separate processes."""

    name = "planners"

    def __init__(self, search: PlannerPortfolio) -> None:
        """The search must know a plan of each task."""
        self._search = search

    def cheapest(self, task: int, costs: Mapping[str, int], deadline: Deadline) -> Answer:
        """The cheapest plan, by optimal search unless a search has shown it before.

        Out of time, the cheapest that is known: enough to say that others are not optimal.
        """
        known = min(self._search.found(task), key=lambda plan: plan_cost(plan, costs))
        upper_bound = plan_cost(known, costs)
        if upper_bound > LARGEST_BOUND:
            return _NOT_KNOWN
        if self._search.proves_none_below(task, costs, upper_bound):
            return Answer(known, upper_bound, proven=True)
        outcome = self._search.optimal(task, costs, upper_bound, deadline.share(SCHEDULE.proving))
        if outcome.verdict is Verdict.FOUND:
            plan = outcome.plans[0]
            return Answer(plan, plan_cost(plan, costs), proven=True)
        if outcome.verdict is Verdict.NONE:
            name = self._search.task(task).name
            self._search.failures.note(
                f"{outcome.planner} says that no plan of {name} costs as little as {upper_bound}, "
                "but an observed one does"
            )
            return Answer(known, upper_bound, proven=False)
        plan = self._search.quickly_below(task, costs, upper_bound, deadline) or known
        return Answer(plan, plan_cost(plan, costs), proven=False)

    def outside(
        self, task: int, costs: Mapping[str, int], allowed: Allowed, cost: int, deadline: Deadline
    ) -> Answer:
        """Look through the cheapest plans, more and more of them, for one outside.

        SymK lists one ordering of the same actions, so other orderings of the allowed
        plans are looked for first.
        """
        if cost > LARGEST_BOUND:
            return _NOT_KNOWN
        orderings = self._orderings(task, costs, allowed, cost)
        if orderings is None or orderings.plan is not None:
            return orderings or _NOT_KNOWN
        text = self._search.text(task, costs, cost)
        count = len(allowed.plans) + 1
        while count <= _MOST_PLANS:
            outcome = self._search.top_plans(
                task, text, count, deadline, below=cost + 1, ordered=not allowed.any_order
            )
            for plan in outcome.plans:
                if plan_cost(plan, costs) <= cost and not allowed.contains(plan):
                    return Answer(plan, plan_cost(plan, costs), proven=True)
            if outcome.verdict is not Verdict.FOUND:
                return _NOT_KNOWN
            if outcome.complete or any(plan_cost(plan, costs) > cost for plan in outcome.plans):
                return self._no_other(task, costs, allowed, cost, outcome)
            count *= 4
        return _NOT_KNOWN

    def _no_other(
        self,
        task: int,
        costs: Mapping[str, int],
        allowed: Allowed,
        cost: int,
        outcome: SearchOutcome,
    ) -> Answer:
        """That there is no other plan, unless the list lacks one that there is."""
        is_listed = any(plan_cost(plan, costs) <= cost for plan in outcome.plans)
        if is_listed or all(plan_cost(plan, costs) > cost for plan in allowed.plans):
            return Answer(None, None, proven=True)
        self._search.failures.note(
            f"{outcome.planner} lists no plan of {self._search.task(task).name} that costs {cost} "
            "or less, but an observed one does"
        )
        return _NOT_KNOWN

    def _orderings(
        self, task: int, costs: Mapping[str, int], allowed: Allowed, cost: int
    ) -> Answer | None:
        """An ordering of an allowed plan that is not allowed; None if that is not known."""
        none = Answer(None, None, proven=True)
        if allowed.any_order:
            return none
        for plan in sorted(allowed.plans):
            if plan_cost(plan, costs) > cost:
                continue
            other = other_ordering(self._search.task(task).sas, plan, allowed.plans)
            if other.plan is not None:
                return Answer(other.plan, cost, proven=True)
            if not other.proven:
                return None
        return none

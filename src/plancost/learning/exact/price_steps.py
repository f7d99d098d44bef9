"""Prices that were set high for safety come down in steps, each confirmed by a search.

Where the state space of all actions is too large for a graph, a search for cheaper plans is the
shorter the more the unused actions cost: at half of what the most expensive plan costs, no
alternative has two of them, at a third none has three. So the prices come down step by step, and
each step that a search confirms is an answer. A cheaper plan found on the way raises the price of
one of its unused actions again, as far as it must; costs of used actions do not change.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from plancost.learning.incumbent import CostFunction
from plancost.learning.problem.rows import excess
from plancost.learning.problem.task import Costs, PlanSet
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.system.clock import Deadline

_DIVISORS = (2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 128, 256, 512, 1024, 10**12)
"""The most expensive plan is divided by these; at last the price is 1."""


def lower_in_steps(
    subproblem: Subproblem, best: CostFunction, deadline: Deadline, report: Callable[[], None]
) -> bool:
    """Improve the costs of `best` without another set; whether all steps were taken.

    The subproblem is on all actions.
    """
    for limit in _limits(subproblem, best):
        lower = _confirmed(subproblem, best.chosen, _capped(subproblem, best, limit), deadline)
        if lower is None:
            return False
        if subproblem.task.secondary(lower) < best.value:
            best.costs = lower
            report()
    return True


def _limits(subproblem: Subproblem, best: CostFunction) -> Iterator[int]:
    """What unused actions may cost at most, from half of the most expensive plan down to 1."""
    task = subproblem.task
    plans = (task.candidates[number].plan for number in best.chosen)
    most = max((task.cost(plan, best.costs) for plan in plans), default=0)
    used = task.kept_actions(best.chosen)
    highest = max((c for action, c in enumerate(best.costs) if action not in used), default=1)
    limits = [-(-(most + 1) // divisor) for divisor in _DIVISORS]
    yield from dict.fromkeys(limit for limit in limits if limit < highest)


def _capped(subproblem: Subproblem, best: CostFunction, limit: int) -> Costs:
    """The costs with no unused action above the limit, or above its baseline."""
    task = subproblem.task
    used = task.kept_actions(best.chosen)
    return task.structure.completed(
        [
            cost if action in used else min(cost, max(limit, task.baseline[action]))
            for action, cost in enumerate(best.costs)
        ]
    )


def _confirmed(
    subproblem: Subproblem, chosen: PlanSet, costs: Costs, deadline: Deadline
) -> Costs | None:
    """The costs, raised until a search finds no cheaper plan; None: not in time."""
    while not deadline.is_over:
        broken = subproblem.broken(costs, chosen)
        if broken:
            raised = _raised(subproblem, chosen, costs, broken)
            if raised is None:
                return None
            costs = raised
            continue
        correct = subproblem.check(costs, chosen, deadline)
        if correct is None:
            return None
        if correct:
            return costs
    return None


def _raised(
    subproblem: Subproblem, chosen: PlanSet, costs: Costs, broken: list[int]
) -> Costs | None:
    """Costs that satisfy these rows by higher prices of unused actions; None: they cannot.

    The action that most of the rows have is raised first.
    """
    task = subproblem.task
    used = task.kept_actions(chosen)
    rows = [subproblem.pool.rows[number] for number in broken]
    votes = Counter(a for row in rows for a, times in row[0] if times < 0 and a not in used)
    raised = list(costs)
    for row in rows:
        missing = excess(row, raised)
        if missing <= 0:
            continue
        helpful = [(a, -times) for a, times in row[0] if times < 0 and a not in used]
        if not helpful:
            return None
        action, times = max(helpful, key=lambda item: (votes[item[0]], item[1], -item[0]))
        raised[action] += -(-int(missing) // times)
    completed = task.structure.completed(raised)
    return None if completed == costs else completed

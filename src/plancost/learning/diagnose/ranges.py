"""How much of an answer is forced: the least and greatest cost of each action.

Over all cost functions that make the same plans optimal at the same secondary cost, which must
be the least: otherwise answers that are better would count as well. Of other plans, as many and
at the same secondary cost, ranges do not speak. For each
action (each kind of actions that always cost the same) a program is solved downwards and one
upwards, with rows found lazily as ever; every point that is confirmed counts for all actions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from plancost.learning.problem.task import Costs, PlanSet
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.system.clock import Deadline


@dataclass(frozen=True)
class Range:
    """The costs that an action can have; not `proven`: at least these are possible."""

    least: int
    greatest: int
    proven: bool


def find_ranges(
    subproblem: Subproblem,
    chosen: PlanSet,
    costs: Costs,
    deadline: Deadline,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[Range]:
    """The range of each action of A over all answers as good as `costs`, for the same plans."""
    task = subproblem.task
    budget = task.secondary(costs)
    least = task.structure.costs(costs)
    greatest = list(least)
    proven = [True] * len(least)
    kinds = task.structure.kinds
    for done, (parts, members) in enumerate(kinds):
        progress(done, len(kinds))
        if deadline.is_over:
            for action in members:
                proven[action] = False
            continue
        for sign in (1, -1):
            objective = {parameter: sign * times for parameter, times in parts}
            extreme = subproblem.best_integers(chosen, deadline, objective=objective, budget=budget)
            if extreme is None:
                for action in members:
                    proven[action] = False
                continue
            for other, cost in enumerate(task.structure.costs(extreme)):
                least[other] = min(least[other], cost)
                greatest[other] = max(greatest[other], cost)
    progress(len(kinds), len(kinds))
    return [Range(low, high, ok) for low, high, ok in zip(least, greatest, proven, strict=True)]

"""How much of an answer is forced: the least and greatest cost of each action.

Over all cost functions that make the same plans optimal at the same secondary cost. For each
action a program is solved downwards and one upwards, with rows found lazily as ever; every
point that is confirmed narrows what is left to ask for all other actions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from plancost.clock import Deadline
from plancost.learning.plan_sets import PlanSets
from plancost.learning.task import Costs, PlanSet


@dataclass(frozen=True)
class Range:
    """The costs that an action can have; not `proven`: at least these are possible."""

    least: int
    greatest: int
    proven: bool


def find_ranges(
    sets: PlanSets,
    chosen: PlanSet,
    costs: Costs,
    deadline: Deadline,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[Range]:
    """The range of each action of A over all answers as good as `costs`."""
    task = sets.task
    budget = task.secondary(costs)
    least, greatest = list(costs), list(costs)
    proven = [True] * len(costs)
    for action in range(len(costs)):
        progress(action, len(costs))
        if deadline.is_over:
            proven[action] = False
            continue
        for sign in (1, -1):
            extreme = sets.best_integers(chosen, deadline, objective={action: sign}, budget=budget)
            if extreme is None:
                proven[action] = False
                continue
            for other, cost in enumerate(extreme):
                least[other] = min(least[other], cost)
                greatest[other] = max(greatest[other], cost)
    progress(len(costs), len(costs))
    return [Range(low, high, ok) for low, high, ok in zip(least, greatest, proven, strict=True)]

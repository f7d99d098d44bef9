"""A first answer from some of the plans, where the state space of all their actions is too large.

Plans that have most of their actions in common need few actions between them, and so a small state
space. The actions that they do not use are priced out, so an answer for these plans is an answer
for all plans: it makes these optimal, whatever becomes of the others. Parts of growing size are
taken until one is too large as well. What is left of the time is for all plans together.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from plancost.learning.incumbent import Incumbent
from plancost.learning.problem.part import costs_in_the_whole, part_of_task
from plancost.learning.problem.task import LearningTask
from plancost.system.clock import Deadline
from plancost.system.schedule import SCHEDULE

_log = logging.getLogger(__name__)

_SMALLEST = 5

Solve = Callable[[LearningTask, Deadline], Incumbent | None]
"""The first objective of a part on state graphs; None if these are too large."""


def is_divisible(task: LearningTask) -> bool:
    """Whether an answer for some of the plans is an answer for all of them."""
    told = (task.ranges, task.factors, task.composition)
    return all(item is None for item in told) and not task.known and not task.required


def improve_by_parts(
    task: LearningTask,
    best: Incumbent,
    solve: Solve,
    deadline: Deadline,
    size: int = _SMALLEST,
) -> None:
    """Improve the answer by those for parts of the plans, beginning with so many plans."""
    order = by_new_actions(task)
    while size < len(order) and not deadline.is_over:
        members = sorted(number for n in order[:size] for number in task.candidates[n].observations)
        part = part_of_task(task, members, deadline)
        found = solve(part, deadline.share(SCHEDULE.each_part))
        if found is None:
            return
        _log.info("%d plans by themselves: %d optimal", part.case.plan_count, found.weight)
        chosen = frozenset(
            task.candidate_of_observation[members[part.candidates[n].observations[0]]]
            for n in found.chosen
        )
        best.improve((chosen, costs_in_the_whole(task, part, found.costs)))
        size *= 2


def by_new_actions(task: LearningTask) -> list[int]:
    """The candidates, each one the next that brings the fewest actions not met before."""
    plans = {n: set(candidate.plan) for n, candidate in enumerate(task.candidates)}
    order: list[int] = []
    while plans:
        chosen = min(plans, key=lambda n: (len(plans[n]), -task.candidates[n].weight, n))
        met = plans.pop(chosen)
        for rest in plans.values():
            rest -= met
        order.append(chosen)
    return order

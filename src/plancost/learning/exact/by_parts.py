"""A first answer from some of the plans, where the state space of all their actions is too large.

Plans that have most of their actions in common need few actions between them, and so a small state
space. The actions that they do not use are priced out, so an answer for these plans is an answer
for all plans: it makes these optimal, whatever becomes of the others. Parts of growing size are
taken until one is too large as well. What is left of the time is for all plans together.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from plancost.learning.exact.hitting_set import FeasibleSubset
from plancost.learning.problem.task import LearningTask
from plancost.observations.parts import part_of_case
from plancost.system.clock import Deadline
from plancost.system.schedule import SCHEDULE

_log = logging.getLogger(__name__)

_SMALLEST = 5

Solve = Callable[[LearningTask, Deadline], FeasibleSubset | None]
"""The first objective of a part on state graphs; None if these are too large."""


def is_divisible(task: LearningTask) -> bool:
    """Whether an answer for some of the plans is an answer for all of them."""
    told = (task.ranges, task.factors, task.composition)
    return all(item is None for item in told) and not task.known


def improve_by_parts(
    task: LearningTask,
    best: FeasibleSubset,
    solve: Solve,
    deadline: Deadline,
    report: Callable[[], None] = lambda: None,
    size: int = _SMALLEST,
) -> None:
    """Improve the answer by those for parts of the plans, beginning with so many plans."""
    order = by_new_actions(task)
    while size < len(order) and not deadline.is_over:
        chosen = order[:size]
        members = sorted(number for n in chosen for number in task.candidates[n].observations)
        part = part_of_task(task, members)
        found = solve(part, deadline.share(SCHEDULE.each_part))
        if found is None:
            return
        _log.info("%d plans by themselves: %d optimal", part.case.plan_count, found.weight)
        if found.weight > best.weight:
            best.chosen = frozenset(
                task.candidate_of_observation[members[part.candidates[n].observations[0]]]
                for n in found.chosen
            )
            best.costs = in_the_whole(task, part, found.costs)
            best.weight = found.weight
            report()
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


def part_of_task(task: LearningTask, observations: Sequence[int]) -> LearningTask:
    """The learning task of some observations, with the initial costs of the whole."""
    case = part_of_case(task.case, observations)
    initial = task.initial_costs
    if initial is not None:
        initial = tuple(initial[task.action_number[name]] for name in case.actions)
    return LearningTask(case, task.concept, initial)


def in_the_whole(task: LearningTask, part: LearningTask, costs: Sequence[int]) -> tuple[int, ...]:
    """The costs of a part with the baseline for actions that no task of the part has."""
    found = dict(zip(part.case.actions, costs, strict=True))
    return tuple(
        found.get(name, cost) for name, cost in zip(task.case.actions, task.baseline, strict=True)
    )

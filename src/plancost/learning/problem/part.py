"""Some of the observations as a learning task of their own, and costs on the way there and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from plancost.learning.problem.plan_cost_constraints import least_deviation
from plancost.learning.problem.task import Costs, LearningTask
from plancost.observations.parts import part_of_case
from plancost.system.clock import Deadline


def part_of_task(
    task: LearningTask, observations: Sequence[int], deadline: Deadline
) -> LearningTask:
    """The learning task of some observations, with what is known in the whole one.

    Actions that share a cost cannot be divided. How far known costs must be missed is a
    question of these observations alone, so it takes time.
    """
    case = part_of_case(task.case, observations)
    actions = [task.action_number[name] for name in case.actions]
    initial, ranges, factors = task.initial_costs, task.ranges, task.factors
    part = LearningTask(
        case,
        task.concept,
        None if initial is None else tuple(initial[action] for action in actions),
        None if ranges is None else tuple(ranges[action] for action in actions),
        factors=None if factors is None else tuple(factors[number] for number in observations),
        required=frozenset(n for n, old in enumerate(observations) if old in task.required),
    )
    place = {number: at for at, number in enumerate(observations)}
    known = tuple(
        replace(
            item,
            observation=place[item.observation],
            counts=part.counts(task.case.observations[item.observation].plan),
        )
        for item in task.known
        if item.observation in place
    )
    soft = task.most_deviation is not None and known
    deviation = least_deviation(known, part.terms, deadline) if soft else None
    return replace(part, known=known, most_deviation=deviation)


def part_of_costs(task: LearningTask, part: LearningTask, costs: Costs) -> Costs:
    """Costs of all actions as costs of those that a part has."""
    return tuple(costs[task.action_number[name]] for name in part.case.actions)


def costs_in_the_whole(task: LearningTask, part: LearningTask, costs: Sequence[int]) -> Costs:
    """The costs of a part with the baseline for actions that no task of the part has."""
    found = dict(zip(part.case.actions, costs, strict=True))
    return tuple(
        found.get(name, cost) for name, cost in zip(task.case.actions, task.baseline, strict=True)
    )

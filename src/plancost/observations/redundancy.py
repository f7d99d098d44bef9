"""Actions that a plan can do without."""

from __future__ import annotations

from collections.abc import Sequence

from plancost.observations.planfile import Plan
from plancost.observations.replay import applicable, replay
from plancost.observations.sas import SasTask, State


def without_redundant_actions(task: SasTask, plan: Plan) -> Plan:
    """A part of the plan that still solves the task; the plan itself if none is found.

    Greedy action elimination: leave out a step and all later ones that can then no
    longer be applied, and keep it so if the goal is still reached. It finds only parts
    that keep the order, and not always the smallest.
    """
    first = replay(task, plan)
    if task.is_goal(task.initial_state):
        return ()
    end = next((n for n, state in enumerate(first.states) if task.is_goal(state)), len(plan))
    steps = _without_loops(plan[:end], first.states)
    position = 0
    while position < len(steps):
        shorter = _without(task, steps, position)
        if shorter is None:
            position += 1
        else:
            steps = shorter
    return steps


def _without_loops(plan: Plan, states: Sequence[State]) -> Plan:
    """The plan without the steps between two visits of a state: quick, also for very long ones."""
    last_visit = {state: number for number, state in enumerate(states[: len(plan) + 1])}
    steps = []
    position = 0
    while (position := last_visit[states[position]]) < len(plan):
        steps.append(plan[position])
        position += 1
    return tuple(steps)


def _without(task: SasTask, plan: Plan, position: int) -> Plan | None:
    kept = list(plan[:position])
    state = replay(task, tuple(kept)).states[-1]
    for name in plan[position + 1 :]:
        operator = applicable(task, task.operators_by_name[name], state)
        if operator is not None:
            state = task.apply(operator, state)
            kept.append(name)
    return tuple(kept) if task.is_goal(state) else None

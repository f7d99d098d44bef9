"""How likely each step of a plan is, given what came before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from plancost.case.model import Case, Observation, Task
from plancost.clock import Clock
from plancost.executor import Threads
from plancost.likely.most_likely import PlansOnTracks
from plancost.likely.walks import DivergesError, Vector
from plancost.search.redundant import simulated


def step_log_likelihoods(
    case: Case, observations: Sequence[Observation], costs: Vector, clock: Clock
) -> list[Vector] | None:
    """Of each step of plans its log-likelihood, and at last that of ending there; None if sums over
    walks are infinite. Costs are in nats.

    What is left of a plan is a plan of the task that begins where it is then.
    """
    tasks: list[Task] = []
    rests: list[Observation] = []
    for seen in observations:
        task = case.tasks[seen.task]
        state, apply = simulated(case.worlds[task.world], task)
        for step in range(len(seen.actions) + 1):
            rests.append(replace(seen, task=len(tasks), actions=seen.actions[step:]))
            tasks.append(replace(task, initial=state))
            if step < len(seen.actions):
                state = apply(state, seen.actions[step]) or state
    begun = replace(case, tasks=tuple(tasks), observations=tuple(rests))
    try:
        sums = PlansOnTracks(begun, Threads(), clock).builder()(costs).log_sums(costs)
    except DivergesError:
        return None
    found, first = [], 0
    for seen in observations:
        own = list(seen.actions)
        log_z = np.array([sums[first + step] for step in range(len(own) + 1)])
        found.append(np.append(log_z[1:], 0.0) - log_z - np.append(costs[own], 0.0))
        first += len(own) + 1
    return found

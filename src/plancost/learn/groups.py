"""Several cost functions: plans are divided into groups, so that most are optimal under those of
theirs.

Conflicts hold in every group. Peeling begins: the largest set found is the first group, the
largest of what is left the second. Then some plans leave their groups, some that are in none are
tried first, and all groups take in what fits. The bound is that of the relaxation for the union
of so many sets: it holds for every division.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from plancost.case.model import Case
from plancost.clock import Clock, OutOfTimeError
from plancost.learn.incumbent import Incumbent
from plancost.learn.master import Relaxation
from plancost.learn.most_plans import MostPlans
from plancost.learn.outcome import AFTER_INTERRUPT_S, Learned
from plancost.learn.run import Run, learn_costs
from plancost.learn.task import LearningTask
from plancost.options import LearnOptions
from plancost.progress import Progress

_FOR_DIVIDING = 0.5
"""The part of the time in which plans are divided; then each group learns its costs."""
_IDLE = 12
"""Passes without a better division, and it is kept."""
_LEAVING = 0.25
"""The part of the plans that leave their groups in a pass."""

Sets = list[list[int]]


def learn_groups(
    case: Case, options: LearnOptions, clock: Clock, progress: Progress
) -> tuple[list[tuple[str, Case, Learned]], int]:
    """Divide the plans of a case into `options.groups` groups, and learn costs for each.

    Returns a case for each group with what was learned from it, and a bound on all divisions.
    """
    run = Run(Incumbent(LearningTask(case, options), clock, progress), options)
    search, plans = run.prepared(clock.part(clock.remaining * _FOR_DIVIDING))
    sets, bound, is_over = _divided(search, plans, options)
    group_of = _groups(run.task, sets)
    parts = []
    for number in range(len(sets)):
        pairs = zip(case.observations, run.task.plan_of, strict=True)
        kept = tuple(observation for observation, plan in pairs if group_of[plan] == number)
        if kept:
            part, alone = replace(case, observations=kept), replace(options, groups=None)
            seconds = AFTER_INTERRUPT_S if is_over else clock.remaining / (len(sets) - number)
            learned = learn_costs(part, alone, clock.part(seconds), progress)
            is_over = is_over or learned.ending == "interrupted"
            if is_over:
                learned = replace(learned, ending="interrupted")
            parts.append((f"group-{number + 1}", part, learned))
    return parts, bound


def _divided(
    search: MostPlans, plans: Sequence[int], options: LearnOptions
) -> tuple[Sets, int, bool]:
    """Sets of plans that can be optimal together, each under costs of its own; a bound; and whether
    the search was interrupted.
    """
    task, random, count = search.task, np.random.default_rng(options.seed), options.groups or 1
    relaxation = Relaxation(task.weights, search.cuts, count)
    possible = set(plans)
    order = [n for n in task.shortest_first if n in possible]
    sets: Sets = [[] for _ in range(count)]
    bound, idle, is_over = task.weight(plans), 0, False
    try:
        sets = _grown(search, sets, order)
        weight = task.weight(chain(*sets))
        while idle < _IDLE and not search.clock.is_over:
            bound = min(bound, relaxation.solve(search.clock)[1])
            if weight >= bound:
                break
            stays = [[n for n in own if random.random() > _LEAVING] for own in sets]
            found = _grown(search, stays, random.permutation(order).tolist())
            before, after = weight, task.weight(chain(*found))
            if after >= before:
                sets, weight = found, after
            idle = 0 if after > before else idle + 1
    except OutOfTimeError:
        pass
    except KeyboardInterrupt:
        is_over = True
    return sets, bound, is_over


def _grown(search: MostPlans, stays: Sets, order: Sequence[int]) -> Sets:
    """Each group grows from what stays in it, by plans that are in no other."""
    taken = set(chain(*stays))
    sets = []
    for own in stays:
        others = [n for n in order if n not in taken]
        grown = search.grow([*own, *others], max(1, len(own)))
        taken |= set(grown)
        sets.append(grown)
    return sets


def _groups(task: LearningTask, sets: Sets) -> list[int]:
    """The group of each plan; one that is optimal in none goes where most of its actions are
    known.
    """
    used = [task.used(own) for own in sets]
    found = [int(np.argmax([own[list(counts)].sum() for own in used])) for counts in task.counts]
    for number, own in enumerate(sets):
        for plan in own:
            found[plan] = number
    return found

"""The master problem for several groups: the heaviest sets that no known conflict excludes.

A conflict says that some plans cannot all be optimal under one cost function, whichever that is.
So each inequality of `cuts` holds for each group alike. The integer program has one column for each
plan and group, every inequality once for each group, and each plan in one group at most.

Groups have no names of their own, so every answer would come in all their orders. They are put in
the order of their first plans: a plan may open a group only if an earlier plan is in the group
before. The plans that come first in that order are in conflict pair by pair: they say the most.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from plancost.learning.master.inequalities import Cut, Cuts
from plancost.learning.master.integer_program import stopped_early
from plancost.learning.master.weighing import Weighing
from plancost.learning.problem.task import PlanSet
from plancost.solver import highs
from plancost.solver.model import Model, Outcome, Status
from plancost.system.clock import Deadline

_MOST_ORDERED = 400
"""With more columns than this, only the first plans are ordered: the rows would be too long."""
_PATIENCE_S = 1.0
"""See `master`: how long a proposal that a known conflict excludes is mended."""


@dataclass(frozen=True)
class Proposal:
    """The sets that the master proposes, and an upper bound on the weight of all together.

    `chosen` is None if it found none. Unless `finished`, time was short: better sets may exist,
    and a known conflict may exclude these.
    """

    chosen: tuple[PlanSet, ...] | None
    bound: int
    finished: bool
    gave_up: bool = False
    """Not finished, although there was time: asking again is no use."""


def heaviest_sets(
    weights: Sequence[int],
    cuts: Cuts,
    count: int,
    deadline: Deadline,
    seed: int = 0,
    start: Sequence[PlanSet] | None = None,
) -> Proposal:
    """The heaviest `count` sets outside all conflicts; `start` are some to begin with."""
    order = _order(cuts)
    model = _model(cuts, count, order)
    columns = [
        (group * cuts.size + plan, weight)
        for group in range(count)
        for plan, weight in enumerate(weights)
    ]
    weighing = Weighing(model, columns)
    first = None if start is None else weighing.start(_point(start, cuts.size, order))
    started = time.monotonic()
    outcome, bound = weighing.largest(
        lambda known: _solve(model, cuts, count, deadline, seed, first if known is None else known)
    )
    bound = min(bound, sum(weights))
    finished = outcome.status is Status.OPTIMAL
    gave_up = not finished and stopped_early(started, deadline)
    chosen = None
    if outcome.values is not None:
        values = np.asarray(outcome.values[: count * cuts.size]).reshape(count, cuts.size)
        chosen = tuple(frozenset(np.flatnonzero(line > 0.5).tolist()) for line in values)
    return Proposal(chosen, bound, finished, gave_up)


def _order(cuts: Cuts) -> list[int]:
    """The plans, a clique of conflicts first."""
    alive = [plan for plan in range(cuts.size) if plan not in cuts.hopeless]
    degrees = np.zeros(cuts.size)
    for plan in alive:
        degrees[plan] = len(cuts.pairs.neighbours(plan))
    clique = cuts.pairs.heaviest(np.array(alive, dtype=np.int64), degrees) if alive else []
    first = frozenset(clique)
    return [*clique, *(plan for plan in alive if plan not in first)]


def _model(cuts: Cuts, count: int, order: Sequence[int]) -> Model:
    """Column ``group * size + plan`` says whether the plan is in the group."""
    model = Model()
    position = {plan: place for place, plan in enumerate(order)}
    for group in range(count):
        for plan in range(cuts.size):
            # Each group that was opened before has taken a plan that stands before this one.
            is_open = plan in position and group <= position[plan]
            model.add_column(0, 1 if is_open else 0, integer=True)
    for plan in order:
        line = {group * cuts.size + plan: 1.0 for group in range(count)}
        model.add_row(line, upper=1.0)
    if count * cuts.size <= _MOST_ORDERED:
        for group in range(1, count):
            for place, plan in enumerate(order):
                before = {(group - 1) * cuts.size + other: -1.0 for other in order[:place]}
                model.add_row({**before, group * cuts.size + plan: 1.0}, upper=0.0)
    return model


def _point(start: Sequence[PlanSet], size: int, order: Sequence[int]) -> list[float]:
    """Sets as values of the columns, in the order in which groups are opened."""
    position = {plan: place for place, plan in enumerate(order)}
    first = [min((position[plan] for plan in chosen), default=len(order)) for chosen in start]
    arranged = [chosen for _, chosen in sorted(zip(first, start, strict=True), key=lambda p: p[0])]
    return [float(plan in chosen) for chosen in arranged for plan in range(size)]


def _solve(
    model: Model,
    cuts: Cuts,
    count: int,
    deadline: Deadline,
    seed: int,
    start: list[float] | None,
) -> Outcome:
    """Solve until the answer breaks no known conflict, or that takes long; as in `master`."""
    started = time.monotonic()
    bound = -inf
    new: list[Cut] = list(cuts.found)
    while True:
        for coefficients, most in new:
            for offset in range(0, count * cuts.size, cuts.size):
                line = {offset + plan: float(value) for plan, value in coefficients}
                model.add_row(line, upper=float(most))
        outcome = highs.solve(
            model, time_limit_s=deadline.remaining(), seed=seed, gap=0.5, start=start
        )
        bound = max(bound, outcome.bound)
        status = outcome.status
        if status is Status.OPTIMAL and outcome.values is not None:
            found = np.asarray(outcome.values[: count * cuts.size])
            values = np.round(found).reshape(count, cuts.size)
            new = [cut for line in values for cut in cuts.separate(line)]
            if new and time.monotonic() <= started + _PATIENCE_S:
                continue
            if new:
                status = Status.STOPPED
        return Outcome(status, outcome.values, outcome.objective, bound)

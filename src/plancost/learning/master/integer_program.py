"""The master problem: the best set of plans that no known conflict excludes.

An integer program with one column for each plan, over the known inequalities: those that
the relaxation needed, and then those that a proposal breaks, until one breaks none. For the
second objective a conflict with a secondary cost lifts theta, the secondary cost of the
chosen set, instead of forbidding it: with u_c = 1 if any plan of class c is chosen, it
reads ``theta >= lift * (sum(u_c) - classes + 1)``.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor, inf, isfinite
from typing import Generic, TypeVar

import numpy as np

from plancost.learning.master.cliques import PairGraph
from plancost.learning.master.inequalities import Inequalities
from plancost.learning.problem.task import PlanSet
from plancost.learning.subproblem.conflict import Conflict
from plancost.solver import highs
from plancost.solver.model import Model, Outcome, Status
from plancost.system.clock import Deadline
from plancost.system.schedule import SCHEDULE

T = TypeVar("T")


@dataclass(frozen=True)
class Choice(Generic[T]):
    """The master's proposal, a set of plans or several, and what it proves.

    `chosen` is None if no set is left. `bound` is an upper bound on the weight, or
    (second objective) a lower bound on the secondary cost. Unless `finished`, time was
    short: a better set may exist, and a known conflict may exclude this one.
    """

    chosen: T | None
    bound: int
    finished: bool
    gave_up: bool = False
    """Not finished, although there was time: asking again is no use."""


def heaviest_set(
    weights: Sequence[int],
    inequalities: Inequalities,
    deadline: Deadline,
    seed: int = 0,
    start: PlanSet | None = None,
) -> Choice[PlanSet]:
    """The heaviest set of plans outside all conflicts; `start` is one to begin with."""
    model = _model(inequalities)
    model.objective = [float(-weight) for weight in weights]
    point = None if start is None else [float(plan in start) for plan in range(inequalities.size)]
    found = propose(model, inequalities, sum(weights), deadline, seed, point)
    return Choice(_first(found.chosen), found.bound, found.finished, found.gave_up)


def propose(
    model: Model,
    inequalities: Inequalities,
    total: int,
    deadline: Deadline,
    seed: int = 0,
    start: list[float] | None = None,
    *,
    copies: int = 1,
) -> Choice[tuple[PlanSet, ...]]:
    """The heaviest sets by a model with a column for each copy of each plan.

    `total` is the weight of all plans: a bound that holds in any case.
    """
    started = time.monotonic()
    outcome = _solve(
        model,
        inequalities,
        deadline,
        seed,
        gap=0.5,
        start=start,
        patience_s=SCHEDULE.mending_s,
        copies=copies,
    )
    finished = outcome.status is Status.OPTIMAL
    had_time = not deadline.is_over and time.monotonic() < started + SCHEDULE.mending_s
    bound = min(total, floor(-outcome.bound + 1e-3)) if isfinite(outcome.bound) else total
    chosen = _chosen(outcome, inequalities.size, copies)
    return Choice(chosen, bound, finished, gave_up=not finished and had_time)


def cheapest_set(
    weights: Sequence[int],
    inequalities: Inequalities,
    conflicts: Iterable[Conflict],
    required_weight: int,
    floor_value: int,
    deadline: Deadline,
    seed: int = 0,
) -> Choice[PlanSet]:
    """The set of the required weight whose known secondary bound is least."""
    model = _model(inequalities)
    indicators = _Indicators(model, inequalities.pairs)
    theta = model.add_column(0, objective=1)
    _require(model, weights, required_weight)
    for conflict in conflicts:
        if conflict.secondary is None or conflict.secondary <= floor_value:
            continue
        lift = float(conflict.secondary - floor_value)
        columns = [indicators.of(members) for members in conflict.classes]
        line = {theta: -1.0}
        for column in columns:
            line[column] = line.get(column, 0.0) + lift
        model.add_row(line, upper=lift * (len(columns) - 1))
    outcome = _solve(model, inequalities, deadline, seed, gap=1e-3)
    if outcome.status is Status.INFEASIBLE:
        return Choice(None, floor_value, True)
    bound = floor_value
    if isfinite(outcome.bound):
        bound += max(0, ceil(outcome.bound - 1e-2))
    return Choice(
        _first(_chosen(outcome, inequalities.size)), bound, outcome.status is Status.OPTIMAL
    )


def preferred_set(
    weights: Sequence[int],
    preferences: Sequence[int],
    inequalities: Inequalities,
    required_weight: int,
    deadline: Deadline,
) -> PlanSet | None:
    """The set of the required weight with the largest sum of preferences; None: not known."""
    model = _model(inequalities)
    model.objective = [float(-preference) for preference in preferences]
    _require(model, weights, required_weight)
    outcome = _solve(model, inequalities, deadline, gap=0.5)
    return _first(_chosen(outcome, inequalities.size)) if outcome.status is Status.OPTIMAL else None


def _model(inequalities: Inequalities) -> Model:
    """One column for each plan, by its number."""
    model = Model()
    for plan in range(inequalities.size):
        model.add_column(0, 0 if plan in inequalities.infeasible_alone else 1, integer=True)
    return model


def _require(model: Model, weights: Sequence[int], required: int) -> None:
    model.add_row({plan: float(weight) for plan, weight in enumerate(weights)}, lower=required)


def _solve(
    model: Model,
    inequalities: Inequalities,
    deadline: Deadline,
    seed: int = 0,
    *,
    gap: float,
    start: list[float] | None = None,
    patience_s: float | None = None,
    copies: int = 1,
) -> Outcome:
    """Solve the program until its answer breaks no known conflict, or that takes long.

    The first columns are the plans, as often as there are `copies`; each inequality holds for
    each copy. The bound is the best of all solves, since each proves one.
    """
    size = inequalities.size
    started = time.monotonic()
    bound = -inf
    new = list(inequalities.found)
    while True:
        for coefficients, most in new:
            for offset in range(0, copies * size, size):
                line = {offset + plan: float(value) for plan, value in coefficients}
                model.add_row(line, upper=float(most))
        outcome = highs.solve(
            model, time_limit_s=deadline.remaining(), seed=seed, gap=gap, start=start
        )
        bound = max(bound, outcome.bound)
        outcome = replace(outcome, bound=bound)
        if outcome.status is not Status.OPTIMAL or outcome.values is None:
            return outcome
        chosen = np.round(outcome.values[: copies * size]).reshape(copies, size)
        new = [inequality for line in chosen for inequality in inequalities.separate(line)]
        if not new:
            return outcome
        if patience_s is not None and time.monotonic() > started + patience_s:
            return replace(outcome, status=Status.STOPPED)


def _chosen(outcome: Outcome, size: int, copies: int = 1) -> tuple[PlanSet, ...] | None:
    """The plans of each copy."""
    if outcome.values is None:
        return None
    values = np.asarray(outcome.values[: copies * size]).reshape(copies, size)
    return tuple(frozenset(np.flatnonzero(line > 0.5).tolist()) for line in values)


def _first(chosen: tuple[PlanSet, ...] | None) -> PlanSet | None:
    return None if chosen is None else chosen[0]


class _Indicators:
    """Columns that are 1 as soon as one plan of a class is chosen."""

    def __init__(self, model: Model, pairs: PairGraph) -> None:
        self._model = model
        self._pairs = pairs
        self._columns: dict[PlanSet, int] = {}

    def of(self, members: PlanSet) -> int:
        if len(members) == 1:
            return next(iter(members))
        column = self._columns.get(members)
        if column is None:
            column = self._model.add_column(0, 1, integer=True)
            for clique in self._pairs.partition(members):
                line = dict.fromkeys(clique, 1.0)
                self._model.add_row({**line, column: -1.0}, upper=0.0)
            self._columns[members] = column
        return column

"""The master problem: the best set of plans that no known conflict excludes.

An integer program with one column for each plan, over the inequalities of `cuts`: those that
the relaxation needed, and then those that a proposal breaks, until one breaks none. For the
second objective a conflict with a secondary cost lifts theta, which stands for the secondary cost
of the chosen set, instead of forbidding it: with u_c = 1 if any plan of class c is chosen, it
reads ``theta >= lift * (sum(u_c) - classes + 1)``. Sums of weights are exact (`weighing`).
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import ceil, inf, isfinite

import numpy as np

from plancost.learning.master.cliques import PairGraph
from plancost.learning.master.inequalities import Cuts
from plancost.learning.master.weighing import Weighing
from plancost.learning.problem.task import PlanSet
from plancost.learning.subproblem.feasibility import Conflict
from plancost.solver import highs
from plancost.solver.model import Model, Outcome, Status
from plancost.system.clock import Deadline

_PATIENCE_S = 1.0
"""A heaviest set that a known conflict excludes is mended by solving again for so long; beyond
it, inserting its plans one by one is the better use of the time."""


@dataclass(frozen=True)
class Choice:
    """The master's proposal and what it proves.

    `chosen` is None if no set is left. `bound` is an upper bound on the weight, or
    (second objective) a lower bound on the secondary cost. Unless `finished`, time was
    short: a better set may exist, and a known conflict may exclude this one.
    """

    chosen: PlanSet | None
    bound: int
    finished: bool
    gave_up: bool = False
    """Not finished, although there was time: asking again is no use."""


def heaviest_set(
    weights: Sequence[int],
    cuts: Cuts,
    deadline: Deadline,
    seed: int = 0,
    start: PlanSet | None = None,
) -> Choice:
    """The heaviest set of plans outside all conflicts; `start` is one to begin with."""
    model = _model(cuts)
    weighing = Weighing(model, list(enumerate(weights)))
    first = None
    if start is not None:
        first = weighing.start([float(plan in start) for plan in range(cuts.size)])
    started = time.monotonic()

    def solve(known: list[float] | None) -> Outcome:
        point = first if known is None else known
        return _solve(model, cuts, deadline, seed, gap=0.5, start=point, patience_s=_PATIENCE_S)

    outcome, bound = weighing.largest(solve)
    finished = outcome.status is Status.OPTIMAL
    gave_up = not finished and stopped_early(started, deadline)
    return Choice(_chosen(outcome, cuts), bound, finished, gave_up)


def stopped_early(started: float, deadline: Deadline) -> bool:
    """Whether a solver that has not finished had time left, and was not told to stop."""
    return not deadline.is_over and time.monotonic() < started + _PATIENCE_S


def cheapest_set(
    weights: Sequence[int],
    cuts: Cuts,
    conflicts: Iterable[Conflict],
    required_weight: int,
    floor_value: int,
    deadline: Deadline,
    seed: int = 0,
) -> Choice:
    """The set of the required weight whose known secondary bound is least.

    A set costs at least the largest of the bounds that it does not escape. So only their order
    matters, and theta counts their ranks: bounds may be large, and solvers count small numbers
    exactly.
    """
    model = _model(cuts)
    indicators = _Indicators(model, cuts.pairs)
    theta = model.add_column(0, objective=1)
    weighing = Weighing(model, list(enumerate(weights)))
    weighing.require(required_weight)
    lifting = [(c.classes, c.secondary) for c in conflicts if c.secondary is not None]
    values = sorted({floor_value, *(value for _, value in lifting if value > floor_value)})
    rank = {value: place for place, value in enumerate(values)}
    for classes, value in lifting:
        if value <= floor_value:
            continue
        lift = float(rank[value])
        columns = [indicators.of(members) for members in classes]
        line = {theta: -1.0}
        for column in columns:
            line[column] = line.get(column, 0.0) + lift
        model.add_row(line, upper=lift * (len(columns) - 1))
    outcome = _solve(model, cuts, deadline, seed, gap=1e-3)
    if outcome.status is Status.INFEASIBLE:
        return Choice(None, floor_value, True)
    place = max(0, ceil(outcome.bound - 1e-2)) if isfinite(outcome.bound) else 0
    bound = values[min(place, len(values) - 1)]
    if outcome.values is not None and weighing.of(outcome.values) < required_weight:
        return Choice(None, bound, False)  # the solver is wrong about its own point
    return Choice(_chosen(outcome, cuts), bound, outcome.status is Status.OPTIMAL)


def preferred_set(
    weights: Sequence[int],
    preferences: Sequence[int],
    cuts: Cuts,
    required_weight: int,
    deadline: Deadline,
) -> PlanSet | None:
    """The set of the required weight with the largest sum of preferences; None: not known."""
    model = _model(cuts)
    model.objective = [float(-preference) for preference in preferences]
    weighing = Weighing(model, list(enumerate(weights)))
    weighing.require(required_weight)
    outcome = _solve(model, cuts, deadline, gap=0.5)
    if outcome.status is not Status.OPTIMAL or outcome.values is None:
        return None
    return _chosen(outcome, cuts) if weighing.of(outcome.values) >= required_weight else None


def _model(cuts: Cuts) -> Model:
    """One column for each plan, by its number."""
    model = Model()
    for plan in range(cuts.size):
        model.add_column(0, 0 if plan in cuts.hopeless else 1, integer=True)
    return model


def _solve(
    model: Model,
    cuts: Cuts,
    deadline: Deadline,
    seed: int = 0,
    *,
    gap: float,
    start: list[float] | None = None,
    patience_s: float | None = None,
) -> Outcome:
    """Solve the program until its answer breaks no known conflict, or that takes long.

    The bound is the best of all solves, since each proves one.
    """
    started = time.monotonic()
    bound = -inf
    new = list(cuts.found)
    while True:
        for coefficients, most in new:
            line = {plan: float(coefficient) for plan, coefficient in coefficients}
            model.add_row(line, upper=float(most))
        outcome = highs.solve(
            model, time_limit_s=deadline.remaining(), seed=seed, gap=gap, start=start
        )
        bound = max(bound, outcome.bound)
        outcome = replace(outcome, bound=bound)
        if outcome.status is not Status.OPTIMAL or outcome.values is None:
            return outcome
        new = cuts.separate(np.round(outcome.values[: cuts.size]))
        if not new:
            return outcome
        if patience_s is not None and time.monotonic() > started + patience_s:
            return replace(outcome, status=Status.STOPPED)


def _chosen(outcome: Outcome, cuts: Cuts) -> PlanSet | None:
    if outcome.values is None:
        return None
    return frozenset(plan for plan in range(cuts.size) if outcome.values[plan] > 0.5)


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

"""The master problem: the heaviest set of plans that no known conflict excludes.

A conflict has classes of plans and forbids one from every class. With u_c = 1 if
any plan of class c is chosen it reads ``sum(u_c) <= classes - 1``: one inequality for
a whole product of conflicts. For the second objective a conflict with a secondary
cost lifts theta, the secondary cost of the chosen set, instead of forbidding it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, isfinite

from plancost.clock import Deadline
from plancost.learning.cliques import PairGraph
from plancost.learning.plan_sets import Conflict
from plancost.learning.task import PlanSet
from plancost.solver import highs
from plancost.solver.model import Model, Status


@dataclass(frozen=True)
class Choice:
    """The master's proposal and what it proves.

    `chosen` is None if no set is left. `bound` is an upper bound on the weight, or
    (second objective) a lower bound on the secondary cost.
    """

    chosen: PlanSet | None
    bound: int
    finished: bool


def heaviest_set(
    weights: Sequence[int],
    conflicts: Sequence[Conflict],
    deadline: Deadline,
    seed: int = 0,
    start: PlanSet | None = None,
) -> Choice:
    """The heaviest set of plans outside all conflicts; `start` is one to begin with."""
    model, plans, indicators = _model(weights, conflicts)
    for column, weight in zip(plans, weights, strict=True):
        model.objective[column] = float(-weight)
    outcome = highs.solve(
        model,
        time_limit_s=deadline.remaining(),
        seed=seed,
        gap=0.5,
        start=None if start is None else _point(model, plans, indicators, start),
    )
    total = sum(weights)
    bound = min(total, floor(-outcome.bound + 1e-6)) if isfinite(outcome.bound) else total
    chosen = None if outcome.values is None else _chosen(outcome.values, plans)
    return Choice(chosen, bound, outcome.status is Status.OPTIMAL)


def cheapest_set(
    weights: Sequence[int],
    conflicts: Sequence[Conflict],
    required_weight: int,
    floor_value: int,
    deadline: Deadline,
    seed: int = 0,
) -> Choice:
    """The set of the required weight whose known secondary bound is least."""
    model, plans, indicators = _model(weights, conflicts)
    theta = model.add_column(0, objective=1)
    model.add_row(
        {column: float(weight) for column, weight in zip(plans, weights, strict=True)},
        lower=float(required_weight),
    )
    for conflict in conflicts:
        if conflict.secondary is None or conflict.secondary <= floor_value:
            continue
        lift = float(conflict.secondary - floor_value)
        columns = [indicators.of(members) for members in conflict.classes]
        line = {theta: -1.0}
        for column in columns:
            line[column] = line.get(column, 0.0) + lift
        model.add_row(line, upper=lift * (len(columns) - 1))
    outcome = highs.solve(model, time_limit_s=deadline.remaining(), seed=seed, gap=1e-3)
    if outcome.status is Status.INFEASIBLE:
        return Choice(None, floor_value, True)
    bound = floor_value
    if isfinite(outcome.bound):
        bound += max(0, ceil(outcome.bound - 1e-2))
    chosen = None if outcome.values is None else _chosen(outcome.values, plans)
    return Choice(chosen, bound, outcome.status is Status.OPTIMAL)


class _Indicators:
    """Columns that are 1 as soon as one plan of a class is chosen."""

    def __init__(self, model: Model, plans: Sequence[int], pairs: PairGraph) -> None:
        self._model = model
        self._plans = plans
        self._pairs = pairs
        self.columns: dict[PlanSet, int] = {}

    def of(self, members: PlanSet) -> int:
        if len(members) == 1:
            return self._plans[next(iter(members))]
        column = self.columns.get(members)
        if column is None:
            column = self._model.add_column(0, 1, integer=True)
            for clique in self._pairs.partition(members):
                line = {self._plans[plan]: 1.0 for plan in clique}
                self._model.add_row({**line, column: -1.0}, upper=0.0)
            self.columns[members] = column
        return column


def _model(
    weights: Sequence[int], conflicts: Sequence[Conflict]
) -> tuple[Model, list[int], _Indicators]:
    model = Model()
    plans = [model.add_column(0, 1, integer=True) for _ in weights]
    pairs = PairGraph(len(plans), conflicts)
    indicators = _Indicators(model, plans, pairs)
    for clique in pairs.cover():
        model.add_row({plans[plan]: 1.0 for plan in clique}, upper=1.0)
    for conflict in conflicts:
        if conflict.secondary is not None:
            continue
        columns = {indicators.of(members) for members in conflict.classes}
        model.add_row(dict.fromkeys(sorted(columns), 1.0), upper=float(len(columns) - 1))
    return model, plans, indicators


def _point(
    model: Model, plans: Sequence[int], indicators: _Indicators, chosen: PlanSet
) -> list[float]:
    """A set of plans as a solution of the model."""
    values = [0.0] * len(model.lower)
    for number in chosen:
        values[plans[number]] = 1.0
    for members, column in indicators.columns.items():
        values[column] = float(not members.isdisjoint(chosen))
    return values


def _chosen(values: Sequence[float], plans: Sequence[int]) -> PlanSet:
    return frozenset(number for number, column in enumerate(plans) if values[column] > 0.5)


def preferred_set(
    weights: Sequence[int],
    preferences: Sequence[int],
    conflicts: Sequence[Conflict],
    required_weight: int,
    deadline: Deadline,
) -> PlanSet | None:
    """The set of the required weight with the largest sum of preferences; None: not known."""
    model, plans, _ = _model(weights, conflicts)
    for column, preference in zip(plans, preferences, strict=True):
        model.objective[column] = float(-preference)
    model.add_row(
        {column: float(weight) for column, weight in zip(plans, weights, strict=True)},
        lower=float(required_weight),
    )
    outcome = highs.solve(model, time_limit_s=deadline.remaining(), gap=0.5)
    if outcome.status is not Status.OPTIMAL or outcome.values is None:
        return None
    return _chosen(outcome.values, plans)

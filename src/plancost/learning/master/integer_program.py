"""The master problem: the best set of plans that no known conflict excludes.

An integer program with one column for each plan, over the known inequalities: those that
the relaxation needed, and then those that a proposal breaks, until one breaks none. For the
second objective a conflict with a secondary cost lifts theta, the secondary cost of the
chosen set, instead of forbidding it: with u_c = 1 if any plan of class c is chosen, it
reads ``theta >= lift * (sum(u_c) - classes + 1)``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, isfinite

from plancost.learning.master.cliques import PairGraph
from plancost.learning.master.inequalities import Inequalities
from plancost.learning.master.lazy_program import Choice, LazyProgram, only
from plancost.learning.problem.task import PlanSet
from plancost.learning.subproblem.conflict import Conflict
from plancost.solver.model import Model, Status
from plancost.system.clock import Deadline


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
    found = LazyProgram(model, inequalities).heaviest(sum(weights), deadline, seed, point)
    return Choice(only(found.chosen), found.bound, found.finished, found.gave_up)


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
    program = LazyProgram(model, inequalities)
    outcome = program.solve(deadline, seed, gap=1e-3)
    if outcome.status is Status.INFEASIBLE:
        return Choice(None, floor_value, True)
    bound = floor_value
    if isfinite(outcome.bound):
        bound += max(0, ceil(outcome.bound - 1e-2))
    return Choice(only(program.chosen(outcome)), bound, outcome.status is Status.OPTIMAL)


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
    program = LazyProgram(model, inequalities)
    outcome = program.solve(deadline, gap=0.5)
    return only(program.chosen(outcome)) if outcome.status is Status.OPTIMAL else None


def _model(inequalities: Inequalities) -> Model:
    """One column for each plan, by its number."""
    model = Model()
    for plan in range(inequalities.size):
        model.add_column(0, 0 if plan in inequalities.infeasible_alone else 1, integer=True)
    return model


def _require(model: Model, weights: Sequence[int], required: int) -> None:
    model.add_row({plan: float(weight) for plan, weight in enumerate(weights)}, lower=required)


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

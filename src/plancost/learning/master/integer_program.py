"""The master problem: the best set of plans that no known conflict excludes.

An integer program with one column for each plan, over the known inequalities: those that
the relaxation needed, and then those that a proposal breaks, until one breaks none. For the
second objective a conflict with a secondary cost lifts theta, which stands for the secondary cost
of the chosen set, instead of forbidding it: with u_c = 1 if any plan of class c is chosen, it
reads ``theta >= lift * (sum(u_c) - classes + 1)``. Sums of weights are exact (`weighing`).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, isfinite
from typing import NamedTuple

from plancost.learning.master.cliques import PairGraph, Values
from plancost.learning.master.inequalities import Inequalities
from plancost.learning.master.lazy_program import Choice, LazyProgram, only
from plancost.learning.master.weighing import Weighing
from plancost.learning.problem.task import PlanSet
from plancost.solver.model import Model, Status
from plancost.system.clock import Deadline

Lift = tuple[tuple[PlanSet, ...], int]
"""Every set with a plan of each class has at least this secondary cost."""


class SecondaryBounds(NamedTuple):
    """What is known of secondary costs: that of every set is at least the floor."""

    floor: int
    lifts: Sequence[Lift]


def heaviest_set(
    weights: Sequence[int],
    inequalities: Inequalities,
    deadline: Deadline,
    seed: int = 0,
    start: PlanSet | None = None,
    near: Values | None = None,
) -> Choice[PlanSet]:
    """The heaviest set of plans outside all conflicts; `start` is one to begin with.

    `near` is the relaxation's optimum, where the inequalities are that matter most.
    """
    model = model_of_sets(inequalities)
    weighing = Weighing(model, list(enumerate(weights)))
    point = None if start is None else [float(plan in start) for plan in range(inequalities.size)]
    program = LazyProgram(model, inequalities, near=near)
    found = program.heaviest(weighing, deadline, seed, point)
    return Choice(only(found.chosen), found.bound, found.finished, found.gave_up)


def cheapest_set(
    weights: Sequence[int],
    required_weight: int,
    inequalities: Inequalities,
    known: SecondaryBounds,
    deadline: Deadline,
    seed: int = 0,
) -> Choice[PlanSet]:
    """The set of the required weight whose known secondary bound is least.

    A set costs at least the largest of the bounds that it does not escape. So only their order
    matters, and theta counts their ranks: bounds may be large, and solvers count small numbers
    exactly.
    """
    model = model_of_sets(inequalities)
    indicators = Indicators(model, inequalities.pairs)
    theta = model.add_column(0, objective=1)
    weighing = Weighing(model, list(enumerate(weights)))
    weighing.require(required_weight)
    lifts = [(classes, value) for classes, value in known.lifts if value > known.floor]
    values = sorted({known.floor, *(value for _, value in lifts)})
    rank = {value: place for place, value in enumerate(values)}
    for classes, value in lifts:
        lift = float(rank[value])
        columns = [indicators.of(members) for members in classes]
        line = {theta: -1.0}
        for column in columns:
            line[column] = line.get(column, 0.0) + lift
        model.add_row(line, upper=lift * (len(columns) - 1))
    program = LazyProgram(model, inequalities)
    outcome = program.solve(deadline, seed, gap=1e-3)
    if outcome.status is Status.INFEASIBLE:
        return Choice(None, known.floor, True)
    place = max(0, ceil(outcome.bound - 1e-2)) if isfinite(outcome.bound) else 0
    bound = values[min(place, len(values) - 1)]
    if outcome.values is not None and weighing.of(outcome.values) < required_weight:
        return Choice(None, bound, False)  # the solver is wrong about its own point
    return Choice(only(program.chosen(outcome)), bound, outcome.status is Status.OPTIMAL)


def model_of_sets(inequalities: Inequalities) -> Model:
    """One column for each plan, by its number."""
    model = Model()
    for plan in range(inequalities.size):
        model.add_column(0, 0 if plan in inequalities.infeasible_alone else 1, integer=True)
    return model


class Indicators:
    """Columns that are 1 as soon as one plan of a class is chosen."""

    def __init__(self, model: Model, pairs: PairGraph) -> None:
        self._model = model
        self._pairs = pairs
        self._columns: dict[PlanSet, int] = {}

    def of(self, members: PlanSet) -> int:
        """The column of a class; that of the plan itself, if there is one only."""
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

"""The sets of plans and their costs in one integer program: which set can have the least costs?

Columns are the plans, 0 or 1, and the costs, which need not be whole numbers. A row over costs that
every set of the required weight has is a row of the program. A row that only some sets have is
switched off unless one of its inducing plans is chosen::

    coefficients . costs + margin <= M * (1 - u),    u >= x of each inducing plan

M is the most that the left side can be under the rows that all sets have and within the budget for
the secondary cost: one linear program each, from the last basis. Where it has no such limit, the
row is left out, and the program bounds a little less. So the optimum is a lower bound for every set
of that weight, and the set that attains it is the one to examine next: its linear program either
confirms the bound or finds rows that were not known.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, inf, isfinite
from typing import NamedTuple

from plancost.learning.master.inequalities import Inequalities
from plancost.learning.master.integer_program import Indicators, Lift, model_of_sets
from plancost.learning.master.lazy_program import Choice, LazyProgram, only
from plancost.learning.master.weighing import Weighing
from plancost.learning.problem.rows import Row
from plancost.learning.problem.task import LearningTask, PlanSet
from plancost.learning.subproblem.cost_columns import CostColumns
from plancost.solver.default import new_lp
from plancost.solver.model import Model, Outcome, Status
from plancost.system.clock import Deadline

LARGEST = 10**5
"""A row that can be broken by more is left out: solvers keep to large numbers only roughly."""
_TOLERANCE = 1e-6
_LEAST_GAP = 1e-3


class RowOfSets(NamedTuple):
    """A row that holds for all sets with one of some plans."""

    row: Row
    inducing: PlanSet
    most: float
    """By how much costs of other sets can break it at most."""


@dataclass(frozen=True)
class CostProgram:
    """What is known of the costs of all sets of plans of the required weight.

    `always` are rows that every such set has, `sometimes` those of some sets, and `necessary` are
    classes of plans of which it has one each. Only sets whose secondary cost is within the `budget`
    are looked for.
    """

    task: LearningTask
    inequalities: Inequalities
    required_weight: int
    always: Sequence[Row]
    sometimes: Sequence[RowOfSets]
    necessary: Sequence[PlanSet]
    lifts: Sequence[Lift]
    budget: int

    def cheapest(self, deadline: Deadline, seed: int = 0) -> Choice[PlanSet]:
        """The set whose known rows cost least, and a bound on the secondary cost of every set.

        Finished without a set: none is within the budget.
        """
        model, weighing = self._model()
        outcome, chosen = self._solve(model, weighing, deadline, seed)
        if outcome.status is Status.INFEASIBLE:
            return Choice(None, self.budget + 1, True)
        bound = self.task.secondary_floor
        if isfinite(outcome.bound):
            above = outcome.bound - max(_LEAST_GAP, _TOLERANCE * abs(outcome.bound))
            bound = max(bound, ceil(above) + self.task.objective.at_origin)
        finished = outcome.status is Status.OPTIMAL and chosen is not None
        return Choice(chosen, min(bound, self.budget + 1), finished)

    def preferred(self, preferences: Sequence[int], deadline: Deadline) -> PlanSet | None:
        """The set within the budget with the largest sum of preferences; None: not known."""
        model, weighing = self._model()
        liked = [float(-preference) for preference in preferences]
        model.objective = [*liked, *[0.0] * (len(model.lower) - len(liked))]
        outcome, chosen = self._solve(model, weighing, deadline, 0, gap=0.5)
        return chosen if outcome.status is Status.OPTIMAL else None

    def _solve(
        self,
        model: Model,
        weighing: Weighing,
        deadline: Deadline,
        seed: int,
        gap: float = _LEAST_GAP,
    ) -> tuple[Outcome, PlanSet | None]:
        program = LazyProgram(model, self.inequalities)
        outcome = program.solve(deadline, seed, gap=gap)
        wrong = outcome.values is not None and weighing.of(outcome.values) < self.required_weight
        return outcome, None if wrong else only(program.chosen(outcome))

    def _model(self) -> tuple[Model, Weighing]:
        model = model_of_sets(self.inequalities)
        indicators = Indicators(model, self.inequalities.pairs)
        columns = CostColumns(self.task, range(len(self.task.parameters)))
        first = len(model.lower)
        for _, _, slope, most in columns.columns:
            model.add_column(0.0, most, objective=float(slope))
        for row in self.always:
            line, limit = columns.translate(row[0], -row[1])
            model.add_row(_moved(line, first), upper=limit)
        for row, members, most in self.sometimes:
            if 0 < most <= LARGEST:
                line, limit = columns.translate(row[0], -row[1])
                switched = {**_moved(line, first), indicators.of(members): most}
                model.add_row(switched, upper=limit + most)
        for members in self.necessary:
            model.add_row(dict.fromkeys(members, 1.0), lower=1.0)
        slopes = {first + n: float(column.slope) for n, column in enumerate(columns.columns)}
        model.add_row(slopes, upper=float(self.budget - self.task.objective.at_origin))
        for classes, value in self.lifts:
            self._lift(model, indicators, slopes, classes, value)
        weights = [candidate.weight for candidate in self.task.candidates]
        weighing = Weighing(model, list(enumerate(weights)))
        weighing.require(self.required_weight)
        return model, weighing

    def _lift(
        self,
        model: Model,
        indicators: Indicators,
        slopes: dict[int, float],
        classes: Iterable[PlanSet],
        value: int,
    ) -> None:
        """The secondary cost is at least that, less what each class without a plan may save."""
        saved = float(value - self.task.secondary_floor)
        if not 0 < saved <= LARGEST:
            return
        line = dict(slopes)
        count = 0
        for members in classes:
            column = indicators.of(members)
            line[column] = line.get(column, 0.0) - saved
            count += 1
        model.add_row(line, lower=value - self.task.objective.at_origin - saved * count)


def most_violation(
    task: LearningTask,
    always: Sequence[Row],
    rows: Sequence[Row],
    budget: int,
    deadline: Deadline,
) -> list[float]:
    """By how much costs within the budget can break each row at most; infinite if not known."""
    columns = CostColumns(task, range(len(task.parameters)))
    program = new_lp()
    for column in columns.columns:
        program.add_column(0.0, column.most)
    broken = program.add_column(0.0, float(LARGEST + 1), objective=-1.0)
    for row in always:
        line, limit = columns.translate(row[0], -row[1])
        program.add_row(line, limit)
    slopes = {number: float(column.slope) for number, column in enumerate(columns.columns)}
    program.add_row(slopes, float(budget - task.objective.at_origin))
    found: list[float] = []
    for row in rows:
        line, limit = columns.translate(row[0], -row[1])
        opposite = {column: -value for column, value in line.items()}
        place = program.add_row({**opposite, broken: 1.0}, -limit)
        solution = program.solve(deadline.remaining())
        program.change_row_bound(place, inf)
        if solution.status is Status.STOPPED:
            break
        if solution.status is Status.INFEASIBLE:
            found.append(0.0)  # all costs within the budget satisfy it with room to spare
        else:
            found.append(float(ceil(-solution.objective * (1 + _TOLERANCE) + _TOLERANCE)))
    return [*found, *[inf] * (len(rows) - len(found))]


def _moved(line: dict[int, float], by: int) -> dict[int, float]:
    return {column + by: value for column, value in line.items()}

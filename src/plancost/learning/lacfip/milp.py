"""The paper's MILPs (its Section 4 and Appendix B), in a tighter form.

Columns: x_j = 1 if plan j is to be optimal; y_a, the cost of action a; in
refinement d_a >= \\|y_a - C̄_a\\|. For each alternative of plan j one row

    sum(y over plan \\ alternative) + margin <= sum(y over alternative \\ plan) + M (1 - x_j)

The paper has a binary z for each alternative as well; x_j alone does the same work,
since z enters only through "all z of j are 1 if x_j is". And where the paper has
one huge M, each row here has the least that works: the plan's side at its most
(every cost at the cap U) against the alternative's at its least (every cost 1).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from plancost.learning.master.weighing import Weighing, common_unit
from plancost.learning.problem.rows import Row
from plancost.learning.problem.task import Costs, LearningTask, PlanSet
from plancost.solver.model import Model


@dataclass(frozen=True)
class Formulation:
    """A model and where its columns are."""

    model: Model
    plan_columns: tuple[int, ...]
    cost_columns: dict[int, int]
    """For each relevant action its column."""
    deviation_columns: dict[int, int]
    """In the second MILP of refinement, for each of them the column of its distance from C̄."""

    def costs(self, values: Sequence[float], task: LearningTask) -> tuple[int, ...]:
        """The integer costs of a solution; other actions get their baseline."""
        found = list(task.baseline)
        for action, column in self.cost_columns.items():
            found[action] = max(1, round(values[column]))
        return tuple(found)

    def start(self, chosen: PlanSet, costs: Costs, task: LearningTask) -> list[float] | None:
        """An answer that is known as values of the columns; None if it does not fit in."""
        model = self.model
        if len(model.lower) > sum(
            map(len, (self.plan_columns, self.cost_columns, self.deviation_columns))
        ):
            return None  # with columns for large weights
        values = [0.0] * len(model.lower)
        for number in chosen:
            values[self.plan_columns[number]] = 1.0
        for action, column in self.cost_columns.items():
            values[column] = float(costs[action])
        for action, column in self.deviation_columns.items():
            initial = (task.initial_costs or costs)[action]
            values[column] = float(abs(costs[action] - initial))
        fits = all(value <= upper for value, upper in zip(values, model.upper, strict=True))
        return values if fits else None


def formulate(
    task: LearningTask,
    rows: Sequence[Iterable[Row]],
    infeasible_alone: Sequence[bool],
    caps: Mapping[int, int],
    *,
    required_weight: int | None,
) -> Formulation:
    """Build the first MILP, or the second if a number of optimal plans is required.

    `rows[j]` are the rows of candidate j, `caps` the largest cost of each relevant
    action. The first MILP maximises the plans that are optimal, the second
    minimises the secondary cost with `required_weight` of them.
    """
    second = required_weight is not None
    unit = common_unit(candidate.weight for candidate in task.candidates)
    model = Model()
    plan_columns = tuple(
        model.add_column(
            0,
            0 if infeasible_alone[number] else 1,
            integer=True,
            objective=0 if second else -(candidate.weight // unit),
        )
        for number, candidate in enumerate(task.candidates)
    )
    cost_columns: dict[int, int] = {}
    deviation_columns: dict[int, int] = {}
    for action, cap in sorted(caps.items()):
        plain = second and task.initial_costs is None
        cost_columns[action] = model.add_column(1, cap, integer=True, objective=int(plain))
        if second and task.initial_costs is not None:
            initial = task.initial_costs[action]
            deviation_columns[action] = _add_deviation(model, cost_columns[action], initial)
    for plan_column, own_rows, lost in zip(plan_columns, rows, infeasible_alone, strict=True):
        if lost:
            continue
        for coefficients, margin in own_rows:
            big = margin + sum(
                coefficient * (caps[action] if coefficient > 0 else 1)
                for action, coefficient in coefficients
            )
            if big <= 0:
                continue
            line = {cost_columns[action]: float(c) for action, c in coefficients}
            line[plan_column] = float(big)
            model.add_row(line, upper=float(big - margin))
    if second:
        weights = [candidate.weight for candidate in task.candidates]
        Weighing(model, list(zip(plan_columns, weights, strict=True))).require(required_weight or 0)
    return Formulation(model, plan_columns, cost_columns, deviation_columns)


def _add_deviation(model: Model, cost_column: int, initial: int) -> int:
    deviation = model.add_column(0, objective=1)
    model.add_row({cost_column: 1.0, deviation: -1.0}, upper=float(initial))
    model.add_row({cost_column: -1.0, deviation: -1.0}, upper=float(-initial))
    return deviation

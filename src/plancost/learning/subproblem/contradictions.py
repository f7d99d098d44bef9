"""Known plan costs, or bounds of linear costs, that no costs can have: which are to blame?"""

from __future__ import annotations

from collections.abc import Sequence

from plancost.errors import InputError
from plancost.learning.problem.parameter_limits import BOUND
from plancost.learning.problem.plan_cost_constraints import PlanCostConstraint
from plancost.learning.problem.rows import Row
from plancost.learning.problem.task import LearningTask
from plancost.learning.subproblem.integer_costs import solve_integers
from plancost.system.clock import Deadline


class ContradictionError(InputError):
    """What is known contradicts itself; `plans` are the plan files of a minimal set, if any."""

    def __init__(self, message: str, plans: tuple[str, ...]) -> None:
        super().__init__(message)
        self.plans = plans


def contradiction(task: LearningTask, deadline: Deadline) -> ContradictionError:
    """The error that names a smallest set: without any one of its plans there are costs."""
    if not _fits(task, (), deadline):
        return _of_bounds(task, deadline)
    members = list(task.known)
    for item in task.known:
        rest = [other for other in members if other is not item]
        if not _fits(task, rest, deadline):
            members = rest
    observations = [task.case.observations[item.observation] for item in members]
    plans = tuple(str(observation.plan_file) for observation in observations)
    said = ", ".join(
        f"{observation.plan_file} ({observation.source.cost})" for observation in observations
    )
    within = "" if task.ranges is None else " within the bounds given"
    which = "the known cost of this plan is" if len(members) == 1 else "these known costs are"
    return ContradictionError(
        f"no whole-number costs of actions{within} fit what is known of plans: {which} "
        f"impossible{'' if len(members) == 1 else ' together'}: {said}; "
        "correct them, or add --cost-tolerance or --soft-costs",
        plans,
    )


def _of_bounds(task: LearningTask, deadline: Deadline) -> ContradictionError:
    """The error that names a smallest set of actions whose bounds no weights keep to."""
    names = {parts: task.case.actions[members[0]] for parts, members in task.structure.kinds}
    bounds = {row: None for row, kind in task.limit_rows.items() if kind == BOUND}
    others = [row for row in task.limit_rows if row not in bounds]
    for row in list(bounds):
        del bounds[row]
        if _exists(task, [*others, *bounds], deadline):
            bounds[row] = None
    actions = dict.fromkeys(
        names[tuple((parameter, abs(times)) for parameter, times in coefficients)]
        for coefficients, _ in bounds
    )
    return ContradictionError(
        "no whole-number weights of the linear costs keep to the bounds of "
        f"{', '.join(actions)}; change the bounds, or the features",
        (),
    )


def _fits(task: LearningTask, known: Sequence[PlanCostConstraint], deadline: Deadline) -> bool:
    """Whether some costs fit; True also if that is not known."""
    rows = [row for item in known for row in item.rows()]
    return _exists(task, [*rows, *task.limit_rows], deadline)


def _exists(task: LearningTask, rows: Sequence[Row], deadline: Deadline) -> bool:
    """Whether some costs satisfy rows; True also if that is not known."""
    actions = {action for coefficients, _ in rows for action, _ in coefficients}
    if any(task.least_excess(row) > 0 for row in rows):
        return False
    found = solve_integers(task, actions, rows, deadline)
    return found.costs is not None or not found.proven

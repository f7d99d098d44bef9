"""The feasibility subproblems of a run, with their separators and the rows known beforehand.

The *first* one is on the deciding actions: those that observed plans use, where all others can be
priced out. The *full* one is on all actions.
"""

from __future__ import annotations

from collections.abc import Sequence

from plancost.learning.exact.earlier_answers import take_up_rows
from plancost.learning.problem.cuts import cuts_of
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Run
from plancost.learning.separation.combined import build_separator
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.observations.planfile import Plan
from plancost.observations.redundancy import without_redundant_actions
from plancost.system.clock import Deadline

_MOST_OBSERVED_PAIRS = 2000
_MOST_PAIRS_ON_GRAPHS = 300
"""State graphs answer sooner than so many plans are tried without single steps."""


def first_subproblem(run: Run, task: LearningTask) -> Subproblem:
    """What decides which plans can be optimal together: the used actions alone.

    All actions, where unused ones cannot be priced out.
    """
    names = task.deciding_names if task.prices_out else None
    separator = build_separator(run, task, names)
    found = Subproblem(task, task.deciding_actions, separator, prices_out=task.prices_out)
    _add_observed_rows(found)
    take_up_rows(run, found)
    return found


def full_subproblem(
    run: Run,
    task: LearningTask,
    first: Subproblem | None = None,
    graphs_until: Deadline | None = None,
) -> Subproblem:
    """The same on all actions, for the second objective; begins with the cuts of the `first`."""
    separator = build_separator(run, task, None, graphs_until)
    found = Subproblem(task, range(len(task.parameters)), separator)
    if first is None:
        _add_observed_rows(found)
    else:
        for cut in first.cuts():
            found.add(cut)
    take_up_rows(run, found)
    return found


def add_plans(subproblem: Subproblem, plans: Sequence[Sequence[Plan]]) -> None:
    """Rows of plans of each task that are known before any search for them."""
    for members, known in zip(subproblem.task.candidates_of_task, plans, strict=False):
        for member in members:
            for cut in cuts_of(subproblem.task, member, known):
                subproblem.add(cut)


def _add_observed_rows(subproblem: Subproblem) -> None:
    """Plans observed on one task are alternatives of each other, and parts of them too.

    This only saves the separator the first few questions; with very many plans the rows
    would be more than they are worth.
    """
    task = subproblem.task
    on_graphs = subproblem.separator.graphs() is not None
    most = _MOST_PAIRS_ON_GRAPHS if on_graphs else _MOST_OBSERVED_PAIRS
    if sum(len(members) ** 2 for members in task.candidates_of_task) > most:
        return
    for members in task.candidates_of_task:
        for number in members:
            candidate = task.candidates[number]
            plans = [task.candidates[other].plan for other in members]
            sas = task.case.tasks[candidate.task].sas
            plans.append(without_redundant_actions(sas, candidate.plan))
            for cut in cuts_of(task, number, plans):
                subproblem.add(cut)

"""The strategy of the paper: alternatives from a top-k planner, then LACFIP^k."""

from __future__ import annotations

import logging

from plancost.learning.incumbent import Incumbent
from plancost.learning.lacfip.algorithm import Solve, lacfip
from plancost.learning.lacfip.row_generation import learn_from_rows
from plancost.learning.problem.concept import Reorderings
from plancost.learning.problem.options import LearnOptions, SolverName
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Run
from plancost.learning.separation.top_k import failures_in, find_all_alternatives
from plancost.learning.verify.verification import allowed_plans
from plancost.observations.orderings import other_ordering
from plancost.observations.planfile import Plan
from plancost.solver import cbc, highs
from plancost.solver.model import Model, Outcome
from plancost.system.schedule import SCHEDULE

_log = logging.getLogger(__name__)


def learn_from_alternatives(run: Run, task: LearningTask, incumbent: Incumbent) -> None:
    """Improve the incumbent with the k cheapest plans of each task."""
    found = find_all_alternatives(run.share(SCHEDULE.listing), task)
    run.stopwatch.lap("planner")
    incumbent.failures += failures_in(found)
    unfinished = sum(not item.finished for item in found)
    listed = sum(len(item.plans) for item in found)
    _log.info("%d plans listed for %d tasks, %d unfinished", listed, len(found), unfinished)
    if unfinished:
        incumbent.notes.append(
            f"the planner did not finish on {unfinished} of {len(found)} tasks; "
            "the plans that it had found were used"
        )
    incumbent.facts |= {
        "alternatives_complete": all(item.complete for item in found),
        "alternatives_found": listed,
    }
    run.progress("solving", 0, 2, "first objective")
    with run.lap("milp"):
        alternatives = [
            (*item.plans, *_observed(task, number), *_other_orderings(task, number))
            for number, item in enumerate(found)
        ]
        progress = run.progress_of("solving")
        if run.options.solver is SolverName.HIGHS:
            seed = run.options.seed
            learn_from_rows(incumbent, alternatives, run.deadline, seed, progress)
        else:
            lacfip(incumbent, alternatives, _solver(run.options), run.deadline, progress)
    known = f"{incumbent.weight} believed optimal, at most {incumbent.upper_bound}"
    _log.info("listed plans: %s%s", known, "" if incumbent.facts["milp_finished"] else ", stopped")
    run.progress("solving", 2, 2, known)


def _observed(task: LearningTask, number: int) -> list[Plan]:
    """The observed plans of a task, which are alternatives of each other."""
    return [task.candidates[member].plan for member in task.candidates_of_task[number]]


def _other_orderings(task: LearningTask, number: int) -> list[Plan]:
    """Orderings of the observed plans, where they count as alternatives.

    The planner gives only one ordering of the same actions, perhaps the observed one.
    """
    if not task.concept.is_strict or task.concept.reorderings is Reorderings.SAME:
        return []
    found = []
    for candidate in map(task.candidates.__getitem__, task.candidates_of_task[number]):
        allowed = allowed_plans(task, number, candidate.plan)
        other = other_ordering(task.case.tasks[number].sas, candidate.plan, allowed.plans)
        if other.plan is not None:
            found.append(other.plan)
    return found


def _solver(options: LearnOptions) -> Solve:
    def solve(model: Model, time_limit_s: float | None, start: list[float] | None) -> Outcome:
        if options.solver is SolverName.CBC:
            return cbc.solve(model, time_limit_s=time_limit_s)
        return highs.solve(model, time_limit_s=time_limit_s, seed=options.seed, start=start)

    return solve

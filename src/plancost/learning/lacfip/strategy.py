"""The strategy of the paper: alternatives from a top-k planner, then LACFIP^k."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from functools import partial

from plancost.errors import PlannerError
from plancost.learning.incumbent import Incumbent
from plancost.learning.lacfip.algorithm import Solve, lacfip
from plancost.learning.problem.concept import Reorderings
from plancost.learning.problem.options import LearnOptions, SolverName
from plancost.learning.problem.task import LearningTask
from plancost.learning.verify.verification import allowed_plans
from plancost.observations.orderings import other_ordering
from plancost.observations.planfile import Plan
from plancost.oracles.alternatives import Alternatives, find_alternatives
from plancost.oracles.cache import PlanCache, default_directory
from plancost.oracles.search import Verdict
from plancost.solver import cbc, highs
from plancost.solver.model import Model, Outcome
from plancost.system.clock import Deadline, Stopwatch
from plancost.system.executors import Executor, LocalExecutor
from plancost.system.progress import Progress
from plancost.system.schedule import SCHEDULE
from plancost.system.workers import Workers

_log = logging.getLogger(__name__)


def learn_from_alternatives(
    task: LearningTask,
    options: LearnOptions,
    deadline: Deadline,
    answer: Incumbent,
    stopwatch: Stopwatch,
    progress: Progress,
    executor: Executor | None = None,
) -> None:
    """Improve the answer with the k cheapest plans of each task."""
    planner_deadline = deadline.share(SCHEDULE.listing)
    found = find_all_alternatives(task, options, planner_deadline, progress, executor)
    stopwatch.lap("planner")
    answer.failures += failures_in(found)
    unfinished = sum(not item.finished for item in found)
    listed = sum(len(item.plans) for item in found)
    _log.info("%d plans listed for %d tasks, %d unfinished", listed, len(found), unfinished)
    if unfinished:
        answer.notes.append(
            f"the planner did not finish on {unfinished} of {len(found)} tasks; "
            "the plans that it had found were used"
        )
    progress("solving", 0, 2, "first objective")
    try:
        alternatives = [
            (*item.plans, *_observed(task, number), *_other_orderings(task, number))
            for number, item in enumerate(found)
        ]
        learned = lacfip(
            task, alternatives, _solver(options), deadline, partial(progress, "solving")
        )
    finally:
        stopwatch.lap("milp")
    answer.costs = learned.costs
    answer.believed = task.weight(learned.believed)
    answer.upper_bound = min(answer.upper_bound, learned.upper_bound)
    answer.secondary_bound = learned.secondary_bound
    answer.conflicts = list(learned.conflicts)
    answer.facts |= {
        "cost_cap": learned.cost_cap,
        "milp_finished": learned.finished,
        "alternatives_complete": all(item.complete for item in found),
        "alternatives_found": sum(len(item.plans) for item in found),
    }
    known = f"{answer.believed} believed optimal, at most {learned.upper_bound}"
    _log.info("MILPs: %s%s", known, "" if learned.finished else ", stopped")
    progress("solving", 2, 2, known)


def find_all_alternatives(
    task: LearningTask,
    options: LearnOptions,
    deadline: Deadline,
    progress: Progress,
    executor: Executor | None = None,
) -> list[Alternatives]:
    """The k cheapest plans of every task, beside those that were observed."""
    case = task.case
    where = executor or LocalExecutor.within(options.jobs, options.memory)
    cache = PlanCache(default_directory() if options.use_cache else None)
    costs = task.named(task.baseline)

    def find(number: int) -> Alternatives:
        """Ask for k and as many more as were observed, so that k remain without those."""
        observed = {case.observations[m].plan for m in case.observations_of_task[number]}
        count = options.top_k_seed or options.alternative_count
        try:
            return find_alternatives(
                case.tasks[number],
                costs,
                None if count is None else count + len(observed),
                cache=cache,
                deadline=deadline,
                memory_mb=options.memory_limit_mb,
                executor=where,
            )
        except PlannerError as error:
            return Alternatives((), False, False, 0.0, Verdict.FAILED, str(error))

    found: list[Alternatives] = []
    progress("alternatives", 0, len(case.tasks))
    with Workers(where.width) as pool:
        for item in pool.map(find, range(len(case.tasks))):
            found.append(item)
            plans = sum(len(item.plans) for item in found)
            progress("alternatives", len(found), len(case.tasks), f"{plans} plans")
    return found


def failures_in(found: Iterable[Alternatives]) -> list[str]:
    """What planners failed with while they listed plans."""
    return [item.failure for item in found if item.failure is not None]


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
    def solve(model: Model, time_limit_s: float | None) -> Outcome:
        if options.solver is SolverName.CBC:
            return cbc.solve(model, time_limit_s=time_limit_s)
        return highs.solve(model, time_limit_s=time_limit_s, seed=options.seed)

    return solve

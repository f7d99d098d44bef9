"""The first objective of the exact strategy: from what is known to the most optimal plans.

`hitting_set` is the search. Here is what goes before and beside it: rows and answers that are known
already, an answer for some of the plans, an answer without factors, and worker processes.
"""

from __future__ import annotations

import logging
import time
from dataclasses import replace

import numpy as np

from plancost.errors import LimitError, SolverError
from plancost.learning.checkpoint.session import FIRST, Checkpoint
from plancost.learning.exact.by_parts import improve_by_parts, is_divisible
from plancost.learning.exact.earlier_answers import take_up_answers, take_up_proofs
from plancost.learning.exact.hitting_set import Beside, find_feasible_subset
from plancost.learning.exact.parallel import WorkerPool
from plancost.learning.exact.required_plans import take_required
from plancost.learning.exact.second_objective import SecondObjective
from plancost.learning.exact.subproblems import add_plans, first_subproblem
from plancost.learning.exact.waiting import Waiting, patience_of
from plancost.learning.incumbent import Incumbent
from plancost.learning.problem.options import OracleName
from plancost.learning.problem.task import Costs, LearningTask
from plancost.learning.run import Run
from plancost.learning.subproblem.conflict import Conflict, Possible
from plancost.learning.subproblem.contradictions import contradiction
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.system.clock import Deadline
from plancost.system.schedule import SCHEDULE

_log = logging.getLogger(__name__)

_LEAST_PLANS_FOR_WORKERS = 60
STOPPED = (
    "the first objective is not proven: neither the number of optimal plans nor its bound improved "
    "for {:.0f} s, so the run ended (--prove goes on)"
)


def pursue_first_objective(
    run: Run,
    task: LearningTask,
    incumbent: Incumbent,
    checkpoint: Checkpoint,
    second: SecondObjective,
) -> None:
    """Make as many plans optimal as possible, and prove how many that can be.

    Between two steps of the search, the second objective lowers the costs of what it has found.
    """
    run.progress("first objective", 0, task.case.plan_count, "building state graphs")
    began = time.monotonic()
    subproblem = incumbent.first = first_subproblem(run, task)
    second.graphs_s = time.monotonic() - began
    # Only what is made of actions that decide; the others are priced out.
    names = task.deciding_names
    add_plans(
        subproblem,
        [
            [plan for plan in plans if names.issuperset(plan)]
            for plans in run.valid_plans(task.case)
        ],
    )
    description = incumbent.facts["oracle_first_objective"] = subproblem.description
    _log.info("first objective: %s", description)
    if task.known or not task.admits(task.baseline):
        incumbent.only.costs = _costs_as_known(subproblem, run.deadline)
        subproblem.start = np.asarray(incumbent.costs, dtype=np.float64)
    incumbent.conflicts += [
        conflict for conflict in checkpoint.take_up(FIRST, subproblem) if conflict.secondary is None
    ]
    incumbent.conflicts += take_up_proofs(run, subproblem)
    incumbent.report = _Reporter(run, incumbent, checkpoint)
    on_graphs = subproblem.separator.graphs() is not None
    if _goes_by_parts(run, task) and not on_graphs:
        improve_by_parts(
            task,
            incumbent,
            lambda part, until: _on_graphs(run.until(until), part),
            run.deadline.share(SCHEDULE.parts),
        )
    kept = checkpoint.best(FIRST, subproblem, run.deadline)
    if kept is not None:
        incumbent.only.chosen, incumbent.only.costs = kept
    else:
        _begin_without_factors(run, subproblem, incumbent)
    take_required(subproblem, incumbent, run.deadline)
    resumed = take_up_answers(run, subproblem, incumbent) or kept is not None
    waiting = Waiting(patience_of(run))
    with _worker_pool(run, subproblem) as pool:
        find_feasible_subset(
            subproblem,
            incumbent,
            second.keep_up(),
            seed=run.options.seed,
            resumed=resumed,
            beside=Beside(pool, second.keep_up, waiting),
        )
    if waiting.is_over and not incumbent.proved:
        incumbent.notes.append(STOPPED.format(waiting.seconds))
    _conclude(task, incumbent, subproblem)


class _Reporter:
    """Tells of every improvement of the first objective: history, checkpoint, log, progress."""

    def __init__(self, run: Run, incumbent: Incumbent, checkpoint: Checkpoint) -> None:
        self._run = run
        self._incumbent = incumbent
        self._checkpoint = checkpoint
        self._claimed = 0

    def __call__(self) -> None:
        incumbent = self._incumbent
        best, bound = incumbent.plans, incumbent.most_plans
        seconds = self._checkpoint.seconds_before + self._run.stopwatch.seconds()["total"]
        incumbent.history.append((seconds, best, bound))
        if incumbent.weight > self._claimed:
            self._claimed = incumbent.weight
            self._checkpoint.note_best(FIRST, incumbent.chosen, incumbent.costs)
        gap = f", gap {100 * (bound - best) / best:.1f} %" if 0 < best < bound else ""
        words = f"{best} optimal, at most {bound}{gap}"
        _log.debug("first objective: %s", words)
        self._run.progress("first objective", best, bound, words)


def _goes_by_parts(run: Run, task: LearningTask) -> bool:
    """Whether answers for some of the plans are worth looking for where graphs do not fit."""
    return run.options.oracle is OracleName.AUTO and task.prices_out and is_divisible(task)


def _conclude(task: LearningTask, incumbent: Incumbent, subproblem: Subproblem) -> None:
    """Say what came out, and what of it rests on the solver's word."""
    incumbent.report = lambda: None
    _log.info(
        "first objective: %d of %d plans optimal, at most %d (%s), by %d conflicts over %d rows",
        incumbent.plans,
        task.case.plan_count,
        incumbent.most_plans,
        "proven" if incumbent.proved else "not proven",
        len(incumbent.conflicts),
        subproblem.row_count,
    )
    by_solver = sum(conflict.certificate is None for conflict in incumbent.conflicts)
    if by_solver:
        incumbent.facts["conflicts_by_solver"] = by_solver
        incumbent.notes.append(
            f"{by_solver} of {len(incumbent.conflicts)} conflicts rest on the solver's word that "
            "no whole numbers will do"
        )


def _begin_without_factors(run: Run, subproblem: Subproblem, incumbent: Incumbent) -> None:
    """Costs that make plans optimal are an answer for every factor, and are found sooner."""
    task = subproblem.task
    if task.factors is None:
        return
    plain = replace(task, factors=None)
    until = run.deadline.share(SCHEDULE.without_factors).within(SCHEDULE.without_factors_s)
    without = first_subproblem(run.until(until), plain)
    without.start = subproblem.start
    found = Incumbent.baseline(plain)
    found.only.costs = incumbent.costs
    find_feasible_subset(without, found, until, seed=run.options.seed)
    for said in without.failures:
        subproblem.failures.setdefault(said)
    # Copies of a plan with different factors are one candidate there and several here.
    chosen = frozenset(
        task.candidate_of_observation[member]
        for number in found.chosen
        for member in plain.candidates[number].observations
    )
    better = task.weight(chosen) > incumbent.weight
    if better and subproblem.check(found.costs, chosen, run.deadline):
        incumbent.improve((chosen, found.costs))
        _log.info("without factors: %d plans optimal", incumbent.weight)


def _on_graphs(run: Run, part: LearningTask) -> Incumbent | None:
    """The most plans of a part that can be optimal together, if their state graphs fit."""
    subproblem = first_subproblem(run.on(part.case), part)
    if subproblem.separator.graphs() is None:
        return None
    start = Incumbent.baseline(part)
    return find_feasible_subset(subproblem, start, run.deadline, seed=run.options.seed)


def _costs_as_known(subproblem: Subproblem, deadline: Deadline) -> Costs:
    """Costs that keep to what is known, whichever plans they make optimal."""
    answer = subproblem.decide(frozenset(), deadline)
    if isinstance(answer, Possible):
        return answer.costs
    if isinstance(answer, Conflict) and subproblem.task.most_deviation is None:
        raise contradiction(subproblem.task, deadline)
    if isinstance(answer, Conflict):
        raise SolverError("HiGHS does not find the costs of the least deviation again")
    raise LimitError("the time limit ended the search for costs that fit what is known")


def _worker_pool(run: Run, subproblem: Subproblem) -> WorkerPool:
    """Worker processes for the other cores, where the search takes longer than their start."""
    graphs = subproblem.separator.graphs()
    is_long = len(subproblem.task.candidates) >= _LEAST_PLANS_FOR_WORKERS
    # Rows of soft known costs are made up as they are needed, so they are not shared.
    alone = graphs is None or not is_long or subproblem.task.most_deviation is not None
    count = 0 if alone else run.options.jobs - 1
    return WorkerPool(subproblem, graphs or {}, count, run.options.memory)

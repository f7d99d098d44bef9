"""The library's front door: `learn`, `verify` and `explain`.

    observations -> oracles -> learning -> verified result

The functions return values and raise `plancost.errors`; they never print.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from plancost.clock import Deadline, Stopwatch
from plancost.errors import ClusterError, UsageError
from plancost.executors import Executor, LocalExecutor
from plancost.learning.answer import BestAnswer
from plancost.learning.check_oracle import oracle_for
from plancost.learning.exact import first_objective_sets, learn_exactly
from plancost.learning.explanations import Explanation
from plancost.learning.explanations import explain as explain_candidates
from plancost.learning.from_alternatives import learn_from_alternatives
from plancost.learning.options import BASELINE, EXACT, LearnOptions
from plancost.learning.plan_sets import PlanSets
from plancost.learning.ranges import Range, find_ranges
from plancost.learning.searchers import Searchers
from plancost.learning.task import Costs, LearningTask
from plancost.learning.verification import (
    Verdict,
    optimal_candidates,
    unchecked,
    verify_costs,
)
from plancost.observations.case import Case, load_case
from plancost.observations.cost_files import costs_for, initial_costs_from_pddl
from plancost.observations.planfile import Plan
from plancost.observations.replay import replay
from plancost.processes import Limits
from plancost.progress import Progress, no_progress
from plancost.results.assemble import assemble
from plancost.results.pddl_out import write_pddl
from plancost.results.result import Result

_LEARNING_SHARE = 0.8
"""The part of the time limit that learning may use; the rest is for checking."""
_AFTER_INTERRUPT_S = 10.0
"""How long checking may take after Ctrl-C."""
_EXPLAINING_S = 2.0
_EXPLAINING_SHARE = 0.25
"""Explaining may take so many seconds, or this part of the time that learning took."""


def learn(
    case: Path | Case,
    options: LearnOptions = LearnOptions(),  # noqa: B008 (frozen)
    *,
    domain: Path | None = None,
    progress: Progress = no_progress,
    known_plans: Mapping[str, Iterable[Plan]] | None = None,
) -> Result:
    """Learn one cost for each ground action so that most observed plans are optimal.

    `case` is a case folder, a CSV manifest (with `domain`), or a loaded case. After
    Ctrl-C the best answer so far is checked and returned with `interrupted` set.
    `known_plans` are other plans of tasks (by `Task.key`) that were met before: the exact
    learner begins with them, which changes the way and not the answer.
    """
    stopwatch = Stopwatch()
    deadline = Deadline.after(options.time_limit_s)
    with _executor(options) as executor:
        loaded = _load(case, domain, options, executor, deadline, progress)
        stopwatch.lap("grounding")
        known = known_plans or {}
        return _learn(loaded, options, executor, deadline, stopwatch, progress, known)


def _learn(
    case: Case,
    options: LearnOptions,
    executor: Executor,
    deadline: Deadline,
    stopwatch: Stopwatch,
    progress: Progress,
    known_plans: Mapping[str, Iterable[Plan]],
) -> Result:
    task = LearningTask(case, options.concept, _initial_costs(case, options))
    searchers = Searchers.of(case, options, executor)
    answer = BestAnswer.baseline(task)
    interrupted = False
    try:
        learning = deadline.share(_LEARNING_SHARE)
        if options.alternatives == EXACT:
            known = _valid_plans(case, known_plans)
            learn_exactly(task, options, searchers, learning, answer, stopwatch, progress, known)
        elif options.alternatives != BASELINE:
            learn_from_alternatives(task, options, learning, answer, stopwatch, progress, executor)
    except KeyboardInterrupt:
        interrupted = True
        deadline = deadline.within(_AFTER_INTERRUPT_S)
    try:
        verdicts = _verify(task, answer.costs, options, searchers, deadline, progress)
    except KeyboardInterrupt:
        interrupted = True
        verdicts = unchecked(task, answer.costs)
    stopwatch.lap("verification")
    if options.alternatives == BASELINE or interrupted:
        # The baseline believes nothing beyond what the check finds.
        answer.believed = max(answer.believed, _confirmed(task, verdicts))
    explanations: dict[int, Explanation] = {}
    ranges = None
    try:
        if answer.sets is not None and not interrupted:
            budget = max(_EXPLAINING_S, _EXPLAINING_SHARE * stopwatch.seconds()["total"])
            explanations = _explain(task, answer.sets, verdicts, deadline.within(budget), progress)
            stopwatch.lap("explaining")
        if options.ranges and not interrupted:
            ranges = _ranges(task, answer, verdicts, deadline, progress)
            stopwatch.lap("ranges")
    except KeyboardInterrupt:
        interrupted = True
    return assemble(
        task,
        options,
        answer,
        verdicts,
        stopwatch.seconds(),
        explanations=explanations,
        ranges=ranges,
        interrupted=interrupted,
    )


def _valid_plans(case: Case, plans: Mapping[str, Iterable[Plan]]) -> list[list[Plan]]:
    """For each task those of its plans that solve it: nothing else may become a row."""
    return [
        [plan for plan in dict.fromkeys(plans.get(task.key, ())) if replay(task.sas, plan).is_valid]
        for task in case.tasks
    ]


def verify(
    case: Path | Case,
    costs: Path,
    options: LearnOptions = LearnOptions(),  # noqa: B008 (frozen)
    *,
    domain: Path | None = None,
    progress: Progress = no_progress,
) -> Result:
    """Check by search how many observed plans are optimal under a file of costs."""
    return _check(case, costs, options, domain, progress, explaining=False)


def explain(
    case: Path | Case,
    costs: Path,
    options: LearnOptions = LearnOptions(),  # noqa: B008 (frozen)
    *,
    domain: Path | None = None,
    progress: Progress = no_progress,
) -> Result:
    """Check a file of costs, and say of each plan that is not optimal why it is not."""
    return _check(case, costs, options, domain, progress, explaining=True)


def write_result_pddl(result: Result, directory: Path) -> list[Path]:
    """Write the domain and the problems of a result with its costs into a folder."""
    case = result.case
    if case is None:
        raise UsageError("this result was not learned in this session, so its case is not known")
    problems = [(problem, case.tasks[task].actions) for problem, task in case.problems]
    return write_pddl(case.domain, problems, result.costs, directory)


def _check(
    case: Path | Case,
    costs: Path,
    options: LearnOptions,
    domain: Path | None,
    progress: Progress,
    *,
    explaining: bool,
) -> Result:
    stopwatch = Stopwatch()
    deadline = Deadline.after(options.time_limit_s)
    with _executor(options) as executor:
        loaded = _load(case, domain, options, executor, deadline, progress)
        stopwatch.lap("grounding")
        given = costs_for(loaded, costs, least=1, default=options.default_cost)
        task = LearningTask(loaded, options.concept, _initial_costs(loaded, options))
        searchers = Searchers.of(loaded, options, executor)
        checking = deadline.share(0.5) if explaining else deadline
        verdicts = _verify(task, given, options, searchers, checking, progress)
        stopwatch.lap("verification")
        answer = BestAnswer.baseline(task)
        answer.costs, answer.believed = given, _confirmed(task, verdicts)
        explanations: dict[int, Explanation] = {}
        if explaining:
            sets = first_objective_sets(task, options, searchers, deadline)
            explanations = _explain(task, sets, verdicts, deadline, progress)
            stopwatch.lap("explaining")
        return assemble(
            task, options, answer, verdicts, stopwatch.seconds(), explanations=explanations
        )


def _explain(
    task: LearningTask,
    sets: PlanSets,
    verdicts: list[Verdict],
    deadline: Deadline,
    progress: Progress,
) -> dict[int, Explanation]:
    chosen = optimal_candidates(task, verdicts)
    others = [
        number
        for number, candidate in enumerate(task.candidates)
        if verdicts[candidate.observations[0]].optimal is False
    ]
    return explain_candidates(
        sets, chosen, others, deadline, lambda done, total: progress("explaining", done, total)
    )


def _ranges(
    task: LearningTask,
    answer: BestAnswer,
    verdicts: list[Verdict],
    deadline: Deadline,
    progress: Progress,
) -> list[Range] | None:
    if answer.full_sets is None:
        answer.notes.append("no ranges: they need --alternatives exact and a proven set of plans")
        return None
    return find_ranges(
        answer.full_sets,
        optimal_candidates(task, verdicts),
        answer.costs,
        deadline,
        lambda done, total: progress("ranges", done, total),
    )


def _load(
    case: Path | Case,
    domain: Path | None,
    options: LearnOptions,
    executor: Executor,
    deadline: Deadline,
    progress: Progress,
) -> Case:
    if isinstance(case, Case):
        return case
    return load_case(
        case,
        domain=domain,
        skip_invalid=options.skip_invalid,
        limits=Limits(deadline.remaining(), options.memory_limit_mb),
        executor=executor,
        progress=progress,
    )


@contextmanager
def _executor(options: LearnOptions) -> Iterator[Executor]:
    """Where planners run: on this machine, or on the cluster that the options name."""
    if options.scheduler is None:
        yield LocalExecutor(options.jobs)
        return
    try:
        from plancost.cluster.executor import cluster
    except ModuleNotFoundError as error:
        raise ClusterError("Dask is not installed: run 'pip install plancost[cluster]'") from error
    with cluster(options.scheduler, options.memory_limit_mb) as executor:
        yield executor


def _initial_costs(case: Case, options: LearnOptions) -> Costs | None:
    if options.initial_costs is not None:
        return costs_for(case, options.initial_costs, least=0, default=options.default_cost)
    if options.refine:
        return initial_costs_from_pddl(case, options.cost_conflicts)
    return None


def _verify(
    task: LearningTask,
    costs: Costs,
    options: LearnOptions,
    searchers: Searchers,
    deadline: Deadline,
    progress: Progress,
) -> list[Verdict]:
    return verify_costs(
        task,
        costs,
        oracle_for(task, costs, options, searchers, deadline),
        deadline,
        jobs=searchers.executor.width,
        progress=lambda done, total: progress("verifying", done, total),
    )


def _confirmed(task: LearningTask, verdicts: list[Verdict]) -> int:
    return sum(
        observation.count
        for observation, verdict in zip(task.case.observations, verdicts, strict=True)
        if verdict.optimal
    )

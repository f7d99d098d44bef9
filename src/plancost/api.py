"""The library's front door: `learn`, `verify` and `explain`.

    observations -> oracles -> learning -> verified result

The functions return values and raise `plancost.errors`; they never print.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from plancost.clock import Deadline, Stopwatch
from plancost.errors import ClusterError, SolverError, UsageError
from plancost.executors import Executor, LocalExecutor
from plancost.grouped import (
    check_search,
    each_by_itself,
    learn_search,
    no_more_groups_than_plans,
    part_of_costs,
)
from plancost.learning.answer import BestAnswer
from plancost.learning.check_oracle import oracle_for
from plancost.learning.checkpoint import Checkpoint
from plancost.learning.checkpoint_file import remove
from plancost.learning.composition import Composition
from plancost.learning.exact import first_objective_sets, learn_exactly
from plancost.learning.explanations import Explanation
from plancost.learning.fitting import parameters_of
from plancost.learning.from_alternatives import learn_from_alternatives
from plancost.learning.known_costs import KnownCost, least_deviation
from plancost.learning.least_factors import LeastFactor, find_least_factor
from plancost.learning.options import BASELINE, EXACT, GIVEN, LearnOptions
from plancost.learning.own_explanations import explain_observations
from plancost.learning.plan_sets import PlanSets
from plancost.learning.ranges import Ranges, find_ranges
from plancost.learning.searchers import Searchers
from plancost.learning.task import Costs, LearningTask
from plancost.learning.verification import (
    Verdict,
    optimal_candidates,
    unchecked,
    verify_costs,
)
from plancost.observations.bounds_files import ranges_for
from plancost.observations.case import Case, load_case
from plancost.observations.cost_files import (
    LARGEST_LEARNED_COST,
    costs_for,
    costs_of,
    initial_costs_from_pddl,
)
from plancost.observations.features import case_values, kept_parameters, read_features
from plancost.observations.group_files import read_groups
from plancost.observations.parts import named_groups
from plancost.observations.plan_costs import known_cost, suboptimality
from plancost.observations.planfile import Plan
from plancost.observations.replay import replay
from plancost.observations.shares import read_shares
from plancost.processes import Limits
from plancost.progress import Progress, no_progress
from plancost.results.assemble import assemble
from plancost.results.pddl_out import folder_names, make_directory, write_pddl
from plancost.results.result import Result, Unshared
from plancost.stages import Stages, reading

_log = logging.getLogger(__name__)

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
    initial_costs: Mapping[str, int] | None = None,
    progress: Progress = no_progress,
    known_plans: Mapping[str, Iterable[Plan]] | None = None,
) -> Result:
    """Learn one cost for each ground action so that most observed plans are optimal.

    `case` is a case folder, a CSV manifest (with `domain`), or a loaded case. With
    `initial_costs` for every action, costs are changed as little as possible from these.
    After Ctrl-C the best answer so far is checked and returned with `interrupted` set.

    With the option `groups`, or where the manifest has a group column, there are several cost
    functions, each plan belongs to one, and the result has `groups`.

    `known_plans` are other plans of tasks (by `Task.key`) that were met before: the exact
    learner begins with them (but for the option `groups`), which changes the way and not the
    answer.

    With the option `checkpoint` a folder keeps what was found, and the next call that asks the
    same goes on from there; `remove_checkpoints` is for afterwards.
    """
    stopwatch = Stopwatch()
    deadline = options.deadline()
    with _executor(options) as executor:
        loaded = _load(case, domain, options, executor, deadline, progress)
        stopwatch.lap("grounding")
        _log_case(loaded, options, learning=True)
        task = _task(loaded, options, deadline, initial_costs)
        if options.groups is not None and options.groups > 1:
            _refuse_beyond(task, options)
            task, count = no_more_groups_than_plans(task, options.groups)
            searchers = Searchers.of(loaded, options, executor)
            return learn_search(task, count, options, searchers, deadline, stopwatch, progress)
        named = named_groups(loaded) if options.groups is None else {}
        if named:
            if task.composition is not None:
                kind = "shared" if options.share else "linear"
                raise UsageError(f"a group column does not go with {kind} costs")
            return _learn_named(
                task, named, options, executor, deadline, stopwatch, progress, known_plans
            )
        first = deadline.share(0.5) if options.compare_unshared else deadline
        result = _learn(task, options, executor, first, stopwatch, progress, known_plans)
        if not options.compare_unshared or result.interrupted:
            return result
        plain = replace(options, share=(), linear=(), compare_unshared=False)
        unshared = _task(loaded, plain, deadline, initial_costs)
        other = _learn(unshared, plain, executor, deadline, Stopwatch(), progress, known_plans)
        stopwatch.lap("without sharing")
        seconds = stopwatch.seconds()
        checkpoints = (*result.checkpoints, *other.checkpoints)
        return replace(
            result, unshared=Unshared.of(other), seconds=seconds, checkpoints=checkpoints
        )


def _learn_named(
    task: LearningTask,
    groups: dict[str, list[int]],
    options: LearnOptions,
    executor: Executor,
    deadline: Deadline,
    stopwatch: Stopwatch,
    progress: Progress,
    known_plans: Mapping[str, Iterable[Plan]] | None,
) -> Result:
    """Learn every group of the manifest by itself; after Ctrl-C the others stay at the baseline."""
    if options.ranges:
        raise UsageError("--ranges does not go with a group column; add --groups 1 to ignore it")
    interrupted = False

    def learn_one(number: int, part: LearningTask, until: Deadline) -> Result:
        nonlocal interrupted
        if interrupted:
            answer = BestAnswer.baseline(part)
            verdicts = unchecked(part, answer.costs)
            return assemble(part, options, answer, verdicts, {}, interrupted=True)
        result = _learn(part, options, executor, until, stopwatch, progress, known_plans)
        interrupted = result.interrupted
        return result

    return each_by_itself(task, groups, options, deadline, stopwatch, learn_one)


def _learn(
    task: LearningTask,
    options: LearnOptions,
    executor: Executor,
    deadline: Deadline,
    stopwatch: Stopwatch,
    progress: Progress,
    known_plans: Mapping[str, Iterable[Plan]] | None,
) -> Result:
    if options.alternatives != EXACT and options.exact_only is not None:
        raise UsageError(f"{options.exact_only} goes with --alternatives exact")
    if options.alternatives != EXACT and task.known:
        raise UsageError(
            "known costs of plans go with --alternatives exact; say --ignore-costs to leave them"
        )
    if options.alternatives != EXACT and task.factors is not None:
        raise UsageError("suboptimality goes with --alternatives exact")
    searchers = Searchers.of(task.case, options, executor)
    answer = BestAnswer.baseline(task)
    checkpoint = Checkpoint()
    stages = Stages()
    learning = deadline.share(_LEARNING_SHARE)
    finished = False
    with stages.stage("learning", learning):
        checkpoint = _checkpoint(task, options, answer, stopwatch)
        if options.alternatives == EXACT:
            known = _valid_plans(task.case, known_plans or {})
            learn_exactly(
                task, options, searchers, learning, answer, stopwatch, progress, known, checkpoint
            )
        elif options.alternatives != BASELINE:
            learn_from_alternatives(task, options, learning, answer, stopwatch, progress, executor)
        finished = not learning.is_over
    with stages.stage("writing the checkpoint", Deadline()):
        checkpoint.close(finished=finished)
    if stages.interrupted:
        deadline = deadline.within(_AFTER_INTERRUPT_S)
    verdicts = unchecked(task, answer.costs)
    with stages.stage("checking", deadline):
        verdicts = _verify(task, answer.costs, options, searchers, deadline, progress)
    stopwatch.lap("verification")
    if not task.admits(answer.costs):
        answer.notes.append("these costs do not keep to what is known: none were found in time")
    if options.alternatives == BASELINE or stages.interrupted:
        # The baseline believes nothing beyond what the check finds.
        answer.believed = max(answer.believed, _confirmed(task, verdicts))
    explanations: dict[int, Explanation] = {}
    ranges = None
    factors: list[LeastFactor] | None = None
    if answer.sets is not None and not stages.interrupted:
        budget = max(_EXPLAINING_S, _EXPLAINING_SHARE * stopwatch.seconds()["total"])
        until = deadline.within(budget)
        with stages.stage("explaining", until, optional=True):
            explanations = _explain(task, answer.sets, verdicts, until, progress)
        stopwatch.lap("explaining")
    if options.ranges and not stages.interrupted:
        found = _no_ranges(task, answer, verdicts)
        with stages.stage("finding ranges", deadline, optional=True):
            _find_ranges(task, answer, found, verdicts, deadline, progress)
        ranges = None if found is None else found.all()
        if found is not None and (note := found.note()) is not None:
            answer.notes.append(note)
        stopwatch.lap("ranges")
    if options.least_factors and not stages.interrupted:
        with stages.stage("finding least factors", deadline, optional=True):
            factors = _least_factors(task, options, deadline, progress, stages.failures)
        stopwatch.lap("least factors")
    answer.notes += [*answer.remarks(), *stages.notes]
    result = assemble(
        task,
        options,
        answer,
        verdicts,
        stopwatch.seconds(),
        explanations=explanations,
        ranges=ranges,
        least_factors=factors,
        interrupted=stages.interrupted,
        failures=(
            *searchers.planners.failures.said,
            *answer.solver_failures(),
            *stages.failures,
        ),
    )
    return _with_checkpoint(result, checkpoint)


def _checkpoint(
    task: LearningTask, options: LearnOptions, answer: BestAnswer, stopwatch: Stopwatch
) -> Checkpoint:
    """Where learning keeps what it finds: nowhere, unless the options name a folder.

    What the k cheapest plans are is kept by the cache of plans.
    """
    if options.checkpoint is None or options.alternatives != EXACT:
        return Checkpoint()
    every_s = options.checkpoint_every_s
    return Checkpoint.open(options.checkpoint, task, answer, stopwatch, every_s)


def _with_checkpoint(result: Result, checkpoint: Checkpoint) -> Result:
    path = checkpoint.path
    if path is None:
        return result
    notes = result.notes
    if not result.is_finished:
        notes += (f"not all is proven: the same command goes on from {path.parent}",)
    return replace(result, checkpoints=(path,), notes=notes)


def remove_checkpoints(result: Result) -> None:
    """Remove the checkpoints that learning left, once its result is kept elsewhere."""
    for path in result.checkpoints:
        remove(path)


def least_factors(
    case: Path | Case,
    options: LearnOptions = LearnOptions(),  # noqa: B008 (frozen)
    *,
    domain: Path | None = None,
    progress: Progress = no_progress,
) -> list[LeastFactor]:
    """How near to optimal each observation can be at best, alone and whatever the costs.

    Of the options, bounds and `max_cost` matter; known costs of plans do not.
    """
    deadline = options.deadline()
    with _executor(options) as executor:
        loaded = _load(case, domain, options, executor, deadline, progress)
        task = _task(loaded, replace(options, ignore_costs=True), deadline)
        return _least_factors(task, options, deadline, progress, [])


def _least_factors(
    task: LearningTask,
    options: LearnOptions,
    deadline: Deadline,
    progress: Progress,
    failures: list[str],
) -> list[LeastFactor]:
    found: list[LeastFactor] = []
    for number in range(len(task.candidates)):
        progress("least factors", number, len(task.candidates))
        left = deadline.share(1 / (len(task.candidates) - number))
        try:
            found.append(find_least_factor(task, number, options, left))
        except SolverError as error:
            _log.warning("the least factor of a plan was not found: %s", error)
            failures.append(str(error))
            found.append(LeastFactor(None, None))
    observations = range(len(task.case.observations))
    return [found[task.candidate_of_observation[number]] for number in observations]


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
    """Write the domain and the problems of a result with its costs into a folder.

    With several cost functions, into one folder for each group inside that folder.
    """
    case = result.case
    if case is None:
        raise UsageError("this result was not learned in this session, so its case is not known")
    if case.domain is None:
        raise UsageError("these costs were not learned from PDDL, so there is none to write")
    problems = [(problem, case.tasks[task].actions) for problem, task in case.problems]
    if not result.groups:
        features = read_features(result.options.get("linear", ()), case.domain)
        kept = {
            **read_shares(result.options.get("share", ()), case.domain, features),
            **kept_parameters(features, case.domain),
        }
        return write_pddl(case.domain, problems, result.costs, directory, kept)
    folders = folder_names([group.name for group in result.groups])
    make_directory(directory)
    return [
        path
        for group, folder in zip(result.groups, folders, strict=True)
        for path in write_pddl(case.domain, problems, group.costs, directory / folder)
    ]


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
    deadline = options.deadline()
    with _executor(options) as executor:
        loaded = _load(case, domain, options, executor, deadline, progress)
        stopwatch.lap("grounding")
        _log_case(loaded, options, learning=False)
        task = _task(loaded, options, deadline)
        with reading(costs, deadline):
            groups = read_groups(loaded, costs, default=options.default_cost)

        def check_one(part: LearningTask, given: Costs, until: Deadline) -> Result:
            return _check_costs(
                part, given, options, executor, until, stopwatch, progress, explaining=explaining
            )

        if groups is None:
            with reading(costs, deadline):
                given = costs_for(
                    loaded,
                    costs,
                    least=1,
                    default=options.default_cost,
                    largest=LARGEST_LEARNED_COST,
                )
            if task.composition is not None:
                given = parameters_of(task.structure, loaded.actions, given)
            return replace(check_one(task, given, deadline), alternatives=GIVEN)
        if groups.by_column:
            result = each_by_itself(
                task,
                groups.members(),
                options,
                deadline,
                stopwatch,
                lambda n, part, until: check_one(
                    part, part_of_costs(task, part, groups.costs[n]), until
                ),
            )
            return replace(result, alternatives=GIVEN)
        searchers = Searchers.of(loaded, options, executor)
        result = check_search(
            task, groups, options, searchers, deadline, stopwatch, progress, explaining=explaining
        )
        return replace(result, alternatives=GIVEN)


def _check_costs(
    task: LearningTask,
    given: Costs,
    options: LearnOptions,
    executor: Executor,
    deadline: Deadline,
    stopwatch: Stopwatch,
    progress: Progress,
    *,
    explaining: bool,
) -> Result:
    searchers = Searchers.of(task.case, options, executor)
    checking = deadline.share(0.5) if explaining else deadline
    stages = Stages()
    verdicts = unchecked(task, given)
    with stages.stage("checking", checking):
        verdicts = _verify(task, given, options, searchers, checking, progress)
    stopwatch.lap("verification")
    answer = BestAnswer.baseline(task)
    answer.costs, answer.believed = given, _confirmed(task, verdicts)
    explanations: dict[int, Explanation] = {}
    if explaining and not stages.interrupted:
        with stages.stage("explaining", deadline):
            sets = answer.sets = first_objective_sets(task, options, searchers, deadline)
            explanations = _explain(task, sets, verdicts, deadline, progress)
        stopwatch.lap("explaining")
    if stages.interrupted:
        raise KeyboardInterrupt
    answer.notes += stages.notes
    return assemble(
        task,
        options,
        answer,
        verdicts,
        stopwatch.seconds(),
        explanations=explanations,
        failures=(
            *searchers.planners.failures.said,
            *answer.solver_failures(),
            *stages.failures,
        ),
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
        if number not in chosen
        and any(verdicts[member].optimal is False for member in candidate.observations)
    ]
    return explain_observations(sets, chosen, others, deadline, partial(progress, "explaining"))


def _no_ranges(task: LearningTask, answer: BestAnswer, verdicts: list[Verdict]) -> Ranges | None:
    """Ranges of which nothing is proven yet; None, and a note, if there can be none."""
    if answer.full_sets is None or not _is_proven(task, answer, verdicts):
        answer.notes.append(
            "no ranges: they need --alternatives exact and an answer that is proven to be the "
            "best, also in its second objective"
        )
        return None
    return Ranges(task, answer.costs)


def _find_ranges(
    task: LearningTask,
    answer: BestAnswer,
    found: Ranges | None,
    verdicts: list[Verdict],
    deadline: Deadline,
    progress: Progress,
) -> None:
    if answer.full_sets is None or found is None:
        return
    chosen = optimal_candidates(task, verdicts)
    find_ranges(
        answer.full_sets, chosen, answer.costs, deadline, partial(progress, "ranges"), found
    )


def _is_proven(task: LearningTask, answer: BestAnswer, verdicts: list[Verdict]) -> bool:
    """Whether no costs make more plans optimal, or as many at a lower secondary cost."""
    most = _confirmed(task, verdicts) >= answer.upper_bound
    return most and answer.secondary_bound >= task.secondary(answer.costs)


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
    with reading(case, deadline):
        return load_case(
            case,
            domain=domain,
            skip_invalid=options.skip_invalid,
            allow_outside=options.allow_outside,
            limits=Limits(deadline.remaining(), options.memory_limit_mb),
            executor=executor,
            progress=progress,
        )


def _log_case(case: Case, options: LearnOptions, *, learning: bool) -> None:
    words = (case.plan_count, len(case.tasks), len(case.actions))
    _log.info("%d observed plans, %d tasks, %d actions", *words)
    _log.info(
        "%s%s, oracle %s, time limit %s, memory limit %s, jobs %d, seed %d",
        options.concept.solution.value,
        f", alternatives {options.alternatives}" if learning else "",
        options.oracle.value,
        "none" if options.time_limit_s is None else f"{options.time_limit_s:g} s",
        "none" if options.memory_limit_mb is None else f"{options.memory_limit_mb} MB",
        options.jobs,
        options.seed,
    )
    for note in case.remarks:
        _log.debug("%s", note)


@contextmanager
def _executor(options: LearnOptions) -> Iterator[Executor]:
    """Where planners run: on this machine, or on the cluster that the options name."""
    if options.scheduler is None:
        yield LocalExecutor.within(options.jobs, options.memory)
        return
    try:
        from plancost.cluster.executor import cluster
    except ModuleNotFoundError as error:
        raise ClusterError("Dask is not installed: run 'pip install plancost[cluster]'") from error
    with cluster(options.scheduler, options.memory_limit_mb) as executor:
        yield executor


def _task(
    case: Case,
    options: LearnOptions,
    deadline: Deadline,
    initial_costs: Mapping[str, int] | None = None,
) -> LearningTask:
    """What is asked, in numbers."""
    ranges = None
    if options.bounds or options.max_cost is not None:
        ranges = ranges_for(case.actions, options.bounds, options.max_cost)
    task = LearningTask(
        case,
        options.concept,
        _initial_costs(case, options, deadline, initial_costs),
        ranges,
        composition=_composition(case, options),
    )
    factors = tuple(
        suboptimality(observation.source, options.suboptimality)
        for observation in case.observations
    )
    if any(factor != 1 for factor in factors):
        if task.concept.is_strict:
            raise UsageError("suboptimality goes with --solution mcf or icf, not with strict ones")
        task = replace(task, factors=factors)
    known = () if options.ignore_costs else tuple(_known_costs(task, options))
    if not known:
        return task
    if not options.soft_costs:
        return replace(task, known=known)
    deviation = least_deviation(known, task.terms, deadline, task.limit_rows)
    return replace(task, known=known, most_deviation=deviation)


def _composition(case: Case, options: LearnOptions) -> Composition | None:
    """What costs are made of, if anything is said about that."""
    if not options.share and not options.linear:
        return None
    if case.domain is None:
        used = "--share" if options.share else "--linear"
        raise UsageError(f"{used} speaks of the parameters in PDDL, and there is none here")
    features = read_features(options.linear, case.domain)
    kept = read_shares(options.share, case.domain, features)
    return Composition.of(case.actions, kept, features, case_values(case, features))


def _known_costs(task: LearningTask, options: LearnOptions) -> Iterator[KnownCost]:
    for number, observation in enumerate(task.case.observations):
        cost = known_cost(observation.source)
        if cost is not None:
            least, greatest = options.cost_tolerance.around(cost)
            counts = task.counts(observation.plan)
            yield KnownCost(number, counts, observation.count, least, greatest)


def _refuse_beyond(task: LearningTask, options: LearnOptions) -> None:
    """Groups are looked for with free costs of single actions only."""
    used = {
        "bounds on costs": task.ranges is not None,
        "known costs of plans (say --ignore-costs to leave them)": bool(task.known),
        "suboptimality": task.factors is not None,
        "shared costs": bool(options.share),
        "linear costs": bool(options.linear),
    }
    for name, is_used in used.items():
        if is_used:
            raise UsageError(f"--groups does not go with {name}")


def _initial_costs(
    case: Case,
    options: LearnOptions,
    deadline: Deadline,
    given: Mapping[str, int] | None = None,
) -> Costs | None:
    if given is not None:
        return costs_of(case, given, least=0, default=options.default_cost)
    if options.initial_costs is not None:
        with reading(options.initial_costs, deadline):
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
        progress=partial(progress, "verifying"),
    )


def _confirmed(task: LearningTask, verdicts: list[Verdict]) -> int:
    return sum(
        observation.count
        for observation, verdict in zip(task.case.observations, verdicts, strict=True)
        if verdict.optimal
    )

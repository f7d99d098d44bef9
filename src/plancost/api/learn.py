"""Learning: `learn` and `least_factors`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from plancost.api.from_options import Request, learning_task, log_case
from plancost.api.groups import each_by_itself
from plancost.api.pipeline import Strategy, learn_by, least_factors_of, not_learned
from plancost.errors import UsageError
from plancost.learning.checkpoint.file import remove
from plancost.learning.diagnose.least_factors import LeastFactor
from plancost.learning.exact.strategy import learn_exactly
from plancost.learning.incumbent import Incumbent
from plancost.learning.lacfip.strategy import learn_from_alternatives
from plancost.learning.partition.strategy import group_names, learn_groups
from plancost.learning.problem.keywords import learn_options
from plancost.learning.problem.options import BASELINE, EXACT, Choose, LearnOptions
from plancost.learning.problem.task import LearningTask
from plancost.learning.proof.document import refuse_proof
from plancost.learning.run import Run
from plancost.observations.case import Case
from plancost.observations.parts import named_groups
from plancost.observations.planfile import Plan
from plancost.progress.shown import shows_progress
from plancost.results.claims import GivenCosts
from plancost.results.result import Result, Unshared
from plancost.system.clock import Stopwatch
from plancost.system.progress import Progress
from plancost.system.schedule import SCHEDULE
from plancost.system.values import PathLike


@shows_progress
def learn(
    case: PathLike | Case,
    options: LearnOptions | None = None,
    *,
    domain: PathLike | None = None,
    initial_costs: GivenCosts | None = None,
    progress: Progress | bool = False,
    known_plans: Mapping[str, Iterable[Plan]] | None = None,
    **keywords: Any,  # noqa: ANN401 (of any option)
) -> Result:
    """Learn one cost for each ground action so that most observed plans are optimal.

    After Ctrl-C the best answer so far is checked and returned with `interrupted` set. With the
    option `groups`, or where the manifest has a group column, there are several cost functions,
    each plan belongs to one, and the result has `groups`. With the option `checkpoint` a folder
    keeps what was found, and the next call that asks the same resumes there; `remove_checkpoints`
    is for afterwards.

    Args:
        case: A case folder, a CSV manifest (with `domain`), or a loaded case.
        options: What to learn and how; None: the defaults.
        domain: The PDDL domain of a manifest.
        initial_costs: Costs that are changed as little as possible: a path, costs by action, or
            a result.
        progress: True: show a bar on a terminal or in a notebook; or a function that is called with
            what is being done and how far it is.
        known_plans: Other plans of tasks (by `Task.key`) that were met before. The exact learner
            begins with them (but for the option `groups`), which changes the way and not the
            answer.
        keywords: Single options, such as ``time_limit_s=60`` or ``solution="scf"``.

    Returns:
        The learned costs, checked by search, and what is proven about them.

    Raises:
        InputError: A file of the case, or the initial costs, are wrong.
        UsageError: The options are wrong, or contradict each other.
        LimitError: A limit was reached before there was any answer.
    """
    assert not isinstance(progress, bool)
    options = learn_options(options, keywords)
    if isinstance(initial_costs, str | os.PathLike):
        options = replace(options, initial_costs=Path(initial_costs))
        initial_costs = None
    with Request(case, options, domain, progress).run() as (run, loaded):
        run = replace(run, known_plans=known_plans or {})
        log_case(loaded, options, learning=True)
        task = learning_task(loaded, options, run.deadline, initial_costs)
        if options.groups is not None and options.groups > 1:
            return _learn_groups(run, task, options.groups)
        named = named_groups(loaded) if options.groups is None else {}
        if named:
            return _learn_named(run, task, named)
        if not options.compare_unshared:
            return _learn_one(run, task)
        result = _learn_one(run.share(SCHEDULE.compared_learning), task)
        if result.interrupted:
            return result
        plain = replace(options, share=(), linear=(), compare_unshared=False)
        unshared = learning_task(loaded, plain, run.deadline, initial_costs)
        alone = replace(run, options=plain, stopwatch=Stopwatch()).on(loaded)
        other = _learn_one(alone, unshared)
        run.stopwatch.lap("without sharing")
        return replace(
            result,
            unshared=Unshared.of(other),
            seconds=run.stopwatch.seconds(),
            checkpoints=(*result.checkpoints, *other.checkpoints),
        )


@shows_progress
def least_factors(
    case: PathLike | Case,
    options: LearnOptions | None = None,
    *,
    domain: PathLike | None = None,
    progress: Progress | bool = False,
    **keywords: Any,  # noqa: ANN401 (of any option)
) -> list[LeastFactor]:
    """How near to optimal each observation can be at best, alone and whatever the costs.

    Args:
        case: A case folder, a CSV manifest (with `domain`), or a loaded case.
        options: Of these, bounds and `max_cost` matter; known costs of plans do not.
        domain: The PDDL domain of a manifest.
        progress: True: show a bar on a terminal or in a notebook; or a function that is called with
            what is being done and how far it is.
        keywords: Single options, such as ``max_cost=10``.

    Returns:
        One factor for each observation, in order.

    Raises:
        InputError: A file of the case is wrong.
        UsageError: The options are wrong.
    """
    assert not isinstance(progress, bool)
    options = learn_options(options, keywords)
    with Request(case, options, domain, progress).run() as (run, loaded):
        task = learning_task(loaded, replace(options, ignore_costs=True), run.deadline)
        return least_factors_of(run, task, [])


def remove_checkpoints(result: Result) -> None:
    """Remove the checkpoints that learning left, once its result is kept elsewhere.

    Args:
        result: What `learn` returned.
    """
    for path in result.checkpoints:
        remove(path)


def _learn_one(run: Run, task: LearningTask) -> Result:
    """Learn one cost function, by the strategy that the options name."""
    strategy = _strategy(run.options, task)
    if run.options.certificate:
        refuse_proof(task)
    result = learn_by(strategy, run, Incumbent.baseline(task))
    if not result.checkpoints or result.is_finished:
        return result
    folder = result.checkpoints[0].parent
    note = f"not all is proven: the same command resumes from {folder}"
    return replace(result, notes=(*result.notes, note))


def _strategy(options: LearnOptions, task: LearningTask) -> Strategy:
    if options.alternatives == EXACT:
        return learn_exactly
    if options.certificate:
        raise UsageError("--certificate goes with --alternatives exact")
    if options.exact_only is not None:
        raise UsageError(f"{options.exact_only} goes with --alternatives exact")
    if task.known:
        raise UsageError(
            "known costs of plans go with --alternatives exact; add --ignore-costs to ignore them"
        )
    if task.factors is not None:
        raise UsageError("suboptimality goes with --alternatives exact")
    return _keep_the_baseline if options.alternatives == BASELINE else learn_from_alternatives


def _keep_the_baseline(run: Run, task: LearningTask, incumbent: Incumbent) -> None:
    """No learning: what the baseline makes optimal is found by the check."""


def _learn_groups(run: Run, task: LearningTask, asked: int) -> Result:
    """Divide the plans into groups and learn the costs of each.

    A plan is in one group, so there are no more groups than different plans.
    """
    _refuse_with_groups(task, run.options)
    most = len(task.candidates)
    if asked > most:
        said = f"{asked} groups were asked for, but there are only {most} different plans to divide"
        task = replace(task, case=replace(task.case, notes=(*task.case.notes, said)))
    incumbent = Incumbent.baseline(task, group_names(min(asked, most)))
    return learn_by(learn_groups, run, incumbent)


def _refuse_with_groups(task: LearningTask, options: LearnOptions) -> None:
    """Groups are looked for with free costs of single actions only."""
    used = options.constrained_by or ("--certificate" if options.certificate else None)
    if used is None and task.known:
        used = "known costs of plans (add --ignore-costs to ignore them)"
    if used is None and task.factors is not None:
        used = "suboptimality"
    if used is not None:
        raise UsageError(f"--groups does not go with {used}")


def _learn_named(run: Run, task: LearningTask, groups: Mapping[str, list[int]]) -> Result:
    """Learn every group of the manifest by itself; after Ctrl-C the others stay at the baseline."""
    options = run.options
    if task.composition is not None:
        kind = "shared" if options.share else "linear"
        raise UsageError(f"a group column does not go with {kind} costs")
    if options.ranges:
        raise UsageError("--ranges does not go with a group column; add --groups 1 to ignore it")
    if options.choose is not Choose.LEAST:
        raise UsageError(
            f"--choose {options.choose} does not go with a group column; add --groups 1 to ignore "
            "it"
        )
    interrupted = False

    def learn_one(number: int, part: LearningTask, own: Run) -> Result:
        nonlocal interrupted
        if interrupted:
            return not_learned(own, part)
        result = _learn_one(own, part)
        interrupted = result.interrupted
        return result

    return each_by_itself(run, task, groups, learn_one)

"""The one way from a learning task to a verified result, for one and for several cost functions.

    strategy -> incumbent -> choice -> check -> explanations, ranges, least factors -> result

Learning and checking given costs go the same way; a check only begins with costs that are there.
Every step may end early, at Ctrl-C or when its time is up, without losing what was found.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace

from plancost.errors import SolverError
from plancost.learning.choose.choice import NO_TIME, Chosen
from plancost.learning.choose.choices import take_choice
from plancost.learning.diagnose.explanations import Explanation
from plancost.learning.diagnose.least_factors import LeastFactor, find_least_factor
from plancost.learning.diagnose.own_explanations import explain_observations
from plancost.learning.diagnose.ranges import Range, Ranges, find_ranges
from plancost.learning.exact.subproblems import first_subproblem
from plancost.learning.incumbent import Incumbent
from plancost.learning.problem.options import BASELINE, Choose
from plancost.learning.problem.task import LearningTask
from plancost.learning.proof.document import add_potentials, proof_of
from plancost.learning.run import Run
from plancost.learning.verify.incumbent import (
    Check,
    arranged,
    check_incumbent,
    check_of,
    claimed_function,
    not_checked,
)
from plancost.results.assemble import Extras, assemble
from plancost.results.result import Result
from plancost.system.clock import Deadline
from plancost.system.schedule import SCHEDULE
from plancost.system.stages import Stages

_log = logging.getLogger(__name__)

Strategy = Callable[[Run, LearningTask, Incumbent], None]
"""Improves an incumbent until it is proven or the time is up."""


def learn_by(strategy: Strategy, run: Run, incumbent: Incumbent) -> Result:
    """Learn, check what was learned, and say what else was asked for."""
    task, stages = incumbent.task, Stages()
    run = run.share(SCHEDULE.before_writing)
    is_choosing = run.options.choose is not Choose.LEAST
    learning = _time_for_learning(run)
    with stages.stage("learning", learning.deadline):
        strategy(learning, task, incumbent)
    chosen = _chosen(run, stages, incumbent) if is_choosing and not stages.interrupted else None
    if stages.interrupted:
        run = run.until(run.deadline.within(SCHEDULE.after_interrupt_s))
    check = _checked(run, stages, incumbent, claimed_function(incumbent))
    if incumbent.is_grouped:
        check = arranged(incumbent, check)
    if not all(task.admits(function.costs) for function in incumbent.functions):
        incumbent.notes.append("these costs do not keep to what is known: none were found in time")
    claims_confirmed = run.options.alternatives == BASELINE or stages.interrupted
    explanations: list[dict[int, Explanation]] = []
    ranges: list[Range] | None = None
    factors: list[LeastFactor] | None = None
    if incumbent.first is not None and not stages.interrupted:
        budget = max(SCHEDULE.explaining_s, SCHEDULE.explaining * run.stopwatch.seconds()["total"])
        until = run.until(run.deadline.within(budget))
        with run.lap("explaining"), stages.stage("explaining", until.deadline, optional=True):
            explanations = explain_incumbent(until, incumbent, check)
    if run.options.ranges and not stages.interrupted:
        with run.lap("ranges"):
            ranges = _ranges(run, stages, incumbent, check)
    if run.options.least_factors and not stages.interrupted:
        with (
            run.lap("least factors"),
            stages.stage("finding least factors", run.deadline, optional=True),
        ):
            factors = least_factors_of(run, task, stages.failures)
    if run.options.certificate and not stages.interrupted:
        with run.lap("proof"):
            _prove(run, stages, incumbent, check)
    extras = Extras(
        explanations,
        ranges,
        factors,
        stages.interrupted,
        claims_confirmed,
        stages.notes,
        stages.failures,
        chosen,
    )
    return assemble(run, incumbent, check, extras)


def _prove(run: Run, stages: Stages, incumbent: Incumbent, check: Check) -> None:
    """Write down what the bounds rest on, if all plans that must be optimal are."""
    task = incumbent.task
    if not all(check.verdicts[number].optimal for number in task.required):
        return
    with stages.stage("proving to others", run.deadline, optional=True):
        incumbent.proof = proof_of(incumbent, run.deadline, check.confirmed(task))
    with stages.stage("helping the checker of proofs", run.deadline, optional=True):
        add_potentials(incumbent, run.deadline)


def _time_for_learning(run: Run) -> Run:
    """The part of the time for both objectives; all but a check, if nothing else comes after it."""
    if run.options.choose is not Choose.LEAST:
        return replace(run.share(SCHEDULE.learning_before_choosing), ends=Deadline())
    if run.options.certificate:
        return replace(run.share(SCHEDULE.learning_before_proving), ends=Deadline())
    return replace(run.share(SCHEDULE.learning), ends=run.deadline)


def _chosen(run: Run, stages: Stages, incumbent: Incumbent) -> Chosen | None:
    """Costs in place of the least ones, as the options ask; None, and a note, if none are found."""
    deadline = run.deadline.share(SCHEDULE.choosing)
    if run.options.time_limit_s is None:
        deadline = deadline.within(SCHEDULE.choosing_s)
    until = run.until(deadline)
    found: Chosen | str = NO_TIME
    with run.lap("choosing"), stages.stage("choosing costs", until.deadline, optional=True):
        found = take_choice(until, incumbent)
    if isinstance(found, Chosen):
        return found
    asked = run.options.choose
    incumbent.notes.append(f"these are not the costs that --choose {asked} asks for: {found}")
    return None


def check_given(
    run: Run, incumbent: Incumbent, assigned: Mapping[int, int], *, explaining: bool
) -> Result:
    """Check costs that are given, each plan under the cost function that it is assigned to."""
    stages = Stages()
    checking = run.share(SCHEDULE.checking_before_explaining) if explaining else run
    check = _checked(checking, stages, incumbent, assigned)
    explanations: list[dict[int, Explanation]] = []
    if explaining and not stages.interrupted:
        with run.lap("explaining"), stages.stage("explaining", run.deadline):
            incumbent.first = first_subproblem(run, incumbent.task)
            explanations = explain_incumbent(run, incumbent, check)
    if stages.interrupted:
        raise KeyboardInterrupt
    extras = Extras(
        explanations, claims_confirmed=True, notes=stages.notes, failures=stages.failures
    )
    return assemble(run, incumbent, check, extras)


def not_learned(run: Run, task: LearningTask) -> Result:
    """The baseline, unchecked: what is left of a task that an interrupted run did not come to."""
    incumbent = Incumbent.baseline(task)
    return assemble(run, incumbent, check_of(not_checked(incumbent), {}), Extras(interrupted=True))


def _checked(run: Run, stages: Stages, incumbent: Incumbent, assigned: Mapping[int, int]) -> Check:
    found = not_checked(incumbent)
    with run.lap("verification"), stages.stage("checking", run.deadline):
        check_incumbent(run, incumbent, assigned, found)
    return check_of(found, assigned)


def explain_incumbent(run: Run, incumbent: Incumbent, check: Check) -> list[dict[int, Explanation]]:
    """Why each plan that is not optimal cannot be added to those that are in its group."""
    assert incumbent.first is not None
    count, found = len(incumbent.functions), []
    for number in range(count):
        chosen = check.optimal(incumbent.task, number)
        others = sorted(check.not_optimal(incumbent.task, number) - chosen)
        until = run.deadline.share(1 / (count - number))
        progress = run.progress_of("explaining")
        found.append(explain_observations(incumbent.first, chosen, others, until, progress))
    return found


def _ranges(run: Run, stages: Stages, incumbent: Incumbent, check: Check) -> list[Range] | None:
    """The ranges found in time; None, and a note, if there can be none."""
    task = incumbent.task
    is_most = check.confirmed(task) >= incumbent.most_plans
    is_proven = is_most and incumbent.secondary_bound >= task.secondary(incumbent.costs)
    if incumbent.full is None or not is_proven:
        incumbent.notes.append(
            "no ranges: they need --alternatives exact and an answer that is proven to be the "
            "best, also in its second objective"
        )
        return None
    found, chosen = Ranges(task, incumbent.costs), check.optimal(task)
    with stages.stage("finding ranges", run.deadline, optional=True):
        find_ranges(incumbent.full, chosen, found, run.deadline, run.progress_of("ranges"))
    note = found.note()
    incumbent.notes += [] if note is None else [note]
    return found.all()


def least_factors_of(run: Run, task: LearningTask, failures: list[str]) -> list[LeastFactor]:
    """For each observation how near to optimal it can be at best, alone."""
    found: list[LeastFactor] = []
    for number in range(len(task.candidates)):
        run.progress("least factors", number, len(task.candidates))
        part = run.share(1 / (len(task.candidates) - number))
        try:
            found.append(find_least_factor(part, task, number))
        except SolverError as error:
            _log.warning("the least factor of a plan was not found: %s", error)
            failures.append(str(error))
            found.append(LeastFactor(None, None))
    observations = range(len(task.case.observations))
    return [found[task.candidate_of_observation[number]] for number in observations]

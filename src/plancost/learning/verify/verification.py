"""Is each observed plan optimal under given integer costs? By search, not by the learner.

Nothing that a learner believed is used here: the oracle looks for the cheapest plan
of each task, and for strict concepts for another plan that is as cheap.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Mapping
from concurrent.futures import as_completed
from dataclasses import dataclass
from fractions import Fraction

from plancost.learning.problem.concept import Reorderings, Ties
from plancost.learning.problem.task import Costs, LearningTask
from plancost.learning.run import Run
from plancost.learning.verify.oracle import oracle_for
from plancost.observations.orderings import other_ordering
from plancost.observations.planfile import Plan
from plancost.oracles.oracle import Allowed, Answer, Oracle
from plancost.system.clock import Deadline
from plancost.system.workers import Workers

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Verdict:
    """What the check says about one observation. None: it could not finish.

    A plan with a factor counts as optimal if it costs at most so many times the optimum.
    `rival` is a plan that costs less, or as much where that matters.
    """

    optimal: bool | None
    cost: int
    optimal_cost: int | None
    rival: Plan | None


def verify_costs(run: Run, task: LearningTask, costs: Costs) -> list[Verdict]:
    """Check every observation by search, with the oracles of the run."""
    return check_costs(run, task, costs, oracle_for(run, task, costs))


def check_costs(run: Run, task: LearningTask, costs: Costs, oracle: Oracle) -> list[Verdict]:
    """Check every observation; the answer is in their order."""
    verdicts = unchecked(task, costs)
    check_into(verdicts, run, task, costs, oracle, range(len(verdicts)))
    return verdicts


def check_into(
    verdicts: list[Verdict],
    run: Run,
    task: LearningTask,
    costs: Costs,
    oracle: Oracle,
    only: Iterable[int],
    first: Collection[int] = (),
) -> None:
    """Check these observations, and put each verdict in its place as soon as it is known.

    Tasks with observations that are to be checked first come first. Each task may use its share of
    the time that is left when its turn comes, so that a hard one does not leave nothing for the
    others.
    """
    check = _Check(task, costs, oracle)
    asked, early = frozenset(only), frozenset(first)
    members_of = task.case.observations_of_task
    tasks = [n for n, members in enumerate(members_of) if not asked.isdisjoint(members)]
    tasks.sort(key=lambda number: early.isdisjoint(members_of[number]))
    progress, jobs = run.progress_of("verifying"), run.executor.width
    progress(0, len(tasks), "")
    counted = _Counted(task, verdicts)

    def check_one(place: int) -> dict[int, Verdict]:
        share = min(1.0, jobs / (len(tasks) - place))
        return check.task_members(tasks[place], asked, run.deadline.share(share))

    with Workers(jobs) as pool:
        checks = [pool.submit(check_one, place) for place in range(len(tasks))]
        for done, check_of_task in enumerate(as_completed(checks), start=1):
            counted.take(check_of_task.result())
            progress(done, len(tasks), str(counted))
    _log.info("check by search: %s", counted)


class _Counted:
    """How many plans are known to be optimal, and of how many that could not be said."""

    def __init__(self, task: LearningTask, verdicts: list[Verdict]) -> None:
        self._observations = task.case.observations
        self._verdicts = verdicts
        self._count = {True: 0, False: 0, None: 0}
        for number, verdict in enumerate(verdicts):
            self._count[verdict.optimal] += self._observations[number].count

    def take(self, found: Mapping[int, Verdict]) -> None:
        """Verdicts in place of those before."""
        for number, verdict in found.items():
            self._count[self._verdicts[number].optimal] -= self._observations[number].count
            self._count[verdict.optimal] += self._observations[number].count
            self._verdicts[number] = verdict

    def __str__(self) -> str:
        open_ones = f", {self._count[None]} undecided" if self._count[None] else ""
        return f"{self._count[True]} plans optimal, {self._count[False]} not{open_ones}"


class _Check:
    """The check of one cost function by one oracle."""

    def __init__(self, task: LearningTask, costs: Costs, oracle: Oracle) -> None:
        self._task = task
        self._costs = costs
        self._named = task.named(costs)
        self._oracle = oracle

    def task_members(
        self, number: int, asked: frozenset[int], deadline: Deadline
    ) -> dict[int, Verdict]:
        """The verdicts on the observations of one task that are asked for."""
        task = self._task
        best = self._oracle.cheapest(number, self._named, deadline)
        verdicts: dict[int, Verdict] = {}
        known: dict[tuple[Plan, Fraction], Verdict] = {}
        for member in task.case.observations_of_task[number]:
            if member not in asked:
                continue
            plan, factor = task.case.observations[member].plan, task.factor(member)
            if (plan, factor) not in known:
                known[plan, factor] = self._plan(number, plan, factor, best, deadline)
            verdicts[member] = known[plan, factor]
        return verdicts

    def _plan(
        self, number: int, plan: Plan, factor: Fraction, best: Answer, deadline: Deadline
    ) -> Verdict:
        task = self._task
        cost = task.cost(plan, self._costs)
        if best.cost is not None and cost > factor * best.cost:
            return Verdict(False, cost, best.cost if best.proven else None, best.plan)
        if not best.proven or best.cost is None:
            rival = _other_ordering(task, number, plan)
            return Verdict(None if rival is None else False, cost, None, rival)
        if not task.concept.is_strict:
            return Verdict(True, cost, best.cost, None)
        allowed = allowed_plans(task, number, plan)
        if best.plan is not None and not allowed.contains(best.plan):
            return Verdict(False, cost, best.cost, best.plan)
        other = self._oracle.outside(number, self._named, allowed, cost, deadline)
        if other.plan is not None:
            return Verdict(False, cost, best.cost, other.plan)
        return Verdict(True if other.proven else None, cost, best.cost, None)


def _other_ordering(task: LearningTask, number: int, plan: Plan) -> Plan | None:
    """The same actions in an order that is not allowed: it costs as much, whatever the costs."""
    allowed = allowed_plans(task, number, plan)
    if not task.concept.is_strict or allowed.any_order:
        return None
    return other_ordering(task.case.tasks[number].sas, plan, allowed.plans).plan


def unchecked(task: LearningTask, costs: Costs) -> list[Verdict]:
    """What is known of every observation before any search."""
    return [
        Verdict(None, task.cost(observation.plan, costs), None, None)
        for observation in task.case.observations
    ]


def allowed_plans(task: LearningTask, number: int, plan: Plan) -> Allowed:
    """The plans that may tie with an observed plan under a strict concept."""
    any_order = task.concept.reorderings is Reorderings.SAME
    if task.concept.ties is Ties.ALTERNATIVES:
        return Allowed(frozenset([plan]), any_order)
    members = task.case.observations_of_task[number]
    return Allowed(frozenset(task.case.observations[m].plan for m in members), any_order)

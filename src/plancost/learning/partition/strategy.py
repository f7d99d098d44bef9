"""Several cost functions: each observed plan belongs to one of them (the paper's section 3).

Plans often come from people with mixed preferences, and one cost function for all of them explains
nobody well. Here the plans are divided into groups, each with costs of its own, so that most plans
are optimal under the costs of their group.

1. *The first objective* (`group_sets`) chooses the sets of plans that are optimal, on the actions
   that observed plans use, as for one group (see `exact`). Its bound holds for every partition.
2. *The second objective* finds the least costs of each group for the set that was chosen. That is
   proven for these sets only: other sets of as many plans may have a lower sum.

A plan that is optimal in no group is no part of either. When the costs are there, it is put where
it is nearest to optimal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from plancost.learning.exact.least_costs import LeastCosts, improve_costs
from plancost.learning.exact.price_reduction import reduce_prices
from plancost.learning.exact.strategy import (
    add_observed_rows,
    all_graphs,
    first_subproblem,
    separator_paths,
)
from plancost.learning.exact.tie_break import preferred_costs
from plancost.learning.partition.hitting_set import FeasibleSubsets, find_feasible_subsets
from plancost.learning.problem.concept import Reorderings, Ties
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import Costs, LearningTask, PlanSet
from plancost.learning.run import Oracles
from plancost.learning.separation.combined import build_separator
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.learning.verify.verification import Verdict
from plancost.system.clock import Deadline, Stopwatch
from plancost.system.progress import Progress
from plancost.system.schedule import SCHEDULE


@dataclass
class GroupAnswer:
    """The best answer so far, filled in while the work goes on."""

    costs: list[Costs]
    """One cost function for each group."""
    chosen: list[PlanSet]
    """The candidates that the optimiser thinks are optimal in each group."""
    least: list[bool]
    """Whether no cheaper costs make the same plans of the group optimal."""
    believed: int
    upper_bound: int
    sets: Subproblem | None = None
    """What is known of sets of plans on the used actions, for explanations."""
    history: list[tuple[float, int, int]] = field(default_factory=list)
    facts: dict[str, object] = field(default_factory=dict)
    """What is recorded among the options of the result."""

    @classmethod
    def baseline(cls, task: LearningTask, count: int) -> GroupAnswer:
        """All groups at the baseline, and nothing is claimed."""
        return cls(
            [task.baseline] * count,
            [frozenset()] * count,
            [False] * count,
            0,
            task.case.plan_count,
        )


def learn_groups(
    task: LearningTask,
    options: LearnOptions,
    searchers: Oracles,
    deadline: Deadline,
    answer: GroupAnswer,
    stopwatch: Stopwatch,
    progress: Progress,
) -> None:
    """Improve the answer until it is proven, nothing helps any more, or the time is up."""
    try:
        _first_objective(task, options, searchers, deadline, answer, stopwatch, progress)
    finally:
        stopwatch.lap("first objective")
    try:
        _second_objective(task, options, searchers, deadline, answer, progress)
    finally:
        stopwatch.lap("second objective")


def _first_objective(
    task: LearningTask,
    options: LearnOptions,
    searchers: Oracles,
    deadline: Deadline,
    answer: GroupAnswer,
    stopwatch: Stopwatch,
    progress: Progress,
) -> None:
    total = task.case.plan_count
    progress("first objective", 0, total)
    sets = first_subproblem(task, options, searchers, deadline)
    answer.sets = sets
    best = FeasibleSubsets.none(sets, len(answer.costs))

    def report(weight: int, bound: int) -> None:
        answer.costs, answer.chosen = list(best.costs), list(best.chosen)
        answer.believed, answer.upper_bound = weight, bound
        answer.facts["answer_from"], answer.facts["bound_from"] = best.answer_from, best.bound_from
        answer.history.append((stopwatch.seconds()["total"], weight, bound))
        progress("first objective", weight, total, f"{weight} optimal, at most {bound}")

    plain = task.concept.reorderings is Reorderings.DISTINCT and task.concept.ties is (
        Ties.ALTERNATIVES
    )
    report(best.weight, best.upper_bound)
    find_feasible_subsets(
        sets,
        deadline.share(SCHEDULE.primary),
        start=best,
        paths=separator_paths(sets) if plain else None,
        report=report,
        seed=options.seed,
    )
    report(best.weight, best.upper_bound)


def _second_objective(
    task: LearningTask,
    options: LearnOptions,
    searchers: Oracles,
    deadline: Deadline,
    answer: GroupAnswer,
    progress: Progress,
) -> None:
    if deadline.is_over:
        return
    separator = build_separator(task, None, options, searchers, deadline)
    sets = Subproblem(task, range(len(task.case.actions)), separator)
    if answer.sets is not None:  # what goes wrong is told in one place
        sets.failures, sets.notes = answer.sets.failures, answer.sets.notes
    add_observed_rows(sets)
    count = len(answer.costs)
    for group in range(count):
        progress("second objective", group, count)
        until = deadline.share(1 / (count - group))
        _least_costs(sets, answer, group, until, options.seed)
    progress("second objective", count, count)


def _least_costs(
    sets: Subproblem, answer: GroupAnswer, group: int, deadline: Deadline, seed: int
) -> None:
    """Lower the costs of one group as far as its plans stay optimal."""
    task, chosen = sets.task, answer.chosen[group]
    if not chosen:
        answer.costs[group], answer.least[group] = task.baseline, True
        return
    graphs = all_graphs(sets)
    if graphs is not None:
        lower = reduce_prices(task, graphs, chosen, answer.costs[group], deadline)
        if sets.check(lower, chosen, deadline):
            answer.costs[group] = lower
    costs = answer.costs[group]
    best = LeastCosts(chosen, costs, task.secondary(costs), task.secondary_floor)

    def report(costs: Costs, chosen: PlanSet, bound: int) -> None:
        answer.costs[group] = costs

    answer.least[group] = improve_costs(sets, best, deadline, report=report, seed=seed)
    if answer.least[group]:
        preferred = preferred_costs(sets, chosen, best.value, deadline)
        if preferred is not None:
            answer.costs[group] = preferred


def nearest_group(verdicts: Sequence[Verdict]) -> int:
    """The group in which a plan is nearest to optimal, by what the check found in each.

    Optimal ones first; then where its cost is the smallest multiple of the least cost.
    """

    def distance(group: int) -> tuple[int, float, int]:
        verdict = verdicts[group]
        if verdict.optimal:
            return 0, 0.0, group
        if verdict.optimal_cost is None:
            return 2, 0.0, group
        return 1, verdict.cost / max(1, verdict.optimal_cost), group

    return min(range(len(verdicts)), key=distance)

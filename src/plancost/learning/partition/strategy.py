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

from plancost.learning.exact.least_costs import Lowering, improve_costs
from plancost.learning.exact.price_reduction import reduce_prices
from plancost.learning.exact.subproblems import first_subproblem, full_subproblem
from plancost.learning.exact.tie_break import preferred_costs
from plancost.learning.incumbent import CostFunction, Incumbent
from plancost.learning.partition.hitting_set import find_feasible_subsets
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Run
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.system.schedule import SCHEDULE


def group_names(count: int) -> tuple[str, ...]:
    """Names for groups that have none."""
    return tuple(f"group-{number}" for number in range(1, count + 1))


def learn_groups(run: Run, task: LearningTask, incumbent: Incumbent) -> None:
    """Improve the incumbent until it is proven, nothing helps any more, or the time is up."""
    with run.lap("first objective"):
        _first_objective(run, task, incumbent)
    with run.lap("second objective"):
        _second_objective(run, task, incumbent)


def _first_objective(run: Run, task: LearningTask, incumbent: Incumbent) -> None:
    total = task.case.plan_count
    run.progress("first objective", 0, total)
    subproblem = incumbent.first = first_subproblem(run, task)

    def report() -> None:
        weight, bound = incumbent.weight, incumbent.upper_bound
        incumbent.history.append((run.stopwatch.seconds()["total"], weight, bound))
        run.progress("first objective", weight, bound, f"{weight} optimal, at most {bound}")

    incumbent.report = report
    report()
    until = run.deadline.share(SCHEDULE.primary)
    find_feasible_subsets(subproblem, incumbent, until, seed=run.options.seed)
    report()
    incumbent.report = lambda: None


def _second_objective(run: Run, task: LearningTask, incumbent: Incumbent) -> None:
    if run.deadline.is_over:
        return
    subproblem = incumbent.full = full_subproblem(run, task, incumbent.first)
    count = len(incumbent.functions)
    for number, function in enumerate(incumbent.functions):
        run.progress("second objective", number, count)
        _least_costs(run.share(1 / (count - number)), subproblem, function)
    run.progress("second objective", count, count)


def _least_costs(run: Run, subproblem: Subproblem, function: CostFunction) -> None:
    """Lower the costs of one group as far as its plans stay optimal."""
    task, deadline = subproblem.task, run.deadline
    if not function.chosen:
        function.costs = task.baseline
        function.secondary_bound = function.value
        return
    graphs = subproblem.separator.graphs()
    if graphs is not None:
        lower = reduce_prices(task, graphs, function.chosen, function.costs, deadline)
        if subproblem.check(lower, function.chosen, deadline):
            function.costs = lower
    if not improve_costs(subproblem, function, deadline, Lowering(seed=run.options.seed)):
        return
    function.secondary_bound = function.value
    preferred = preferred_costs(subproblem, function.chosen, function.value, deadline)
    if preferred is not None:
        function.costs = preferred

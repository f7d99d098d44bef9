"""The second objective of the exact strategy: the least secondary cost, on all actions.

Where the first objective is proven, over all sets of that many plans (`least_costs`); else for
the set at hand alone.
"""

from __future__ import annotations

import logging

from plancost.learning.checkpoint.session import SECOND, Checkpoint
from plancost.learning.exact.least_costs import find_least_costs, improve_costs
from plancost.learning.exact.price_reduction import reduce_prices
from plancost.learning.exact.subproblems import add_plans, full_subproblem
from plancost.learning.exact.tie_break import canonical_answer
from plancost.learning.incumbent import CostFunction, Incumbent
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Run
from plancost.learning.separation.top_k import failures_in, find_all_alternatives
from plancost.learning.subproblem.conflict import Conflict
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.system.schedule import SCHEDULE

_log = logging.getLogger(__name__)


def pursue_second_objective(
    run: Run, task: LearningTask, incumbent: Incumbent, checkpoint: Checkpoint
) -> None:
    """Lower the secondary cost as far as the same number of plans stays optimal."""
    subproblem = incumbent.full = _subproblem(run, task, incumbent)
    # Where all actions are looked at from the start, all was taken up with the first objective.
    same = subproblem is incumbent.first
    taken_up = subproblem.proofs if same else checkpoint.take_up(SECOND, subproblem)
    best = incumbent.only
    kept = checkpoint.best(SECOND, subproblem, run.deadline)
    if kept is not None and task.weight(kept[0]) == incumbent.weight:
        best.chosen, best.costs = kept
    graphs = subproblem.separator.graphs()
    if graphs is not None and task.prices_out and kept is None:
        lower = reduce_prices(task, graphs, best.chosen, best.costs, run.deadline)
        if subproblem.check(lower, best.chosen, run.deadline):
            best.costs = lower

    def report() -> None:
        checkpoint.note_best(SECOND, best.chosen, best.costs)
        _log.debug("second objective: %s", _in_words(best))
        run.progress("second objective", 0, 1, _in_words(best))

    if not incumbent.proved:
        improve_costs(subproblem, best, run.deadline, report=report, seed=run.options.seed)
        _log.info("second objective: %s", _in_words(best))
        return
    conflicts = [*incumbent.conflicts, *taken_up]
    find_least_costs(
        subproblem, conflicts, best, run.deadline, report=report, seed=run.options.seed
    )
    if best.is_least:
        _make_canonical(run, subproblem, conflicts, incumbent)
    proven = "proven" if best.is_least else "not proven"
    rows = subproblem.row_count
    _log.info("second objective: %s (%s), over %d rows", _in_words(best), proven, rows)
    run.progress("second objective", 1, 1, _in_words(best))


def _subproblem(run: Run, task: LearningTask, incumbent: Incumbent) -> Subproblem:
    """The subproblem on all actions, with the plans that are known beforehand."""
    subproblem = incumbent.first
    if subproblem is None or task.prices_out:
        run.progress("second objective", 0, 1, "building state graphs")
        subproblem = full_subproblem(run, task)
    description = incumbent.facts["oracle_second_objective"] = subproblem.description
    _log.info("second objective: %s", description)
    if run.options.top_k_seed:
        listed = find_all_alternatives(run.share(SCHEDULE.listing_before_secondary), task)
        incumbent.failures += failures_in(listed)
        add_plans(subproblem, [item.plans for item in listed])
    add_plans(subproblem, run.valid_plans(task.case))
    return subproblem


def _make_canonical(
    run: Run, subproblem: Subproblem, conflicts: list[Conflict], incumbent: Incumbent
) -> None:
    """Of all equally good answers take the one that every run and every solver takes."""
    best = incumbent.only
    canonical = canonical_answer(subproblem, conflicts, best, run.deadline)
    incumbent.facts["canonical"] = canonical is not None
    if canonical is not None:
        best.chosen, best.costs = canonical


def _in_words(best: CostFunction) -> str:
    refined = best.task.initial_costs is not None
    what = "distance from the initial costs" if refined else "sum of costs"
    return f"{what} {best.value}, at least {best.secondary_bound}"

"""The second objective: the least secondary cost over *all* sets of maximal weight.

Logic-based Benders decomposition. The master proposes the set of the maximal weight
whose known lower bound is least; the linear program over its rows (lazily found, as
ever) gives its true bound. The duals say which rows the bound rests on, and every
set that owns those rows costs at least as much: so one program bounds many sets.
Where the program's corner is not integral, an integer program takes its place.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from plancost.learning.incumbent import CostFunction
from plancost.learning.master.inequalities import Inequalities
from plancost.learning.master.integer_program import cheapest_set
from plancost.learning.problem.task import PlanSet
from plancost.learning.subproblem.conflict import Conflict, Undecided
from plancost.learning.subproblem.cost_lp import ProgramPoint
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.system.clock import Deadline

_log = logging.getLogger(__name__)

Report = Callable[[], None]
"""Told that there are new best costs or a better lower bound."""


def find_least_costs(
    subproblem: Subproblem,
    conflicts: list[Conflict],
    best: CostFunction,
    deadline: Deadline,
    *,
    report: Report = lambda: None,
    seed: int = 0,
) -> None:
    """Improve `best` until it is proven or the time is up.

    `best` holds a maximal set with costs that are verified on *all* actions;
    `conflicts` are those known (more are added).
    """
    task = subproblem.task
    weights = [candidate.weight for candidate in task.candidates]
    required = task.weight(best.chosen)
    cuts = Inequalities(len(weights), conflicts)
    proposal: PlanSet | None = best.chosen
    examined: set[PlanSet] = set()
    while not best.is_least and not deadline.is_over:
        if proposal is None:
            choice = subproblem.attempt(
                lambda: cheapest_set(
                    weights, cuts, conflicts, required, task.secondary_floor, deadline, seed
                )
            )
            if choice is None:
                break
            if choice.chosen is None and choice.finished:
                best.secondary_bound = best.value
                break
            best.secondary_bound = max(best.secondary_bound, min(choice.bound, best.value))
            _log.debug(
                "sets of plans: secondary cost %d, at least %d", best.value, best.secondary_bound
            )
            if choice.chosen is None or best.is_least or choice.chosen in examined:
                break  # nothing to examine, or no progress
            proposal = choice.chosen
        examined.add(proposal)
        cut = _examine(subproblem, proposal, best, deadline, report, seed)
        if isinstance(cut, Undecided):
            break
        conflicts.append(cut)
        cuts.add(cut)
        subproblem.keep(cut)
        proposal = None
    report()


def improve_costs(
    subproblem: Subproblem,
    best: CostFunction,
    deadline: Deadline,
    *,
    report: Report = lambda: None,
    seed: int = 0,
) -> bool:
    """The least costs for the set at hand alone; that proves nothing about other sets.

    True if no cheaper costs make this set optimal, False if the time ran out.
    """
    return not isinstance(
        _examine(subproblem, best.chosen, best, deadline, report, seed), Undecided
    )


def _examine(
    subproblem: Subproblem,
    chosen: PlanSet,
    best: CostFunction,
    deadline: Deadline,
    report: Report,
    seed: int,
) -> Conflict | Undecided:
    """Find the least costs of one set, or show that it cannot beat the best."""
    task = subproblem.task
    enough = best.value - task.objective.at_origin - 1 + 1e-6
    while True:
        point = subproblem.relax(chosen, deadline, stop_at=enough)
        if not isinstance(point, ProgramPoint):
            return point
        cut = subproblem.bound(point)
        bound = None if cut is None else cut.secondary
        if cut is not None and bound is not None and bound >= best.value:
            return cut
        costs = subproblem.integers.near(point, chosen, deadline)
        if isinstance(costs, Conflict):
            return costs
        if costs is None or bound is None or task.secondary(costs) > bound:
            costs = subproblem.integers.least(chosen, deadline, seed=seed)
            if isinstance(costs, Conflict):
                return costs
            if costs is None:
                return Undecided("out of time")
            bound = task.secondary(costs)
            cut = Conflict(tuple(frozenset([number]) for number in sorted(chosen)), None, bound)
            if bound >= best.value:
                return cut
        correct = subproblem.check(costs, chosen, deadline)
        if correct is None:
            return Undecided("out of time")
        if correct:
            best.costs, best.chosen = costs, chosen
            report()
            assert cut is not None
            return cut

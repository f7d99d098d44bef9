"""The second objective: the least secondary cost over *all* sets of maximal weight.

Logic-based Benders decomposition. The master proposes the set of the maximal weight
whose known lower bound is least; the linear program over its rows (lazily found, as
ever) gives its true bound. The duals say which rows the bound rests on, and every
set that induces those rows costs at least as much: so one program bounds many sets.
Where the program's corner is not integral, an integer program takes its place.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

from plancost.learning.master.inequalities import Inequalities
from plancost.learning.master.integer_program import cheapest_set
from plancost.learning.problem.task import Costs, PlanSet
from plancost.learning.subproblem.conflict import Conflict, Undecided
from plancost.learning.subproblem.cost_lp import ProgramPoint
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.system.clock import Deadline

_log = logging.getLogger(__name__)

Report = Callable[[Costs, PlanSet, int], None]
"""Told new best costs, the plans they make optimal, and the lower bound."""


@dataclass
class LeastCosts:
    """The best costs so far, and what is proven about their secondary cost."""

    chosen: PlanSet
    costs: Costs
    value: int
    lower_bound: int

    @property
    def proved(self) -> bool:
        """Whether no cheaper costs make as many plans optimal."""
        return self.value == self.lower_bound


def find_least_costs(
    subproblem: Subproblem,
    conflicts: list[Conflict],
    best: LeastCosts,
    deadline: Deadline,
    *,
    report: Report = lambda costs, chosen, bound: None,
    seed: int = 0,
) -> LeastCosts:
    """Improve `best` until it is proven or the time is up.

    `best` holds a maximal set with costs that are verified on *all* actions;
    `conflicts` are those known (more are added).
    """
    task = subproblem.task
    weights = [candidate.weight for candidate in task.candidates]
    required = task.weight(best.chosen)
    inequalities = Inequalities(len(weights), conflicts)
    proposal: PlanSet | None = best.chosen
    while not best.proved and not deadline.is_over:
        if proposal is None:
            choice = subproblem.attempt(
                lambda: cheapest_set(
                    weights, inequalities, conflicts, required, task.secondary_floor, deadline, seed
                )
            )
            if choice is None:
                break
            if choice.chosen is None and choice.finished:
                best.lower_bound = best.value
                break
            best.lower_bound = max(best.lower_bound, min(choice.bound, best.value))
            _log.debug(
                "sets of plans: secondary cost %d, at least %d", best.value, best.lower_bound
            )
            if choice.chosen is None or best.proved:
                break
            proposal = choice.chosen
        conflict = _examine(subproblem, proposal, best, deadline, report, seed)
        if isinstance(conflict, Undecided):
            break
        conflicts.append(conflict)
        inequalities.add(conflict)
        subproblem.keep(conflict)
        proposal = None
    report(best.costs, best.chosen, best.lower_bound)
    return best


def improve_costs(
    subproblem: Subproblem,
    best: LeastCosts,
    deadline: Deadline,
    *,
    report: Report = lambda costs, chosen, bound: None,
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
    best: LeastCosts,
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
        conflict = subproblem.bound(point)
        bound = None if conflict is None else conflict.secondary
        if conflict is not None and bound is not None and bound >= best.value:
            return conflict
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
            conflict = Conflict(
                tuple(frozenset([number]) for number in sorted(chosen)), None, bound
            )
            if bound >= best.value:
                return conflict
        correct = subproblem.check(costs, chosen, deadline)
        if correct is None:
            return Undecided("out of time")
        if correct:
            best.costs, best.chosen, best.value = costs, chosen, task.secondary(costs)
            report(costs, chosen, best.lower_bound)
            assert conflict is not None
            return conflict

"""One answer out of many equally good ones, the same on every run and every solver.

Optima are seldom unique, and which one a solver returns depends on its version. So a third
objective decides: weights that depend only on names. First the set of plans: of all sets
of maximal weight and least secondary cost, the one whose plans have the largest sum of
weights. Then the costs: of all that are least for that set, those with the least weighted
sum. The weights are scattered so widely that ties are all but impossible.
"""

from __future__ import annotations

import hashlib

from plancost.learning.exact.maximal_sets import MaximalSets
from plancost.learning.incumbent import CostFunction
from plancost.learning.problem.task import Costs, PlanSet
from plancost.learning.subproblem.conflict import Conflict
from plancost.learning.subproblem.cost_lp import ProgramPoint
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.learning.subproblem.integer_costs import Preference
from plancost.system.clock import Deadline

_WEIGHTS = 10_000


def name_weight(name: str) -> int:
    """A number from 1 to 10,000 that looks random and never changes."""
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()
    return 1 + int.from_bytes(digest[:8], "big") % _WEIGHTS


def canonical_answer(
    subproblem: Subproblem, conflicts: list[Conflict], best: CostFunction, deadline: Deadline
) -> tuple[PlanSet, Costs] | None:
    """The preferred one among all answers as good as `best`; None if out of time."""
    chosen = _preferred(subproblem, conflicts, best, deadline)
    if chosen is None:
        return None
    costs = preferred_costs(subproblem, chosen, best.value, deadline)
    return None if costs is None else (chosen, costs)


def _preferred(
    subproblem: Subproblem, conflicts: list[Conflict], best: CostFunction, deadline: Deadline
) -> PlanSet | None:
    task = subproblem.task
    preferences = [
        name_weight(f"{task.case.tasks[c.task].key} {' '.join(c.plan)}") for c in task.candidates
    ]
    within_budget = [
        Conflict(conflict.classes, conflict.certificate)
        for conflict in conflicts
        if conflict.secondary is None or conflict.secondary > best.value
    ]
    sets = MaximalSets(subproblem, within_budget, task.weight(best.chosen))
    tried: set[PlanSet] = set()
    while not deadline.is_over:
        quick = sets.go_by_conflicts(len(tried))
        chosen = sets.preferred(preferences, best.value, deadline, by_conflicts=quick)
        if chosen is None or chosen in tried:
            return None
        tried.add(chosen)
        if chosen == best.chosen:
            return chosen
        verdict = _costs_as_little(subproblem, chosen, best.value, deadline)
        if verdict is None:
            return None
        if not isinstance(verdict, Conflict):
            return chosen
        sets.add(verdict)
    return None


def _costs_as_little(
    subproblem: Subproblem, chosen: PlanSet, value: int, deadline: Deadline
) -> bool | Conflict | None:
    """True if a set can be had at that secondary cost, or the conflict that forbids it."""
    task = subproblem.task
    while True:
        point = subproblem.relax(chosen, deadline, stop_at=value - task.objective.at_origin + 1e-6)
        if isinstance(point, Conflict):
            return point
        if not isinstance(point, ProgramPoint):
            return None
        bound = subproblem.bound(point)
        if bound is not None and bound.secondary is not None and bound.secondary > value:
            return Conflict(bound.classes, None)
        costs = subproblem.integers.near(point, chosen, deadline)
        if isinstance(costs, Conflict):
            return costs
        if costs is None or task.secondary(costs) > value:
            costs = subproblem.integers.least(chosen, deadline)
            if costs is None or isinstance(costs, Conflict):
                return costs
            if task.secondary(costs) > value:
                return Conflict(tuple(frozenset([n]) for n in sorted(chosen)), None)
        correct = subproblem.check(costs, chosen, deadline)
        if correct is not False:
            return correct


def preferred_costs(
    subproblem: Subproblem, chosen: PlanSet, value: int, deadline: Deadline
) -> Costs | None:
    """The preferred costs among those that make a set optimal at that secondary cost."""
    names = subproblem.task.parameters
    weights = {action: name_weight(name) for action, name in enumerate(names)}
    return subproblem.best_integers(chosen, deadline, Preference(weights, value))

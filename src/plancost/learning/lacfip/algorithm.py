"""LACFIP^k: the paper's algorithm (its Algorithm 1).

For each observed plan take k alternatives (all of them if k is infinite), then
solve two MILPs: first the most plans that cost no more than their alternatives,
then the least secondary cost with that many. Actions that no row speaks of keep
their baseline cost.

The MILPs need a cap on costs. In the first the cap is enlarged when a cost
reaches it, and it is never the reason for a proof: the upper bound comes from
conflicts, which know no cap (`hitting_set`). In the second the best value known
caps every cost without loss.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, isfinite

from plancost.learning.exact.hitting_set import find_feasible_subset
from plancost.learning.incumbent import CostFunction, Incumbent
from plancost.learning.lacfip.milp import Formulation, formulate
from plancost.learning.problem.cuts import Cut, cuts_of
from plancost.learning.problem.rows import Row, is_infeasible, is_violated, is_void
from plancost.learning.problem.task import Costs, LearningTask, PlanSet
from plancost.learning.separation.protocol import NoSeparator
from plancost.learning.subproblem.conflict import Conflict
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.learning.subproblem.integer_costs import solve_integers
from plancost.observations.planfile import Plan
from plancost.solver.model import Model, Outcome, Status
from plancost.system.clock import Deadline

Solve = Callable[[Model, float | None, list[float] | None], Outcome]
"""A MILP solver: the model, the seconds it may take, and values of the columns to start from."""

_LARGEST_CAP = 2**20
"""Where enlarging the first cap ends; the conflicts' bound does not depend on it."""


def lacfip(
    incumbent: Incumbent,
    alternatives: Sequence[Sequence[Plan]],
    solve: Solve,
    deadline: Deadline,
    progress: Callable[[int, int, str], None] = lambda done, total, known: None,
) -> None:
    """Learn from the alternatives of each task; `alternatives` is indexed by task.

    The incumbent then has the costs of the second MILP, with the plans that they make optimal among
    these alternatives. Its upper bound holds for all alternatives.
    """
    task = incumbent.task
    demands = _Demands.of(task, alternatives)
    best = _solve_first(demands, solve, deadline)
    maximum = best.maximum
    known = f"second objective, {maximum.weight} plans, at most {maximum.upper_bound}"
    progress(1, 2, known)
    costs, secondary_bound, finished = _solve_second(demands, best, solve, deadline)
    incumbent.functions = [CostFunction(task, demands.satisfied_by(costs), costs, secondary_bound)]
    incumbent.upper_bound = min(incumbent.upper_bound, maximum.upper_bound)
    incumbent.conflicts = maximum.conflicts
    incumbent.facts |= {"cost_cap": best.cap, "milp_finished": best.finished and finished}


@dataclass(frozen=True)
class _Demands:
    """What the alternatives demand of the costs, for each candidate."""

    task: LearningTask
    rows: Sequence[Mapping[Row, Plan]]
    """Each row with the first alternative that it comes from."""
    infeasible_alone: Sequence[bool]

    @classmethod
    def of(cls, task: LearningTask, alternatives: Sequence[Sequence[Plan]]) -> _Demands:
        """The demands of these alternatives of each task."""
        rows = [
            _rows(task, number, alternatives[candidate.task])
            for number, candidate in enumerate(task.candidates)
        ]
        infeasible_alone = [
            candidate.has_loop or any(map(is_infeasible, own))
            for candidate, own in zip(task.candidates, rows, strict=True)
        ]
        return cls(task, rows, infeasible_alone)

    @cached_property
    def relevant(self) -> frozenset[int]:
        """The actions whose costs the MILP has to set (the paper's Remark 3)."""
        return frozenset(
            action
            for own, lost in zip(self.rows, self.infeasible_alone, strict=True)
            if not lost
            for coefficients, _ in own
            for action, _ in coefficients
        )

    def satisfied_by(self, costs: Costs) -> PlanSet:
        """The candidates that these costs make optimal among the alternatives."""
        return frozenset(
            number
            for number, own in enumerate(self.rows)
            if not self.infeasible_alone[number] and not any(is_violated(row, costs) for row in own)
        )

    def milp(self, caps: Mapping[int, int], required_weight: int | None = None) -> Formulation:
        """The first MILP, or the second if a number of optimal plans is required."""
        rows, infeasible_alone = self.rows, self.infeasible_alone
        return formulate(self.task, rows, infeasible_alone, caps, required_weight=required_weight)


@dataclass(frozen=True)
class _First:
    """The best set of plans with its bound, and the cap of the last MILP."""

    maximum: Incumbent
    cap: int
    finished: bool


def _rows(task: LearningTask, number: int, alternatives: Sequence[Plan]) -> dict[Row, Plan]:
    """The rows of a candidate, each with the first alternative that it comes from."""
    found: dict[Row, Plan] = {}
    for _, row, plan in cuts_of(task, number, alternatives):
        if not is_void(row):
            found.setdefault(row, plan)
    return found


def _solve_first(demands: _Demands, solve: Solve, deadline: Deadline) -> _First:
    """Most plans optimal. The baseline is the answer to fall back on."""
    task, relevant = demands.task, demands.relevant
    chosen, costs = demands.satisfied_by(task.baseline), task.baseline
    cap = 2 * max(
        [len(candidate.plan) for candidate in task.candidates]
        + [task.baseline[action] for action in relevant]
    )
    maximum: Incumbent | None = None
    while True:
        formulation = demands.milp(dict.fromkeys(relevant, max(2, cap)))
        start = formulation.start(chosen, costs, task)
        outcome = solve(formulation.model, deadline.remaining(), start)
        at_cap = False
        if outcome.values is not None:
            found = formulation.costs(outcome.values, task)
            satisfied = demands.satisfied_by(found)
            if task.weight(satisfied) > task.weight(chosen):
                chosen, costs = satisfied, found
            at_cap = any(found[action] >= cap for action in relevant)
        if maximum is None:
            maximum = _bound_by_conflicts(demands, chosen, costs, deadline)
        else:
            maximum.improve((chosen, costs))
        settled = maximum.proved or outcome.status is not Status.OPTIMAL
        if settled or not at_cap or 4 * cap > _LARGEST_CAP or deadline.is_over:
            finished = maximum.proved or outcome.status is Status.OPTIMAL
            return _First(maximum, cap, finished)
        cap *= 4


def _bound_by_conflicts(
    demands: _Demands, chosen: PlanSet, costs: Costs, deadline: Deadline
) -> Incumbent:
    """A bound without caps, by conflicts among the rows known."""
    task, infeasible_alone = demands.task, demands.infeasible_alone
    actions = frozenset(
        action for own in demands.rows for coefficients, _ in own for action, _ in coefficients
    )
    subproblem = Subproblem(task, actions, separator=NoSeparator())
    for number, own in enumerate(demands.rows):
        for row, plan in own.items():
            subproblem.add(Cut(number, row, plan))
    weights = [candidate.weight for candidate in task.candidates]
    conflicts = [
        Conflict((frozenset([number]),), None)
        for number, lost in enumerate(infeasible_alone)
        if lost
    ]
    alive = sum(weight for weight, lost in zip(weights, infeasible_alone, strict=True) if not lost)
    functions = [CostFunction(task, chosen, costs, task.secondary_floor)]
    start = Incumbent(task, functions, alive, conflicts)
    return start if start.proved else find_feasible_subset(subproblem, start, deadline)


def _solve_second(
    demands: _Demands, first: _First, solve: Solve, deadline: Deadline
) -> tuple[Costs, int, bool]:
    """Least secondary cost with as many plans, a lower bound on it, and if that was all.

    A good start matters, since it caps the costs: no cost can be further from its
    baseline than the whole secondary cost of a known answer is from its floor.
    """
    task, relevant = demands.task, demands.relevant
    chosen, best = first.maximum.chosen, first.maximum.costs
    known = list(dict.fromkeys(row for number in sorted(chosen) for row in demands.rows[number]))
    least = solve_integers(task, relevant, known, deadline)
    if least.costs is not None and task.secondary(least.costs) < task.secondary(best):
        best = least.costs
    excess = task.secondary(best) - task.secondary_floor
    caps = {action: task.baseline[action] + excess for action in relevant}
    weight = first.maximum.weight
    formulation = demands.milp(caps, required_weight=weight)
    start = formulation.start(demands.satisfied_by(best), best, task)
    outcome = solve(formulation.model, deadline.remaining(), start)
    if outcome.values is not None:
        costs = formulation.costs(outcome.values, task)
        enough = task.weight(demands.satisfied_by(costs)) >= weight
        if enough and task.secondary(costs) < task.secondary(best):
            best = costs
    bound = task.secondary_floor
    if isfinite(outcome.bound):
        bound = max(bound, ceil(outcome.bound - 1e-6) + _fixed_secondary(task, relevant))
    return best, min(bound, task.secondary(best)), outcome.status is Status.OPTIMAL


def _fixed_secondary(task: LearningTask, relevant: frozenset[int]) -> int:
    """The secondary cost of the actions that the MILP does not see, at their baseline."""
    seen = [task.baseline[action] for action in relevant]
    if task.initial_costs is None:
        return sum(task.baseline) - sum(seen)
    initial = [task.initial_costs[action] for action in relevant]
    return task.secondary_floor - sum(abs(cost - c) for cost, c in zip(seen, initial, strict=True))

"""LACFIP^k without its MILPs: the same two objectives over the same alternatives, row by row.

The paper's MILPs have a row for each alternative of each plan. Most of these rows never matter, and
the constant M that switches them off makes the bounds of the MILP weak. So the listed alternatives
take the place of a search here, and the algorithms of the exact strategy do the rest: which plans
can be optimal together is decided on the actions that observed plans use (others can be priced
out), and then the least costs are looked for on all actions. What is proven in the end is what two
solved MILPs prove: no costs make more plans cheapest among the listed alternatives, and none that
make as many have a lower secondary cost.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from plancost.learning.exact.hitting_set import find_feasible_subset
from plancost.learning.exact.least_costs import Lowering, find_least_costs, improve_costs
from plancost.learning.exact.second_objective import NEARLY_LEAST, PARTLY_LOWERED
from plancost.learning.incumbent import Incumbent
from plancost.learning.problem.task import LearningTask, PlanSet
from plancost.learning.separation.listed import ListedSeparator
from plancost.learning.subproblem.conflict import Conflict
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.observations.planfile import Plan
from plancost.system.clock import Deadline
from plancost.system.schedule import SCHEDULE


def learn_from_rows(
    incumbent: Incumbent,
    alternatives: Sequence[Sequence[Plan]],
    deadline: Deadline,
    seed: int = 0,
    progress: Callable[[int, int, str], None] = lambda done, total, known: None,
) -> None:
    """Learn from the alternatives of each task; `alternatives` is indexed by task.

    The incumbent then has the least costs found, with the plans that they make optimal among these
    alternatives. Its upper bound holds for all alternatives. It gets neither of the subproblems:
    what they say of sets of plans holds for listed alternatives alone.
    """
    incumbent.facts["milp_finished"] = False
    rows = _Rows.of(incumbent.task, alternatives)
    try:
        _first_objective(rows, incumbent, deadline.share(SCHEDULE.primary), seed)
        known = f"{incumbent.weight} plans, at most {incumbent.upper_bound}"
        progress(1, 2, f"second objective, {known}")
        _second_objective(rows.full, incumbent, deadline, seed)
        if not incumbent.proved:
            rows.take_in_others(incumbent)
    finally:  # also after Ctrl-C
        best = incumbent.only
        finished = incumbent.proved and best.is_least
        incumbent.facts["milp_finished"] = finished
        if not finished and best.chosen and best.value > NEARLY_LEAST * best.bound_of_set:
            incumbent.notes.append(PARTLY_LOWERED.format(best.bound_of_set))
        incumbent.notes += {**rows.first.notes, **rows.full.notes}
        incumbent.failures += {**rows.first.failures, **rows.full.failures}


@dataclass(frozen=True)
class _Rows:
    """The subproblems over listed alternatives, as `exact.subproblems` has them over all."""

    first: Subproblem
    """On the actions that decide which plans can be optimal together."""
    full: Subproblem
    """On all actions."""
    loops: PlanSet
    """Candidates that come back to a state: never optimal, whatever was listed."""

    @classmethod
    def of(cls, task: LearningTask, alternatives: Sequence[Sequence[Plan]]) -> _Rows:
        """The rows of these alternatives of each task."""
        separator = ListedSeparator(task, alternatives)
        full = Subproblem(task, range(len(task.parameters)), separator)
        loops = frozenset(n for n, candidate in enumerate(task.candidates) if candidate.has_loop)
        if not task.prices_out:
            return cls(full, full, loops)
        names = task.deciding_names
        few = [[plan for plan in some if names.issuperset(plan)] for some in alternatives]
        actions, separator = task.deciding_actions, ListedSeparator(task, few)
        return cls(Subproblem(task, actions, separator, prices_out=True), full, loops)

    def take_in_others(self, incumbent: Incumbent) -> None:
        """Claim all plans that the costs at hand make optimal among the alternatives."""
        everyone = frozenset(range(len(incumbent.task.candidates)))
        costs = incumbent.costs
        more = self.full.optimal_under(costs, everyone - self.loops, Deadline())
        if more is not None:
            incumbent.improve((more, costs))


def _first_objective(rows: _Rows, incumbent: Incumbent, deadline: Deadline, seed: int) -> None:
    """Most plans optimal; what is optimal at the baseline is the answer to fall back on."""
    task = incumbent.task
    incumbent.conflicts += [Conflict((frozenset([number]),), None) for number in sorted(rows.loops)]
    alive = frozenset(range(len(task.candidates))) - rows.loops
    incumbent.lower_bound_to(task.weight(alive))
    rows.take_in_others(incumbent)
    find_feasible_subset(rows.first, incumbent, deadline, seed=seed)
    for cut in rows.first.cuts():
        rows.full.add(cut)


def _second_objective(
    full: Subproblem, incumbent: Incumbent, deadline: Deadline, seed: int
) -> None:
    """The least costs of the set at hand, or of all as large if none is larger."""
    best = incumbent.only
    if not incumbent.proved:
        improve_costs(full, best, deadline, Lowering(seed=seed))
        return
    # An integer program for one set would take the time of all sets.
    improve_costs(full, best, deadline, Lowering(patience=lambda: 0.0, seed=seed))
    find_least_costs(full, [*incumbent.conflicts], best, deadline, Lowering(seed=seed))

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

from plancost.learning.exact.hitting_set import find_feasible_subset
from plancost.learning.exact.least_costs import Lowering, find_least_costs, improve_costs
from plancost.learning.incumbent import Incumbent
from plancost.learning.problem.task import LearningTask
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
    alternatives. Its upper bound holds for all alternatives.
    """
    task = incumbent.task
    first = _first_subproblem(task, alternatives)
    loops = frozenset(n for n, candidate in enumerate(task.candidates) if candidate.has_loop)
    incumbent.conflicts += [Conflict((frozenset([number]),), None) for number in sorted(loops)]
    incumbent.lower_bound_to(task.weight(n for n in range(len(task.candidates)) if n not in loops))
    find_feasible_subset(first, incumbent, deadline.share(SCHEDULE.primary), seed=seed)
    progress(1, 2, f"second objective, {incumbent.weight} plans, at most {incumbent.upper_bound}")
    full = first
    if task.prices_out:
        full = Subproblem(task, range(len(task.parameters)), ListedSeparator(task, alternatives))
        for cut in first.cuts():
            full.add(cut)
    best = incumbent.only
    improve_costs(full, best, deadline, Lowering(seed=seed))
    if incumbent.proved:
        find_least_costs(full, [*incumbent.conflicts], best, deadline, Lowering(seed=seed))
    incumbent.first, incumbent.full = first, full
    incumbent.facts["milp_finished"] = incumbent.proved and best.is_least


def _first_subproblem(task: LearningTask, alternatives: Sequence[Sequence[Plan]]) -> Subproblem:
    """What decides which plans can be optimal together, as `exact.subproblems` has it."""
    if task.prices_out:
        names = task.deciding_names
        alternatives = [[plan for plan in some if names.issuperset(plan)] for some in alternatives]
    separator = ListedSeparator(task, alternatives)
    return Subproblem(task, task.deciding_actions, separator, prices_out=task.prices_out)

"""The second objective: the least secondary cost, of one set of plans or of all of maximal weight.

*One set.* The linear program over its rows (lazily found) gives a bound. Integers close to its
optimum are a first answer; where they do not reach the bound, an integer program takes its place.

*All sets of maximal weight.* Logic-based Benders decomposition. The master proposes the set of
the maximal weight whose known lower bound is least; its linear program gives its true bound. The
duals say which rows the bound rests on, and every set that owns those rows costs at least as much:
so one program bounds many sets.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

from plancost.learning.incumbent import CostFunction
from plancost.learning.master.inequalities import Inequalities
from plancost.learning.master.integer_program import cheapest_set
from plancost.learning.problem.task import Costs, PlanSet
from plancost.learning.subproblem.conflict import Conflict, Undecided
from plancost.learning.subproblem.cost_lp import ProgramPoint
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.system.clock import Deadline

_log = logging.getLogger(__name__)

Report = Callable[[], None]
"""Told that there are new best costs or a better lower bound."""

Patience = Callable[[], float | None]
"""For how many seconds to go on from now without progress; None: until the deadline.

An integer program for one set, where one is needed to tell what is least, gets no longer than
that. With 0 there is none, and the costs of a set are mostly close to the least.
"""


def find_least_costs(
    subproblem: Subproblem,
    conflicts: list[Conflict],
    best: CostFunction,
    deadline: Deadline,
    *,
    report: Report = lambda: None,
    seed: int = 0,
    patience: Patience = lambda: None,
) -> float | None:
    """Improve `best` until it is proven or the time is up.

    `best` holds a maximal set with costs that are verified on *all* actions;
    `conflicts` are those known (more are added). Once the costs of that set are low, it ends also
    when neither the costs nor their bound improve any more: then it returns for how many seconds
    they have not.
    """
    task = subproblem.task
    weights = [candidate.weight for candidate in task.candidates]
    required = task.weight(best.chosen)
    cuts = Inequalities(len(weights), conflicts)
    search = _OneSet(subproblem, best, report, seed)
    proposal: PlanSet | None = best.chosen
    examined: set[PlanSet] = set()
    reached, patience_s, until = None, None, deadline
    while not best.is_least:
        now = best.value, best.secondary_bound
        if examined and reached != now:
            reached, patience_s = now, patience()
            until = deadline if patience_s is None else deadline.within(patience_s)
        if until.is_over:
            break
        if proposal is None:
            choice = subproblem.attempt(
                lambda: cheapest_set(
                    weights,
                    cuts,
                    conflicts,
                    required,
                    task.secondary_floor,
                    until,  # noqa: B023 (called at once)
                    seed,
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
        cut = search.examine(proposal, until, patience)
        examined.add(proposal)
        if isinstance(cut, Undecided):
            break
        conflicts.append(cut)
        cuts.add(cut)
        subproblem.keep(cut)
        proposal = None
    report()
    return patience_s if until.is_over and not deadline.is_over else None


def improve_costs(
    subproblem: Subproblem,
    best: CostFunction,
    deadline: Deadline,
    *,
    report: Report = lambda: None,
    seed: int = 0,
    patience: Patience = lambda: None,
) -> bool:
    """The least costs for the set at hand alone; that proves nothing about other sets.

    True if no cheaper costs make this set optimal, False if the time or the patience ran out.
    """
    search = _OneSet(subproblem, best, report, seed)
    return not isinstance(search.examine(best.chosen, deadline, patience), Undecided)


@dataclass(frozen=True)
class _OneSet:
    """Looks for the least costs of one set at a time, and improves `best` by them."""

    subproblem: Subproblem
    best: CostFunction
    report: Report
    seed: int

    def examine(
        self, chosen: PlanSet, deadline: Deadline, patience: Patience
    ) -> Conflict | Undecided:
        """Find the least costs of a set, or show that it cannot beat the best.

        What is close to the optimum of the linear program comes first. It is usable at once, and
        where it reaches the program's bound it is the least.
        """
        task, best, integers = self.subproblem.task, self.best, self.subproblem.integers
        while True:
            enough = best.value - task.objective.at_origin - 1 + 1e-6
            point = self.subproblem.relax(chosen, deadline, stop_at=enough)
            if not isinstance(point, ProgramPoint):
                if isinstance(point, Undecided) and self.subproblem.last is not None:
                    early = self.subproblem.bound(self.subproblem.last)
                    if early is not None and early.secondary is not None:
                        best.note_bound_of_set(chosen, early.secondary)
                return point
            cut = self.subproblem.bound(point)
            bound = task.secondary_floor if cut is None or cut.secondary is None else cut.secondary
            best.note_bound_of_set(chosen, bound)
            if cut is not None and bound >= best.value:
                return cut
            costs: Costs | Conflict | None = integers.close(point, chosen, deadline)
            if isinstance(costs, tuple) and task.secondary(costs) < best.value:
                taken = self._take(chosen, costs, deadline)
                if taken is None:
                    return Undecided("out of time")
                if not taken:
                    continue
                if cut is not None and bound == best.value:
                    return cut
            seconds = patience()
            if seconds == 0:
                return Undecided("only an integer program can tell")
            until = deadline if seconds is None else deadline.within(seconds)
            costs = integers.least(chosen, until, seed=self.seed)
            if isinstance(costs, Conflict):
                return costs
            if costs is None:
                return Undecided("out of time")
            bound = task.secondary(costs)
            best.note_bound_of_set(chosen, bound)
            cut = Conflict(tuple(frozenset([number]) for number in sorted(chosen)), None, bound)
            if bound >= best.value:
                return cut
            taken = self._take(chosen, costs, deadline)
            if taken is None:
                return Undecided("out of time")
            if taken:
                return cut

    def _take(self, chosen: PlanSet, costs: Costs, deadline: Deadline) -> bool | None:
        """Take cheaper costs if a search confirms them; None: not in time."""
        correct = self.subproblem.check(costs, chosen, deadline)
        if correct:
            self.best.chosen, self.best.costs = chosen, costs
            self.report()
        return correct

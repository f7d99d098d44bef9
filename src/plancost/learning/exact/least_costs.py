"""The second objective: the least secondary cost, of one set of plans or of all of maximal weight.

*One set.* The linear program over its rows (lazily found) gives a bound. Integers close to its
optimum are a first answer; where they do not reach the bound, an integer program takes its place.

*All sets of maximal weight.* Logic-based Benders decomposition. The master (`maximal_sets`) bounds
the secondary cost of all sets, and proposes the one that costs least by what is known. Its linear
program either confirms that or finds rows that were not known, and the master bounds more.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from plancost.learning.exact.maximal_sets import MaximalSets
from plancost.learning.exact.price_raising import can_raise_prices, raise_prices
from plancost.learning.exact.price_reduction import reduce_prices
from plancost.learning.exact.waiting import Patience, Waiting
from plancost.learning.incumbent import CostFunction
from plancost.learning.problem.task import Costs, PlanSet
from plancost.learning.subproblem.conflict import Conflict, Undecided
from plancost.learning.subproblem.cost_lp import ProgramPoint
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.system.clock import Deadline
from plancost.system.schedule import SCHEDULE

_log = logging.getLogger(__name__)

_MOST_CONFLICTS = 20
"""Of one proposed set of plans."""

Report = Callable[[], None]
"""Told that there are new best costs or a better lower bound."""


@dataclass(frozen=True)
class Lowering:
    """How costs are lowered: who is told, with what patience, and from which seed.

    An integer program for one set, where one is needed to tell what is least, gets no longer than
    the patience lasts. With 0 there is none, and the costs of a set are mostly close to the least.
    """

    report: Report = lambda: None
    patience: Patience = lambda: None
    seed: int = 0


def find_least_costs(
    subproblem: Subproblem,
    conflicts: list[Conflict],
    best: CostFunction,
    deadline: Deadline,
    lowering: Lowering = Lowering(),  # noqa: B008 (frozen)
) -> float | None:
    """Improve `best` until it is proven or the time is up.

    `best` holds a maximal set with costs that are verified on *all* actions;
    `conflicts` are those known (more are added). Once the costs of that set are low, it ends also
    when neither the costs nor their bound improve any more: then it returns for how many seconds
    they have not.
    """
    required = subproblem.task.weight(best.chosen)
    sets = MaximalSets(subproblem, conflicts, required, lowering.seed)
    search = _OneSet(subproblem, best, lowering)
    proposals = _Proposals(sets, best, lowering.report)
    proposal: PlanSet | None = best.chosen
    until, waiting = deadline, Waiting(lowering.patience)
    waits = sets.are_few  # with the bound of all sets: mostly one set after the other is enough
    if not waits:
        proposals.raise_bound(deadline.share(SCHEDULE.necessary_rows))
    while proposal is not None and not best.is_least and not until.is_over:
        cut = search.examine(proposal, until.share(SCHEDULE.own_set) if waits else until)
        if isinstance(cut, Undecided):
            if not waits:
                break
            waits = False
            proposals.raise_bound(deadline.share(SCHEDULE.necessary_rows))
            continue
        proposals.note(proposal, cut)
        if cut.secondary is None:
            for other in search.other_conflicts(proposal, cut, until):
                sets.add(other)
        proposal = proposals.next(until)
        waiting.note((best.value, best.secondary_bound))
        until = deadline.within(waiting.until.remaining())
    if len(best.chosen) == len(subproblem.task.candidates):
        proposals.raise_to(best.bound_of_set)  # there is no other set of as many plans
    lowering.report()
    return waiting.seconds if until.is_over and not deadline.is_over else None


def improve_costs(
    subproblem: Subproblem,
    best: CostFunction,
    deadline: Deadline,
    lowering: Lowering = Lowering(),  # noqa: B008 (frozen)
) -> bool:
    """The least costs for the set at hand alone; that proves nothing about other sets.

    True if no cheaper costs make this set optimal, False if the time or the patience ran out.
    """
    search = _OneSet(subproblem, best, lowering)
    return not isinstance(search.examine(best.chosen, deadline), Undecided)


class _Proposals:
    """Which set to examine next; raises the bound of `best` on the way."""

    def __init__(self, sets: MaximalSets, best: CostFunction, report: Report) -> None:
        self._sets = sets
        self._best = best
        self._report = report
        self._examined: set[PlanSet] = set()
        self._seconds = SCHEDULE.master_s

    def note(self, examined: PlanSet, cut: Conflict) -> None:
        """Take note of what was found out about a set."""
        self._examined.add(examined)
        self._sets.add(cut)
        if cut.secondary is not None:
            self._sets.add_set(examined)

    def raise_bound(self, deadline: Deadline) -> None:
        """Take the bound by the rows that all sets have, as far as the relaxation knows them."""
        self.raise_to(self._sets.bound(deadline))

    def next(self, deadline: Deadline) -> PlanSet | None:
        """A set that may cost less than the best; None: there is none, or none is found in time."""
        best = self._best
        if self._sets.go_by_conflicts(len(self._examined) - 1):
            return self._next_by_conflicts(deadline)
        self.raise_bound(deadline)
        if not best.is_least:
            until = deadline.share(SCHEDULE.necessary_rows)
            self.raise_to(self._sets.bound(until, by_sets=True))
        while not best.is_least and not deadline.is_over:
            choice = self._sets.cheapest(best.value - 1, deadline, self._seconds)
            if choice is None or (choice.finished and choice.chosen in self._examined):
                break  # it cannot tell: numbers are large
            self.raise_to(choice.bound)
            if choice.chosen is not None and choice.chosen not in self._examined:
                return choice.chosen
            self._seconds *= 2
        if best.is_least or deadline.is_over:
            return None
        return self._next_by_conflicts(deadline)

    def _next_by_conflicts(self, deadline: Deadline) -> PlanSet | None:
        """The same, by what is known of sets of plans alone."""
        best, choice = self._best, self._sets.cheapest_by_conflicts(deadline)
        if choice is None:
            return None
        self.raise_to(best.value if choice.chosen is None and choice.finished else choice.bound)
        return None if best.is_least or choice.chosen in self._examined else choice.chosen

    def raise_to(self, bound: int) -> None:
        """Take a bound that holds for all sets, if it is better."""
        best = self._best
        bound = min(bound, best.value)
        if bound > best.secondary_bound:
            best.secondary_bound = bound
            _log.debug("sets of plans: secondary cost %d, at least %d", best.value, bound)
            self._report()


@dataclass(frozen=True)
class _OneSet:
    """Looks for the least costs of one set at a time, and improves `best` by them."""

    subproblem: Subproblem
    best: CostFunction
    lowering: Lowering

    def examine(self, chosen: PlanSet, deadline: Deadline) -> Conflict | Undecided:
        """Find the least costs of a set, or show that it cannot beat the best.

        What is close to the optimum of the linear program comes first. It is usable at once, and
        where it reaches the program's bound it is the least.
        """
        task, best, integers = self.subproblem.task, self.best, self.subproblem.integers
        while True:
            enough = best.value - task.objective.at_origin - 1 + 1e-6
            on_graphs = self.subproblem.separator.graphs() is not None
            until = deadline.share(SCHEDULE.linear_program) if on_graphs else deadline
            point = self.subproblem.relax(chosen, until, stop_at=enough)
            if isinstance(point, Undecided):
                self._note_bound_so_far(chosen)
                if until.is_over and not deadline.is_over:
                    self._take_costs_so_far(chosen, deadline)
                    continue
            if not isinstance(point, ProgramPoint):
                return point
            cut = self.subproblem.bound(point)
            bound = task.secondary_floor if cut is None or cut.secondary is None else cut.secondary
            best.note_bound_of_set(chosen, bound)
            if cut is not None and bound >= best.value:
                return cut
            costs: Costs | Conflict | None = integers.close(point, chosen, deadline, least=True)
            if isinstance(costs, tuple) and task.secondary(costs) < best.value:
                taken = self._take(chosen, costs, deadline)
                if taken is None:
                    return Undecided("out of time")
                if not taken:
                    continue
                if cut is not None and bound == best.value:
                    return cut
            seconds = self.lowering.patience()
            if seconds == 0:
                return Undecided("only an integer program can tell")
            until = deadline.share(SCHEDULE.integers_of_set).within(seconds)
            costs = integers.least(chosen, until, seed=self.lowering.seed)
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

    def _note_bound_so_far(self, chosen: PlanSet) -> None:
        """The bound of a linear program that did not end."""
        point = self.subproblem.last
        cut = None if point is None else self.subproblem.bound(point)
        if cut is not None and cut.secondary is not None:
            self.best.note_bound_of_set(chosen, cut.secondary)

    def _take_costs_so_far(self, chosen: PlanSet, deadline: Deadline) -> None:
        """Costs close to a linear program that did not end, if they are less than the best.

        Alternatives that it does not know yet become more expensive, by actions that no plan uses.
        """
        subproblem, task = self.subproblem, self.subproblem.task
        point, separator = subproblem.last, subproblem.separator
        paths, graphs = separator.paths(), separator.graphs()
        if point is None or paths is None or graphs is None or not can_raise_prices(task):
            return
        costs = subproblem.integers.close(point, chosen, deadline, least=True)
        if costs is None or task.secondary(costs) >= self.best.value:
            return
        raised = raise_prices(task, paths, chosen, costs, deadline, begin=costs)
        if raised is not None:
            lower = reduce_prices(task, graphs, chosen, raised, deadline)
            if task.secondary(lower) < self.best.value:
                self._take(chosen, lower, deadline)

    def other_conflicts(
        self, chosen: PlanSet, conflict: Conflict, deadline: Deadline
    ) -> Iterator[Conflict]:
        """More conflicts of a set that is not possible, each of other plans."""
        for _ in range(_MOST_CONFLICTS):
            chosen -= conflict.members(chosen)
            answer = self.subproblem.relax(chosen, deadline)
            if not isinstance(answer, Conflict):
                return
            yield answer
            conflict = answer

    def _take(self, chosen: PlanSet, costs: Costs, deadline: Deadline) -> bool | None:
        """Take cheaper costs if a search confirms them; None: not in time."""
        correct = self.subproblem.check(costs, chosen, deadline)
        if correct:
            self.best.chosen, self.best.costs = chosen, costs
            self.lowering.report()
        return correct

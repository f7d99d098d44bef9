"""Which sets of plans can be optimal together? (facts: LP, lazy rows, Farkas)

`Subproblem` answers for one set at a time. It switches on the rows that the set induces
(`known_rows`). If the linear program has no solution, the proof names the rows, and every choice
of one inducing plan for each of those rows is a conflict. If it has one, a *separator* (a search
for cheaper plans under these costs) is asked for cuts that the solution breaks, until there are
none: then the answer speaks of all alternatives, not only of those listed.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from plancost.learning.problem.cuts import Cut
from plancost.learning.problem.task import Costs, LearningTask, PlanSet
from plancost.learning.separation.alone import possible_alone
from plancost.learning.separation.protocol import Separator
from plancost.learning.subproblem.certificates import certify, with_bounds
from plancost.learning.subproblem.conflict import Conflict, Possible, Undecided
from plancost.learning.subproblem.cost_lp import CostLP, ProgramPoint
from plancost.learning.subproblem.cut_pool import Numbers
from plancost.learning.subproblem.integer_costs import Preference
from plancost.learning.subproblem.integer_search import IntegerSearch
from plancost.learning.subproblem.known_rows import KnownRows
from plancost.learning.subproblem.more_cuts import broken_cuts
from plancost.learning.subproblem.pricing_out import PricesOut, priced_out
from plancost.observations.cost_files import LARGEST_LEARNED_COST
from plancost.solver.model import Status
from plancost.system.clock import Deadline

_TOLERANCE = 1e-7
"""Floating-point costs break a row only by more than this."""
_MOST_ROWS_AT_ONCE = 50
_PART_AT_ONCE = 0.5
"""Broken rows that are taken in before the program is solved again: so many, or that part."""
_QUICK = 10
"""Searches for cuts that take less time than the linear program."""
_TOO_EXPENSIVE = (
    "some action would have to cost more than {}, beyond which costs are not counted exactly; "
    "such costs were not looked at"
)


class Subproblem(KnownRows):
    """Decides for sets of candidates whether they can be optimal together.

    With `prices_out` the actions that a set does not use cost more than its plans, in
    all answers: right for the first objective, whatever it does to the second.
    """

    def __init__(
        self,
        task: LearningTask,
        actions: Iterable[int],
        separator: Separator,
        *,
        prices_out: bool = False,
    ) -> None:
        super().__init__(task, actions)
        self.separator = separator
        self.integers = IntegerSearch(self, self._completed)
        self._prices_out = prices_out
        self.start = np.asarray(task.baseline, dtype=np.float64)
        """Costs to begin a set with; they keep to what is given."""
        self.alone = possible_alone(task, separator.paths()) if prices_out else set()
        """Candidates that could be optimal, if they were the only ones."""
        self.last: ProgramPoint | None = None
        """The last solution in `relax`; its bound holds even if more rows are to come."""
        self.longest_check_s = 0.0
        """The longest that a search under integer costs has taken."""
        self.notes: dict[str, None] = {}
        """What ended questions early, but for time, in sentences."""

    @property
    def description(self) -> str:
        """Who looks for cuts, in a few words."""
        return self.separator.description

    def decide(self, chosen: PlanSet, deadline: Deadline) -> Possible | Conflict | Undecided:
        """Whether these plans can be optimal together."""
        while True:
            point = self.relax(chosen, deadline)
            if not isinstance(point, ProgramPoint):
                return point
            costs = self.integers.near(point, chosen, deadline)
            if costs is None:
                return Undecided("no integer costs found in time")
            if isinstance(costs, Conflict):
                return self.integers.without_redundant_plans(chosen, costs, deadline)
            costs = self._completed(costs, chosen)
            broken = self._separate(costs, chosen, deadline)
            if broken is None:
                return Undecided("out of time", self.separator.undecided())
            if not broken:
                return Possible(costs)
            if not self.learn(broken):
                return Undecided("the oracle repeats itself")

    def begin_near(self, costs: np.ndarray, chosen: Iterable[int]) -> None:
        """Look for costs of the next sets near these, and not near the baseline, if that is free.

        Only those of actions that the chosen plans use count. Where they make most plans of a set
        optimal, the linear program has little left to change, and few rows. The second objective
        is then answered elsewhere, since unused actions are priced out here.
        """
        task = self.task
        if not self._prices_out or task.composition is not None or task.known:
            return
        near = self.start.copy()
        used = task.count_matrix[sorted(chosen)].indices
        near[used] = costs[used]
        nearest = self._nearest(near)
        self.start = np.asarray(nearest, dtype=np.float64)
        self.program = CostLP(replace(task, initial_costs=nearest), self.actions)

    def rounded(
        self, costs: np.ndarray, chosen: PlanSet, deadline: Deadline
    ) -> tuple[PlanSet, Costs] | None:
        """Those of the plans that whole numbers near these costs make optimal, and the numbers.

        None: not in time, or the numbers do not keep to what is given.
        """
        integers = self._completed(self._nearest(costs), chosen)
        if not self.task.admits(integers):
            return None
        kept = self.optimal_under(integers, chosen, deadline)
        if kept is None or not self.check(integers, kept, deadline):
            return None
        return kept, integers

    def _nearest(self, costs: np.ndarray) -> Costs:
        """The nearest whole numbers within the bounds of each cost."""
        numbers = np.rint(costs).astype(int).tolist()
        return tuple(
            term.clipped(cost) for term, cost in zip(self.task.terms, numbers, strict=True)
        )

    def effort(self, chosen: Sequence[int]) -> int:
        """How many separate searches it takes to look for unknown cuts of these plans."""
        return self.separator.effort(chosen)

    def satisfies(self, costs: np.ndarray, candidate: int, deadline: Deadline) -> bool:
        """Whether floating-point costs seem to make a candidate optimal."""
        return bool(self.satisfying(costs, [candidate], deadline))

    def satisfying(
        self, costs: np.ndarray, candidates: Sequence[int], deadline: Deadline
    ) -> list[int]:
        """Those of the candidates that floating-point costs seem to make optimal."""
        left = [n for n in candidates if not self.pool.breaks_any(costs, n, _TOLERANCE)]
        if not left:
            return []
        broken = self.separator.violated(costs, left, exact=False, deadline=deadline)
        if broken is None:
            return []
        self.learn(broken)
        wrong = {cut.candidate for cut in broken}
        return [number for number in left if number not in wrong]

    def relax(
        self,
        chosen: PlanSet,
        deadline: Deadline,
        *,
        stop_at: float = np.inf,
        newest: int | None = None,
    ) -> ProgramPoint | Conflict | Undecided:
        """Solve the linear program over all alternatives that the separator finds.

        Stops early, with a point that only the known rows speak of, when the objective
        reaches `stop_at`. With `newest`, unknown cuts are looked for of that plan alone: if
        the others are known to be possible, it mostly decides, and much sooner.
        """
        self.last = None
        induced = self.pool.induced(chosen)
        self.program.keep_only(induced)
        price_out = PricesOut(self.task, chosen) if self._prices_out else None
        everyone = sorted(chosen) if newest is None else [newest]
        asked, is_first_attempt = everyone, True
        while True:
            infeasible = self.pool.infeasible(induced)
            if infeasible is not None:
                return self.certain(with_bounds(self.task, [self.pool.rows[infeasible]], [1]))
            point = self.attempt(lambda: self.program.solve(deadline.remaining()))
            if point is None:
                if not is_first_attempt:
                    return Undecided("the solver failed")
                is_first_attempt = False
                self.program.start_afresh()  # with fewer rows, it may succeed
                continue
            if point.status is Status.STOPPED:
                return Undecided("out of time")
            if point.status is Status.INFEASIBLE:
                return self._conflict(point)
            self.last = point
            if price_out is not None:
                point = replace(point, costs=price_out(point.costs))
            if self._take_in(self.pool.violated(point.costs, induced, _TOLERANCE)):
                continue
            soft = self.task.most_deviation is not None
            if soft and self.deviates(point.costs.tolist(), _TOLERANCE) is not None:
                induced = self.pool.induced(chosen)
                continue
            if point.objective >= stop_at:
                return point
            broken = self._broken(point.costs, asked, chosen, deadline)
            if broken is None:
                return Undecided("out of time")
            if self.learn(broken):
                induced = self.pool.induced(chosen)
                # Where cuts were found there are more; the others are asked again in the end.
                tasks = {self.task.candidates[cut.candidate].task for cut in broken}
                asked = [n for n in everyone if self.task.candidates[n].task in tasks]
            elif len(asked) < len(everyone):
                asked = everyone
            else:
                return point

    def _broken(
        self, costs: np.ndarray, asked: Sequence[int], chosen: PlanSet, deadline: Deadline
    ) -> list[Cut] | None:
        """Cuts of some plans that floating-point costs break; many of them where that is quick."""

        def separate(at: np.ndarray) -> list[Cut] | None:
            return self.separator.violated(at, asked, exact=False, deadline=deadline)

        on_graphs = self.separator.graphs() is not None
        if self._prices_out or not on_graphs or self.effort(asked) > _QUICK:
            return separate(costs)
        return broken_cuts(separate, costs, self.task.kept_actions(chosen))

    def best_integers(
        self, chosen: PlanSet, deadline: Deadline, preference: Preference
    ) -> Costs | None:
        """The preferred costs that make the chosen plans optimal; None: no time.

        Like `IntegerSearch.least`, but over all alternatives and not only over known rows.
        """
        while not deadline.is_over:
            costs = self.integers.least(chosen, deadline, preference)
            if costs is None or isinstance(costs, Conflict):
                return None
            correct = self.check(costs, chosen, deadline)
            if correct is None:
                return None
            if correct:
                return costs
        return None

    def check(self, costs: Costs, chosen: PlanSet, deadline: Deadline) -> bool | None:
        """Whether integer costs make the chosen plans optimal; learns from a no.

        None: not in time, or nothing new was learned, so that asking again is no use.
        """
        if self.broken(costs, chosen):
            return False
        broken = self._separate(costs, chosen, deadline)
        if broken is None:
            return None
        is_new = self.learn(broken)
        return None if broken and not is_new else not broken

    def optimal_under(self, costs: Costs, among: PlanSet, deadline: Deadline) -> PlanSet | None:
        """Those of the plans that integer costs make optimal; learns from the others.

        None: not in time.
        """
        broken = self._separate(costs, among, deadline)
        if broken is None:
            return None
        self.learn(broken)
        return among - {cut.candidate for cut in broken}

    def _completed(self, costs: Costs, chosen: PlanSet) -> Costs:
        """The costs with unused actions priced out, where that is done."""
        return priced_out(self.task, chosen, costs) if self._prices_out else costs

    def _separate(self, costs: Costs, chosen: PlanSet, deadline: Deadline) -> list[Cut] | None:
        if self.task.structure.exceeds(costs, LARGEST_LEARNED_COST):
            self.notes.setdefault(_TOO_EXPENSIVE.format(LARGEST_LEARNED_COST))
            return None
        integers = np.asarray(costs, dtype=np.int64)
        began = time.monotonic()
        broken = self.separator.violated(integers, sorted(chosen), exact=True, deadline=deadline)
        self.longest_check_s = max(self.longest_check_s, time.monotonic() - began)
        return broken

    def _take_in(self, numbers: Numbers) -> bool:
        """Move the worst of these rows into the program; False if all are there."""
        new = self.program.missing(numbers)
        most = max(_MOST_ROWS_AT_ONCE, int(_PART_AT_ONCE * len(new)))
        self.program.add_all({number: self.pool.rows[number] for number in new[:most]})
        return bool(new)

    def _conflict(self, point: ProgramPoint) -> Conflict | Undecided:
        certificate = certify(point.rows, point.multipliers, self.task)
        if certificate is None:
            return Undecided("the solver's proof does not hold in exact arithmetic")
        return self.certain(certificate)

"""LACFIP^k, the paper's algorithm: k alternatives of each plan, then two integer programs.

SymK lists the k cheapest alternatives of each problem (all of them if k is infinite). The first
program makes the most plans cost no more than their alternatives (`scf`: less); the second finds
the least costs (with `refine`: the nearest to the known ones) with as many. x is 1 if a plan is to
be optimal, y is the cost of an action, d its distance from the known one; for each alternative

    sum(y over plan - alternative) + margin <= sum(y over alternative - plan) + M (1 - x)

The paper has a z for each alternative besides; x alone does the same. M is the least that works
below a cap on costs. The first cap is a guess, so the first program proves nothing: the upper
bound comes from conflicts between these same rows, which know no cap. It holds for all
alternatives, since fewer of them only demand less. In the second program the best value known
caps every cost.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from math import ceil, isfinite

from plancost.case.model import Case
from plancost.clock import Clock, OutOfTimeError
from plancost.errors import PlannerError, UsageError
from plancost.learn.by_planners import ByPlanners
from plancost.learn.concept import TOLERANCE
from plancost.learn.feasibility import optimal_under
from plancost.learn.incumbent import Incumbent
from plancost.learn.lacfip_milp import Model, Solution, by_cbc, by_scip
from plancost.learn.mcf import whole_cut
from plancost.learn.outcome import Learned
from plancost.learn.rows import Costs, Cut, Row, Whole, whole
from plancost.learn.run import Run
from plancost.learn.separation import Separations
from plancost.learn.task import ONE, LearningTask
from plancost.options import LearnOptions
from plancost.progress import Progress, silent
from plancost.search.downward import Verdict
from plancost.search.planners import ANSWERS, Search

_LARGEST_CAP = 2**20
"""With larger costs M hides the ones from a solver's tolerances."""
_FOR_LISTING, _FOR_FIRST, _FOR_SET = 0.5, 0.4, 0.5
"""The parts of the time left that the steps may take."""


def lacfip(case: Case, options: LearnOptions, clock: Clock, progress: Progress = silent) -> Learned:
    """Learn from so many alternatives of each plan."""
    task = LearningTask(case, options)
    _refuse_extensions(task, options)
    return _Run(Incumbent(task, clock, progress), options, None, _Listings(task, options)).learned()


class _Listed(ByPlanners):
    """Planners are asked once, for alternatives of all plans; then nothing else is."""

    def separate(self, costs: Costs, plans: Sequence[int], most: int = 6) -> dict[int, list[Cut]]:
        """The plans that cost too much beside these alternatives, with rows."""
        return self.among_known(costs, plans, most)

    def rows(self) -> list[list[Row]]:
        """What each plan demands."""
        found = []
        for number, plan in enumerate(self.task.plans):
            others = (whole(number, o) for o in self.known[plan.problem] if o != plan.actions)
            margin = self.rules[number].margin
            rows = (whole_cut(self.task, o, margin, frozenset([number])).row for o in others)
            found.append([row for row in dict.fromkeys(rows) if row.coefficients or margin])
        return found


class _Listings(Separations):
    """Asks SymK for the alternatives, and tells what became of that."""

    listed: _Listed

    def __init__(self, task: LearningTask, options: LearnOptions) -> None:
        super().__init__(task, options)
        self.failures: list[PlannerError] = []
        self.unfinished = 0
        """Of how many problems there may be more."""

    def of_used(
        self, plans: list[int], clock: Clock, say: Callable[[str], None]
    ) -> tuple[_Listed, list[int]]:
        """The cheapest plans of each problem under the costs to begin with, and those observed."""
        say("alternatives")
        count, share = len(self.task.problems), clock.part(clock.remaining * _FOR_LISTING)
        self.listed = _Listed(self.task, self._rules(None), self.oracles.planners, share)
        asked = [partial(self._asked, problem, share) for problem in range(count)]
        for problem, found in enumerate(self.oracles.planners.together(asked)):
            self.listed.add(problem, found.plans)
            self.unfinished += found.verdict not in ANSWERS
        return self.listed, plans

    def of_all(self, plans: list[int], clock: Clock) -> _Listed:
        """The same ones."""
        return self.listed

    def _asked(self, problem: int, clock: Clock) -> Search:
        """One more than asked for, since a plan is no alternative of itself."""
        wanted = None if self.options.alternatives == "all" else int(self.options.alternatives) + 1
        costs = self.task.parameters.costs(self.task.parameters.baseline)
        task, strict = self.task.problem_of.index(problem), self.options.solution == "scf"
        planners, left = self.oracles.planners, len(self.task.problems) - problem
        share = clock.part(clock.remaining * planners.jobs / left)
        try:
            return planners.top_k(task, costs, wanted, share, ordered=strict)
        except PlannerError as failure:  # of other tasks the plans are listed all the same
            self.failures.append(failure)
            return Search(Verdict.NONE)


class _Run(Run):
    separations: _Listings

    def learned(self) -> Learned:
        """As every run; plans that are optimal among the alternatives may not be so among all."""
        learned = super().learned()
        pairs = zip(learned.verdicts, learned.claimed, strict=True)
        if all(verdict.optimal or not claim for verdict, claim in pairs):
            return learned
        # What is known of the second objective is so of sets of as many plans as were claimed.
        self.incumbent.second_bound, self.incumbent.least_for_set = 0, False
        return replace(learned, second=self.incumbent.second_objective)

    def _begin(self, plans: list[int]) -> None:
        """The first program; the baseline is the answer to fall back on."""
        parameters = self.task.parameters
        self._take_whole(parameters.baseline, plans)
        if self.incumbent.is_proved:
            return
        cap = 2 * max(int(self.task.lengths.max()), int(parameters.baseline.max()))
        model = Model(
            self.task, self.separations.listed.rows(), dict.fromkeys(range(parameters.count), cap)
        )
        share = self.search.clock.part(self.search.clock.remaining * _FOR_FIRST)
        solution = self._solve(model, share, "first")
        if solution.values is not None:
            self._take_whole(model.whole(solution.values), plans)
        self.search.insert([*self.incumbent.plans, *self.task.shortest_first])

    def _least_costs(self, clock: Clock) -> None:
        """The second program; the least costs of the set at hand are its caps."""
        parameters, incumbent = self.task.parameters, self.incumbent
        if self.separations.unfinished:
            self.notes.append(
                f"SymK did not finish on {self.separations.unfinished} of "
                f"{len(self.task.problems)} tasks; the plans that it had found were used"
            )
        with suppress(OutOfTimeError):
            self._least_for_set(clock.part(clock.remaining * _FOR_SET))
        excess = parameters.second(incumbent.values) - parameters.second_floor
        caps = {n: int(value) + excess for n, value in enumerate(parameters.baseline)}
        if max(caps.values()) > _LARGEST_CAP:
            self.notes.append("the costs are too large for the second integer program")
        elif incumbent.plans:
            model = Model(self.task, self.separations.listed.rows(), caps, incumbent.weight)
            solution = self._solve(model, clock, "second")
            if solution.values is not None:
                self._take_second(model.whole(solution.values), least=solution.is_optimal)
            if isfinite(solution.bound):
                incumbent.second_bound = ceil(solution.bound - TOLERANCE)
            if not solution.is_optimal:
                raise OutOfTimeError
        if self.separations.failures:
            raise self.separations.failures[0]

    def _solve(self, model: Model, clock: Clock, which: str) -> Solution:
        is_cbc = self.options.solver == "cbc"
        found = by_cbc(model, clock) if is_cbc else by_scip(model, clock, self.options.seed)
        if not found.is_optimal:
            self.notes.append(f"the {which} integer program was not solved to its end")
        return found

    def _take_second(self, values: Whole, *, least: bool) -> None:
        """Keep better costs for as many plans."""
        every = list(range(len(self.task.plans)))
        optimal = optimal_under(self.separations.listed, values, every)
        second = self.task.parameters.second
        is_better = second(values) < second(self.incumbent.values)
        if self.task.weight(optimal) >= self.incumbent.weight and (is_better or least):
            self.incumbent.take_second(optimal, values, least=least)


def _refuse_extensions(task: LearningTask, options: LearnOptions) -> None:
    """The paper's programs know nothing of these."""
    for is_given, words in (
        (not task.case.costs.is_plain, "bounds and features"),
        (any(o.total is not None for o in task.case.observations), "known totals"),
        (any(plan.factor != ONE for plan in task.plans), "factors of suboptimality"),
        (options.ties != "none", "ties"),
    ):
        if is_given:
            raise UsageError(f"{words} need `alternatives` exact: the paper's program has none")

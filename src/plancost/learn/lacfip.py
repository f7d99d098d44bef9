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

import numpy as np

from plancost.case.model import Case
from plancost.clock import Clock, OutOfTimeError
from plancost.errors import PlannerError, UsageError
from plancost.learn.concept import TOLERANCE, Costs
from plancost.learn.feasibility import Feasibility, optimal_under
from plancost.learn.incumbent import Incumbent, Whole
from plancost.learn.knowledge import Knowledge
from plancost.learn.lacfip_milp import Model, Solution, by_cbc, by_scip
from plancost.learn.least_costs import LeastCosts
from plancost.learn.mcf import whole_cut
from plancost.learn.most_plans import MostPlans, shortest_first
from plancost.learn.oracles import Oracles
from plancost.learn.outcome import Learned
from plancost.learn.rows import Cut, Row, RowPool, whole
from plancost.learn.steps import Steps
from plancost.learn.task import ONE, LearningTask
from plancost.options import LearnOptions
from plancost.progress import Progress, silent
from plancost.search.planners import ANSWERS, Search, Verdict

Actions = tuple[int, ...]

_LARGEST_CAP = 2**20
"""With larger costs M hides the ones from a solver's tolerances."""
_FOR_LISTING, _FOR_FIRST, _FOR_BOUND, _FOR_SECOND = 0.5, 0.4, 0.4, 0.9
"""The parts of the time left that the steps may take."""


def lacfip(case: Case, options: LearnOptions, clock: Clock, progress: Progress = silent) -> Learned:
    """Learn from so many alternatives of each plan."""
    task = LearningTask(case, options)
    _refuse_extensions(task, options)
    return _Run(Incumbent(task, clock, progress), options).learned()


class Listed:
    """The rows of listed alternatives, in place of a search for them."""

    def __init__(
        self, task: LearningTask, alternatives: Sequence[Sequence[Actions]], margin: int
    ) -> None:
        self._pool = RowPool(len(task.plans), task.parameters.count, ())
        for number, plan in enumerate(task.plans):
            others = (whole(number, o) for o in alternatives[plan.problem] if o != plan.actions)
            cuts = (whole_cut(task, other, margin, frozenset([number])) for other in others)
            self._pool.add(cut for cut in cuts if cut.row.coefficients or margin)
        self._demanded = [np.flatnonzero(self._pool.demanded([n])) for n in range(len(task.plans))]

    @property
    def rows(self) -> list[list[Row]]:
        """What each plan demands."""
        return [[self._pool.rows[n] for n in own.tolist()] for own in self._demanded]

    def separate(self, costs: Costs, plans: Sequence[int], most: int = 6) -> dict[int, list[Cut]]:
        """The plans that do not count under these costs, with the rows that are broken most."""
        excess = self._pool.excess(costs.astype(np.float64))
        least = 0.0 if costs.dtype == np.int64 else TOLERANCE
        found = {}
        for plan in plans:
            own = self._demanded[plan]
            worst = own[np.argsort(-excess[own], kind="stable")[:most]].tolist()
            cuts = [self._cut(row) for row in worst if excess[row] > least]
            if cuts:
                found[plan] = cuts
        return found

    def _cut(self, number: int) -> Cut:
        pool, why = self._pool, self._pool.why[number]
        assert why is not None
        return Cut(pool.rows[number], frozenset(pool.plans[number]), why)


class _Run:
    def __init__(self, incumbent: Incumbent, options: LearnOptions) -> None:
        self.incumbent, self.task, self.options = incumbent, incumbent.task, options
        self.steps = Steps(incumbent, Oracles(self.task.case, options))
        self.every = list(range(len(self.task.plans)))
        self.alternatives = [
            [plan.actions for plan in self.task.plans if plan.problem == problem]
            for problem in range(len(self.task.problems))
        ]
        self.failures: list[PlannerError] = []

    def learned(self) -> Learned:
        """All steps, each as far as the clock lets it."""
        incumbent = self.incumbent
        steps: list[tuple[str, float, Callable[[Clock], None]]] = [
            ("alternatives", _FOR_LISTING, self._list),
            ("most plans", _FOR_FIRST, self._first),
            ("bound", _FOR_BOUND, self._bound),
            ("least costs", _FOR_SECOND, self._second),
        ]
        for name, part, step in steps:
            if self.steps.ending != "interrupted" and not self._none_exists:
                clock = incumbent.clock
                self.steps.take(name, step, clock.part(clock.remaining * part))
        if self.options.solution == "icf" and len(incumbent.plans) < len(self.every):
            incumbent.plans, incumbent.values = [], self.task.parameters.baseline
        learned = self.steps.learned(none_exists=self._none_exists)
        pairs = zip(learned.verdicts, learned.claimed, strict=True)
        if all(verdict.optimal or not claim for verdict, claim in pairs):
            return learned
        # What is known of the second objective is so of sets of as many plans as were claimed.
        incumbent.second_bound, incumbent.least_for_set = 0, False
        return replace(learned, second=incumbent.second_objective)

    @property
    def _none_exists(self) -> bool:
        """Whether it is proven (icf) that not all plans can be optimal."""
        everything = self.task.weight(self.every)
        return self.options.solution == "icf" and self.incumbent.bound < everything

    def _list(self, clock: Clock) -> None:
        """The cheapest plans of each problem under the costs to begin with."""
        self.incumbent.say("alternatives")
        count = len(self.task.problems)
        listings = [partial(self._listed, problem, clock) for problem in range(count)]
        found = self.steps.oracles.planners.together(listings)
        unfinished = sum(search.verdict not in ANSWERS for search in found)
        if unfinished:
            self.steps.notes.append(
                f"SymK did not finish on {unfinished} of {count} tasks; "
                "the plans that it had found were used"
            )
        if self.failures:
            raise self.failures[0]

    def _listed(self, problem: int, clock: Clock) -> Search:
        """One more than asked for, since a plan is no alternative of itself."""
        wanted = None if self.options.alternatives == "all" else int(self.options.alternatives) + 1
        costs = self.task.parameters.costs(self.task.parameters.baseline)
        task, strict = self.task.problem_of.index(problem), self.options.solution == "scf"
        planners, left = self.steps.oracles.planners, len(self.task.problems) - problem
        share = clock.part(clock.remaining * planners.jobs / left)
        try:
            found = planners.top_k(task, costs, wanted, share, ordered=strict)
        except PlannerError as failure:  # of other tasks the plans are listed all the same
            self.failures.append(failure)
            return Search(Verdict.NONE)
        self.alternatives[problem] += found.plans
        return found

    def _first(self, clock: Clock) -> None:
        """The first program; the baseline is the answer to fall back on."""
        parameters = self.task.parameters
        self.listed = Listed(self.task, self.alternatives, int(self.options.solution == "scf"))
        self._take(parameters.baseline)
        if self.incumbent.is_proved:
            return
        cap = 2 * max(int(self.task.lengths.max()), int(parameters.baseline.max()))
        caps = dict.fromkeys(range(parameters.count), cap)
        model = Model(self.task, self.listed.rows, caps)
        solution = self._solve(model, clock)
        if solution.values is not None:
            self._take(model.whole(solution.values))
        self._end(solution, "first")

    def _bound(self, clock: Clock) -> None:
        """A bound that knows no cap, from conflicts; costs beyond the cap if these do better."""
        if self.incumbent.is_proved:
            return
        feasibility = Feasibility(self.task, self.listed, clock)
        knowledge = Knowledge(self.incumbent, None)
        search = MostPlans(feasibility, self.incumbent, knowledge, self.options.seed)
        search.insert([*self.incumbent.plans, *shortest_first(self.task.lengths)])
        search.run()

    def _second(self, clock: Clock) -> None:
        """The second program; least costs of the set at hand are where it starts."""
        parameters, incumbent = self.task.parameters, self.incumbent
        if not incumbent.plans:
            return
        with suppress(OutOfTimeError):
            least = LeastCosts(self.task, self.listed, clock.part(clock.remaining / 2))
            found = least.of(incumbent.plans)
            if found.values is not None and found.value < parameters.second(incumbent.values):
                incumbent.take_second(incumbent.plans, found.values, least=found.is_least)
        excess = parameters.second(incumbent.values) - parameters.second_floor
        caps = {n: int(value) + excess for n, value in enumerate(parameters.baseline)}
        if max(caps.values()) > _LARGEST_CAP:
            self.steps.notes.append("the costs are too large for the second integer program")
            return
        model = Model(self.task, self.listed.rows, caps, incumbent.weight)
        solution = self._solve(model, clock)
        if solution.values is not None:
            self._take_second(model.whole(solution.values), least=solution.is_optimal)
        if isfinite(solution.bound):
            incumbent.second_bound = ceil(solution.bound - TOLERANCE)
        self._end(solution, "second")

    def _solve(self, model: Model, clock: Clock) -> Solution:
        if self.options.solver == "cbc":
            return by_cbc(model, clock)
        start = model.start(self.incumbent.plans, self.incumbent.values)
        return by_scip(model, clock, self.options.seed, start)

    def _end(self, solution: Solution, which: str) -> None:
        if not solution.is_optimal:
            self.steps.notes.append(f"the {which} integer program was not solved to its end")
            raise OutOfTimeError

    def _take(self, values: Whole) -> None:
        """Keep costs that make more plans optimal among the alternatives."""
        optimal = optimal_under(self.listed, values, self.every)
        if self.task.weight(optimal) > self.incumbent.weight:
            self.incumbent.take(optimal, values)

    def _take_second(self, values: Whole, *, least: bool) -> None:
        """Keep better costs for as many plans."""
        optimal = optimal_under(self.listed, values, self.every)
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

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

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from math import ceil, isfinite

import numpy as np
from scipy.sparse import csr_array

from plancost.case.model import Case
from plancost.clock import Clock, OutOfTimeError
from plancost.errors import PlancostError, PlannerError, SolverError, UsageError
from plancost.learn.concept import TOLERANCE, Costs
from plancost.learn.feasibility import Feasibility, UndecidedError, optimal_under
from plancost.learn.incumbent import Incumbent, Whole
from plancost.learn.knowledge import Knowledge
from plancost.learn.lacfip_milp import Model, by_cbc, by_scip
from plancost.learn.least_costs import LeastCosts
from plancost.learn.mcf import whole_cut
from plancost.learn.most_plans import MostPlans, shortest_first
from plancost.learn.oracles import Oracles
from plancost.learn.outcome import Ending, Learned, Second, Verdict
from plancost.learn.rows import Cut, Row, whole
from plancost.learn.task import ONE, LearningTask
from plancost.learn.verify import verify
from plancost.options import LearnOptions
from plancost.processes import usable_cores
from plancost.progress import Progress, silent
from plancost.search.downward import Verdict as Answer
from plancost.search.planners import Planners

Actions = tuple[int, ...]

_LARGEST_CAP = 2**20
"""With larger costs M hides the ones from a solver's tolerances."""
_FOR_LISTING, _FOR_FIRST, _FOR_BOUND, _FOR_SECOND = 0.5, 0.4, 0.4, 0.9
"""The parts of the time left that the steps may take."""


def lacfip(case: Case, options: LearnOptions, clock: Clock, progress: Progress = silent) -> Learned:
    """Learn from so many alternatives of each plan; "baseline": from none."""
    return _Run(case, options, clock, progress).learned()


class Listed:
    """The rows of listed alternatives, in place of a search for them."""

    def __init__(
        self, task: LearningTask, alternatives: Sequence[Sequence[Actions]], margin: int
    ) -> None:
        self.rows: list[dict[Row, Actions]] = [{} for _ in task.plans]
        """Of each plan: what it demands, each row with an alternative that it comes from."""
        for number, plan in enumerate(task.plans):
            for other in alternatives[plan.problem]:
                row = whole_cut(task, whole(number, other), margin, frozenset()).row
                if other != plan.actions and (row.coefficients or row.margin > 0):
                    self.rows[number].setdefault(row, other)
        flat = [row for own in self.rows for row in own]
        ends = np.cumsum([0, *(len(row.coefficients) for row in flat)])
        entries = [pair for row in flat for pair in row.coefficients]
        data = np.array([times for _, times in entries], dtype=np.int64)
        places = np.array([place for place, _ in entries], dtype=np.int64)
        self._matrix = csr_array((data, places, ends), shape=(len(flat), task.parameters.count))
        self._margins = np.array([row.margin for row in flat], dtype=np.int64)
        self._begins = np.cumsum([0, *map(len, self.rows)])

    def separate(self, costs: Costs, plans: Sequence[int], most: int = 6) -> dict[int, list[Cut]]:
        """The plans that do not count under these costs, with the rows that are broken most."""
        excess = self._matrix @ costs + self._margins
        least = 0.0 if costs.dtype == np.int64 else TOLERANCE
        found = {}
        for plan in plans:
            own = excess[self._begins[plan] : self._begins[plan + 1]]
            broken = [n for n in np.argsort(-own, kind="stable")[:most].tolist() if own[n] > least]
            if broken:
                known = list(self.rows[plan].items())
                members = frozenset([plan])
                found[plan] = [Cut(known[n][0], members, whole(plan, known[n][1])) for n in broken]
        return found


class _Run:
    def __init__(self, case: Case, options: LearnOptions, clock: Clock, progress: Progress) -> None:
        self.case, self.options, self.clock = case, options, clock
        self.task = LearningTask(case, options)
        self.incumbent = Incumbent(self.task, clock, progress)
        self.every = list(range(len(self.task.plans)))
        self.seconds: dict[str, float] = {}
        self.notes: list[str] = []
        self.ending, self.complaint = Ending.DONE, ""
        self.second_bound = 0
        if options.alternatives != "baseline":
            _refuse_extensions(self.task, options)

    def learned(self) -> Learned:
        """All steps, each as far as the clock lets it."""
        steps: list[tuple[str, float, Callable[[Clock], None]]] = [
            ("alternatives", _FOR_LISTING, self._list),
            ("most plans", _FOR_FIRST, self._first),
            ("bound", _FOR_BOUND, self._bound),
            ("least costs", _FOR_SECOND, self._second),
        ]
        self.alternatives = [
            [plan.actions for plan in self.task.plans if plan.problem == problem]
            for problem in range(len(self.task.problems))
        ]
        if self.options.alternatives != "baseline":
            for name, part, step in steps:
                if self.ending is not Ending.INTERRUPTED and not self._is_hopeless():
                    self._keeping(name, part, step)
        return self._assembled()

    def _is_hopeless(self) -> bool:
        """Whether (icf) not all plans can be optimal."""
        return self.options.solution == "icf" and self.incumbent.bound < sum(self.task.weights)

    def _keeping(self, name: str, part: float, step: Callable[[Clock], None]) -> None:
        """Do a step; what ends it early is noted, and what was found stays."""
        began = time.monotonic()
        try:
            step(self.clock.part(self.clock.remaining * part))
        except OutOfTimeError:
            self.ending = Ending.LIMIT
        except UndecidedError as trouble:
            self.notes.append(f"numerical trouble ended a step early: {trouble}")
        except (PlannerError, SolverError) as failure:
            self.ending, self.complaint = Ending.FAILED, str(failure)
        except KeyboardInterrupt:
            self.ending = Ending.INTERRUPTED
        self.seconds[name] = round(time.monotonic() - began, 3)

    def _list(self, clock: Clock) -> None:
        """The cheapest plans of each problem under the costs to begin with."""
        self.incumbent.say("alternatives")
        stop = threading.Event()
        options, jobs = self.options, self.options.jobs or usable_cores()
        planners = Planners(self.case, memory_mb=options.memory_limit, jobs=jobs, stop=stop)
        share = clock.remaining * jobs / max(1, len(self.task.problems))
        unfinished = 0
        with ThreadPoolExecutor(jobs) as pool:
            try:
                listing = [
                    pool.submit(self._listed, planners, problem, partial(clock.part, share))
                    for problem in range(len(self.task.problems))
                ]
                for problem, found in enumerate(listing):
                    try:
                        plans, is_finished = found.result()
                    except PlannerError as failure:
                        self.ending, self.complaint = Ending.FAILED, str(failure)
                        continue
                    self.alternatives[problem] += plans
                    unfinished += not is_finished
            finally:
                stop.set()
                pool.shutdown(cancel_futures=True)
        if unfinished:
            self.notes.append(
                f"SymK did not finish on {unfinished} of {len(self.task.problems)} tasks; "
                "the plans that it had found were used"
            )

    def _listed(
        self, planners: Planners, problem: int, share: Callable[[], Clock]
    ) -> tuple[Sequence[Actions], bool]:
        count = None if self.options.alternatives == "all" else int(self.options.alternatives)
        costs = self.task.parameters.costs(self.task.parameters.baseline).astype(np.int64)
        task = self.task.problem_of.index(problem)
        strict = self.options.solution == "scf"
        # One more than asked for: a plan is no alternative of itself.
        wanted = None if count is None else count + 1
        found = planners.top_k(task, costs, wanted, share(), ordered=strict)
        return found.plans, found.verdict in (Answer.FOUND, Answer.NONE)

    def _first(self, clock: Clock) -> None:
        """The first program; the baseline is the answer to fall back on."""
        parameters = self.task.parameters
        self.listed = Listed(self.task, self.alternatives, int(self.options.solution == "scf"))
        baseline = parameters.baseline
        self._take(baseline)
        if self.incumbent.is_proved:
            return
        cap = 2 * max(int(self.task.lengths.max()), int(baseline.max()))
        solution = self._solve(dict.fromkeys(range(parameters.count), cap), None, clock)
        if solution.values is not None:
            self._take(solution.values)
        self._note_end(solution, "first")

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
            incumbent.values = parameters.baseline
            self.second_bound = parameters.second_floor
            return
        with suppress(OutOfTimeError):
            least = LeastCosts(self.task, self.listed, clock.part(clock.remaining / 2))
            found = least.of(incumbent.plans)
            if found.values is not None and found.value < parameters.second(incumbent.values):
                incumbent.take_second(incumbent.plans, found.values, least=found.is_least)
        excess = parameters.second(incumbent.values) - parameters.second_floor
        caps = {n: int(value) + excess for n, value in enumerate(parameters.baseline)}
        if max(caps.values()) > _LARGEST_CAP:
            self.notes.append("the costs are too large for the second integer program")
            return
        solution = self._solve(caps, incumbent.weight, clock)
        if solution.values is not None:
            self._take_second(solution.values, least=solution.is_optimal)
        if isfinite(solution.bound):
            self.second_bound = ceil(solution.bound - TOLERANCE)
        self._note_end(solution, "second")

    def _note_end(self, solution: _Solved, which: str) -> None:
        if not solution.is_optimal:
            self.notes.append(f"the {which} integer program was not solved to its end")
            self.ending = Ending.LIMIT if self.ending is Ending.DONE else self.ending

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

    def _solve(self, caps: Mapping[int, int], required: int | None, clock: Clock) -> _Solved:
        """One of the two programs: the second if a number of optimal plans is required."""
        model = Model(self.task, self.listed.rows, caps, required)
        if self.options.solver == "cbc":
            solution = by_cbc(model.program, clock)
        else:
            start = model.start(self.incumbent.plans, self.incumbent.values)
            solution = by_scip(model.program, clock, self.options.seed, start)
        values = None if solution.values is None else model.whole(solution.values)
        return _Solved(values, solution.bound + model.fixed, solution.is_optimal)

    def _assembled(self) -> Learned:
        parameters, incumbent = self.task.parameters, self.incumbent
        none_exists = self._is_hopeless()
        if none_exists or (self.options.solution == "icf" and not incumbent.is_proved):
            incumbent.plans, incumbent.values = [], parameters.baseline
        costs = parameters.costs(incumbent.values).tolist()
        verdicts = self._verdicts(costs)
        chosen = set(incumbent.plans)
        claimed = [plan in chosen for plan in self.task.plan_of]
        if self.options.alternatives == "baseline":
            claimed = [verdict.optimal is True for verdict in verdicts]
        self.seconds["total"] = round(self.clock.seconds, 3)
        is_bound = all(v.optimal or not c for v, c in zip(verdicts, claimed, strict=True))
        floor, value = parameters.second_floor, parameters.second(incumbent.values)
        bound = min(value, max(floor, self.second_bound if is_bound else floor))
        is_least = bound >= value or (is_bound and incumbent.least_for_set)
        return Learned(
            costs=tuple(costs),
            parameters=tuple(incumbent.values[: parameters.own_count].tolist()),
            claimed=tuple(claimed),
            upper_bound=0 if none_exists else incumbent.bound,
            second=None if none_exists else Second(value, bound, is_least),
            verdicts=verdicts,
            none_exists=none_exists,
            ending=self.ending,
            complaint=self.complaint,
            seconds=self.seconds,
            history=tuple(incumbent.history),
            notes=tuple(self.notes),
        )

    def _verdicts(self, costs: Sequence[int]) -> tuple[Verdict, ...]:
        """What the check says; it may take a moment more than the limit."""
        self.incumbent.say("check")
        limit = self.clock.limit + min(2.0, 0.05 * self.clock.limit)
        try:
            oracles = Oracles(self.case, self.options)
            return verify(costs, oracles, replace(self.clock, limit=limit))
        except KeyboardInterrupt:
            self.ending = Ending.INTERRUPTED
        except PlancostError as failure:
            self.ending, self.complaint = Ending.FAILED, str(failure)
        own = [self.case.cost(o.actions, costs) for o in self.case.observations]
        return tuple(Verdict(cost, None, None) for cost in own)


@dataclass(frozen=True)
class _Solved:
    """Costs from a program, and the bound on the second objective if it was the second one."""

    values: Whole | None
    bound: float
    is_optimal: bool


def _refuse_extensions(task: LearningTask, options: LearnOptions) -> None:
    """The paper's programs know nothing of these."""
    for is_given, words in (
        (not task.case.costs.is_plain, "bounds and features"),
        (any(o.total is not None for o in task.case.observations), "known totals"),
        (any(plan.factor != ONE for plan in task.plans), "factors of suboptimality"),
        (options.ties != "none", "ties"),
        (options.groups is not None, "groups"),
    ):
        if is_given:
            raise UsageError(f"{words} need `alternatives` exact: the paper's program has none")

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
caps every cost. Programs are solved by SCIP, or by CBC (the paper's own solver, of the extra `cbc`)
as a process.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from math import ceil, inf, isfinite
from typing import TYPE_CHECKING

from plancost.case.model import Case
from plancost.clock import Clock, OutOfTimeError
from plancost.errors import PlannerError, SolverError, UsageError, needed
from plancost.learn.by_planners import ByPlanners
from plancost.learn.concept import TOLERANCE
from plancost.learn.feasibility import optimal_under
from plancost.learn.incumbent import Incumbent
from plancost.learn.mcf import whole_cut
from plancost.learn.outcome import Learned
from plancost.learn.rows import Costs, Cut, Row, Whole, whole
from plancost.learn.run import Run
from plancost.learn.separation import Separations
from plancost.learn.solvers import run_scip
from plancost.learn.task import ONE, LearningTask
from plancost.options import LearnOptions
from plancost.processes import Ending, Limits, private_directory
from plancost.processes import run as run_program
from plancost.progress import Progress, silent
from plancost.search.planners import ANSWERS, Search

if TYPE_CHECKING:
    from pyscipopt import Model

_LARGEST_CAP = 2**20
"""With larger costs M hides the ones from a solver's tolerances."""
_FOR_LISTING, _FOR_FIRST, _FOR_SET = 0.5, 0.4, 0.5
"""The parts of the time left that the steps may take."""
_GRACE_S = 5.0
"""CBC looks at its clock only now and then; after this long it is ended."""
_INFINITE = 1e19
"""Solvers write 1e20 or more for no bound."""
_CBC_OPTIMUM = re.compile(r"optimal - objective value (\S+)")
_CBC_BOUND = re.compile(r"^Lower bound:\s+(\S+)", re.MULTILINE)


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
    """Asks SymK for the alternatives."""

    listed: _Listed
    unfinished = 0
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
        return planners.top_k(task, costs, wanted, share, ordered=strict)


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
        model = program(self.task, self.separations.listed.rows(), [cap] * parameters.count)
        share = self.search.clock.part(self.search.clock.remaining * _FOR_FIRST)
        solution = self._solve(model, share, "first")
        if solution.values is not None:
            self._take_whole(self._whole(solution.values), plans)
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
        caps = [int(value) + excess for value in parameters.baseline]
        if max(caps) > _LARGEST_CAP:
            self.notes.append("the costs are too large for the second integer program")
        elif incumbent.plans:
            model = program(self.task, self.separations.listed.rows(), caps, incumbent.weight)
            solution = self._solve(model, clock, "second")
            if solution.values is not None:
                self._take_second(self._whole(solution.values), least=solution.is_optimal)
            if isfinite(solution.bound):
                incumbent.second_bound = ceil(solution.bound - TOLERANCE)
            if not solution.is_optimal:
                raise OutOfTimeError

    def _whole(self, values: Mapping[str, float]) -> Whole:
        """The costs; actions in no row keep those to begin with."""
        found = self.task.parameters.baseline.copy()
        for name, value in values.items():
            if name.startswith("y"):
                found[int(name[1:])] = max(1, round(value))
        return found

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
        if self.task.weight(optimal) >= self.incumbent.weight:
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


def program(
    task: LearningTask,
    rows_of: Sequence[Sequence[Row]],
    caps: Sequence[int],
    required: int | None = None,
) -> Model:
    """The first program, or the second if a weight is required.

    Columns: x of each plan, y of each parameter that is in a row, d of those with a known cost.
    """
    from pyscipopt import Model, quicksum

    model, functions = Model(), task.parameters.functions
    x = [model.addVar(f"x{n}", vtype="B") for n in range(len(task.plans))]
    used = {place for rows in rows_of for row in rows for place, _ in row.coefficients}
    y = {n: model.addVar(f"y{n}", vtype="I", lb=1, ub=caps[n]) for n in sorted(used)}
    for plan, rows in zip(x, rows_of, strict=True):
        # No costs satisfy a row if the alternative has no action that the plan has not.
        if any(all(times > 0 for _, times in row.coefficients) for row in rows):
            model.chgVarUb(plan, 0)
            continue
        for row in rows:
            big = row.margin + sum(c * (caps[n] if c > 0 else 1) for n, c in row.coefficients)
            if big > 0:
                total = quicksum(times * y[n] for n, times in row.coefficients)
                model.addCons(total + big * plan <= big - row.margin)
    weight = quicksum(count * plan for count, plan in zip(task.weights.tolist(), x, strict=True))
    if required is None:
        model.setObjective(-weight)
        return model
    model.addCons(weight >= required)
    baseline = task.parameters.baseline.tolist()
    fixed = sum(own.value(baseline[n]) for n, own in enumerate(functions) if n not in y)
    terms = [fixed * model.addVar("others", lb=1, ub=1)]
    for n, cost in y.items():
        terms.append(functions[n].weight * cost)
        for target in functions[n].targets:
            distance = model.addVar(f"d{n}", vtype="I", ub=caps[n] + target)
            model.addCons(cost - distance <= target)
            model.addCons(cost + distance >= target)
            terms.append(distance)
    model.setObjective(quicksum(terms))
    return model


@dataclass(frozen=True)
class Solution:
    """The best values found, if any, by the names of columns, and a bound below which there are
    none.
    """

    values: Mapping[str, float] | None
    bound: float
    is_optimal: bool


def by_scip(model: Model, clock: Clock, seed: int) -> Solution:
    """Solve with SCIP."""
    run_scip(model, clock, seed)
    values = None
    if model.getNSols():
        best = model.getBestSol()
        values = {column.name: model.getSolVal(best, column) for column in model.getVars()}
    return Solution(values, _finite(model.getDualbound()), model.getStatus() == "optimal")


def by_cbc(model: Model, clock: Clock) -> Solution:
    """Solve with CBC."""
    if clock.is_over:
        return Solution(None, -inf, is_optimal=False)
    with private_directory() as directory:
        model.writeProblem(str(directory / "model.lp"), verbose=False)
        command = [str(needed("cbc", SolverError).cbc_bin_path()), "model.lp"]
        command += ["-ratioGap", "0", "-allowableGap", "1e-6"]
        if isfinite(clock.remaining):
            command += ["-timeMode", "elapsed", "-seconds", f"{clock.remaining:.3f}"]
        command += ["-solve", "-solution", "solution.txt"]
        try:
            limits = Limits(clock.remaining + _GRACE_S)
            finished = run_program(command, directory=directory, limits=limits)
        except PlannerError as error:
            raise SolverError(f"CBC: {error}") from error
        if finished.ending is Ending.OUT_OF_TIME:
            return Solution(None, -inf, is_optimal=False)
        if finished.exit_code != 0:
            raise SolverError(f"CBC ended with exit code {finished.exit_code}")
        try:
            text = (directory / "solution.txt").read_text(encoding="ascii").lower()
            return _read(text, finished.output)
        except (OSError, ValueError, IndexError) as error:
            raise SolverError("CBC wrote no solution that can be read") from error


def _read(text: str, output: str) -> Solution:
    """CBC's solution, of which it may leave out columns that are 0."""
    status, *lines = text.splitlines()
    words = [line.replace("**", "").split() for line in lines]
    values = {own[1]: float(own[2]) for own in words}
    said = _CBC_OPTIMUM.match(status) or _CBC_BOUND.search(output)
    is_optimal = status.startswith("optimal")
    has_none = not values or "infeasible" in status or "no integer" in status
    bound = _finite(float(said[1])) if said else -inf
    return Solution(None if has_none else values, bound, is_optimal and not has_none)


def _finite(bound: float) -> float:
    return bound if abs(bound) < _INFINITE else -inf

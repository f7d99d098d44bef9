"""Which sets of plans can be optimal together? (facts: LP, lazy rows, Farkas)

`Subproblem` answers for one set at a time. It keeps every row found so far with its
*owners*, the plans whose optimality demands the row, and switches on the rows
owned by the set. If the linear program has no solution, the proof names the
rows, and every choice of one owner for each of those rows is a conflict. If it
has one, a *separator* (a search for cheaper plans under these costs) is asked for
rows that the solution breaks, until there are none: then the answer speaks of
all alternatives, not only of those listed.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import ceil
from typing import NamedTuple, Protocol, TypeVar

import numpy as np

from plancost.errors import SolverError
from plancost.learning.problem.parameter_limits import BOUND
from plancost.learning.problem.rows import Row, excess
from plancost.learning.problem.task import Costs, LearningTask, PlanSet
from plancost.learning.subproblem.certificates import (
    Certificate,
    certify,
    secondary_bound,
    with_bounds,
)
from plancost.learning.subproblem.cost_lp import CostLP, ProgramPoint
from plancost.learning.subproblem.cut_pool import CutPool, Numbers
from plancost.learning.subproblem.integer_costs import (
    round_to_integers,
    solve_integers,
    solve_with_slack,
)
from plancost.learning.subproblem.pricing_out import PricesOut, priced_out
from plancost.observations.cost_files import LARGEST_LEARNED_COST
from plancost.observations.planfile import Plan
from plancost.solver.model import Status
from plancost.system.clock import Deadline

T = TypeVar("T")

_log = logging.getLogger(__name__)

_TOLERANCE = 1e-7
"""Floating-point costs break a row only by more than this."""
_MOST_ROWS_AT_ONCE = 50
_TOO_DEAR = (
    "some action would have to cost more than {}, beyond which costs are not counted exactly; "
    "such costs were not looked at"
)
KNOWN_COST = "known cost"
DEVIATION = "total deviation from known costs"
"""What rows are that hold whichever plans are optimal."""


class Finding(NamedTuple):
    """A row of a candidate, and the alternative that it comes from."""

    candidate: int
    row: Row
    alternative: Plan


def findings(task: LearningTask, candidate: int, plans: Iterable[Plan]) -> Iterator[Finding]:
    """The rows of a candidate for those of the plans that are alternatives to it."""
    own = task.candidates[candidate]
    for plan in plans:
        if task.is_alternative(own, plan):
            yield Finding(candidate, task.row(own, plan), plan)


def given_rows(task: LearningTask) -> dict[Row, str]:
    """Rows that hold whichever plans are optimal, and what they are.

    Those of soft known costs are not among them: they are made up as they are needed.
    """
    bounds = {
        row: BOUND
        for action in range(0 if task.ranges is None else len(task.parameters))
        for upper in (False, True)
        if (row := task.bound_row(action, upper=upper)) is not None
    }
    known = {row: KNOWN_COST for row, _ in task.known_rows()}
    return bounds | task.limit_rows | known


class Separator(Protocol):
    """Finds rows that costs break."""

    description: str
    """Who looks for them, in a few words."""

    def effort(self, chosen: Sequence[int]) -> int:
        """How many separate searches a question about these candidates takes."""

    def undecided(self) -> PlanSet:
        """Which candidates of the last question could not be decided."""

    def violated(
        self, costs: np.ndarray, chosen: Sequence[int], *, exact: bool, deadline: Deadline
    ) -> list[Finding] | None:
        """Rows of chosen candidates that the costs break.

        Integer costs are given with `exact`, and an empty answer then means that all
        chosen plans are optimal. With floating-point costs a row may be missed. None:
        out of time.
        """


@dataclass(frozen=True)
class Conflict:
    """Plans that cannot all be optimal: one from every class.

    With a `secondary`: they can, but only at that secondary cost or more. Without a
    certificate: there are rational costs but no integers, by the solver's word.
    """

    classes: tuple[PlanSet, ...]
    certificate: Certificate | None
    secondary: int | None = None
    duals: tuple[tuple[Row, float], ...] = ()
    """Rows with the multipliers that a bound on the secondary cost rests on, if they prove it."""

    def contains(self, chosen: PlanSet) -> bool:
        """Whether a set of plans is excluded by this conflict."""
        return all(not chosen.isdisjoint(members) for members in self.classes)

    def members(self, chosen: PlanSet) -> PlanSet:
        """A few of the chosen plans that are in conflict already."""
        picked: set[int] = set()
        for members in sorted(self.classes, key=lambda c: (len(c & chosen), sorted(c))):
            if members.isdisjoint(picked):
                picked.add(min(members & chosen))
        return frozenset(picked)


@dataclass(frozen=True)
class Possible:
    """A set of plans that can be optimal together, with integer costs that do it."""

    costs: Costs


@dataclass(frozen=True)
class Undecided:
    """The time ran out, or the solver's numbers could not be confirmed exactly."""

    reason: str
    candidates: PlanSet = frozenset()
    """Those whose tasks nobody could decide, if it is their fault."""


class Subproblem:
    """Decides for sets of candidates whether they can be optimal together.

    With `prices_out` the actions that a set does not use cost more than its plans, in
    all answers: right for the first objective, whatever it does to the second.
    """

    def __init__(
        self,
        task: LearningTask,
        actions: Iterable[int],
        separator: Separator | None,
        *,
        prices_out: bool = False,
    ) -> None:
        self.task = task
        self.separator = separator
        self._prices_out = prices_out
        self._actions = frozenset(actions)
        self._program = CostLP(task, self._actions)
        self._pool = CutPool(
            len(task.parameters),
            len(task.candidates),
            lambda row: task.least_excess(row) > 0,
        )
        self.given = given_rows(task)
        """Rows that hold whichever plans are optimal, and what they are."""
        self._limits: list[int] = []
        for row, kind in self.given.items():
            if kind == KNOWN_COST:
                self._pool.give(row)
            elif row in task.limit_rows and all(a in self._actions for a, _ in row[0]):
                self._limits.append(self._pool.give(row))
        self.start = np.asarray(task.baseline, dtype=np.float64)
        """Costs to begin a set with; they keep to what is given."""
        self._alternatives: dict[tuple[int, int], Plan] = {}
        self.alone: set[int] = set()
        """Candidates that could be optimal, if they were the only ones."""
        self.proofs: list[Conflict] = []
        """The conflicts found here that can be checked again, each once."""
        self._proved: set[object] = set()
        self.failures: dict[str, None] = {}
        """What the solver failed with, in sentences; each is a question that stayed open."""
        self.notes: dict[str, None] = {}
        """What ended questions early, but for time, in sentences."""
        self.news: Callable[[], None] = lambda: None
        """Called whenever something was found."""

    @property
    def row_count(self) -> int:
        """How many different rows are known."""
        return len(self._pool.rows)

    def add(self, finding: Finding) -> bool:
        """Make a row known; False if it says nothing new about this candidate."""
        candidate, row, alternative = finding
        if self.task.is_void(row) or not self._pool.add(row, candidate):
            return False
        self._alternatives[candidate, self._pool.number(row)] = alternative
        return True

    def findings(self) -> Iterator[Finding]:
        """All of these, in the order in which they were found."""
        for (candidate, number), alternative in self._alternatives.items():
            yield Finding(candidate, self._pool.rows[number], alternative)

    def alternative(self, candidate: int, row: Row) -> Plan:
        """The alternative that a candidate's row comes from."""
        return self._alternatives[candidate, self._pool.number(row)]

    def owners(self, row: Row) -> PlanSet:
        """The candidates that a row is known of; none if it holds in any case."""
        if row in self.given:
            return frozenset()
        return self._pool.owners(self._pool.number(row))

    def rows_of_set(self, chosen: PlanSet) -> list[Row]:
        """All rows known of a set of candidates."""
        numbers = np.flatnonzero(self._pool.owned(chosen))
        return [self._pool.rows[number] for number in numbers.tolist()]

    def decide(self, chosen: PlanSet, deadline: Deadline) -> Possible | Conflict | Undecided:
        """Whether these plans can be optimal together."""
        while True:
            point = self.relax(chosen, deadline)
            if not isinstance(point, ProgramPoint):
                return point
            costs = self.integers(point, chosen, deadline)
            if costs is None:
                return Undecided("no integer costs found in time")
            if isinstance(costs, Conflict):
                return self._fewer(chosen, costs, deadline)
            if self._prices_out:
                costs = priced_out(self.task, chosen, costs)
            broken = self._separate(costs, chosen, deadline)
            if broken is None:
                assert self.separator is not None
                return Undecided("out of time", self.separator.undecided())
            if not broken:
                return Possible(costs)
            if not self._learn(broken):
                return Undecided("the oracle repeats itself")

    def _fewer(self, chosen: PlanSet, conflict: Conflict, deadline: Deadline) -> Conflict:
        """A conflict for want of integers, with as few plans as the known rows allow.

        The rows of the last integer program say little about who is to blame, so plans are
        left out one by one.
        """
        for number in sorted(chosen):
            if deadline.is_over:
                break
            fewer = self.least_integers(chosen - {number}, deadline)
            if isinstance(fewer, Conflict):
                chosen, conflict = chosen - {number}, fewer
        return conflict

    def effort(self, chosen: Sequence[int]) -> int:
        """How many separate searches it takes to look for unknown rows of these plans."""
        return 1 if self.separator is None else self.separator.effort(chosen)

    def satisfies(self, costs: np.ndarray, candidate: int, deadline: Deadline) -> bool:
        """Whether floating-point costs seem to make a candidate optimal."""
        if self._pool.breaks_any(costs, candidate, _TOLERANCE):
            return False
        if self.separator is None:
            return True
        broken = self.separator.violated(costs, [candidate], exact=False, deadline=deadline)
        self._learn(broken or ())
        return broken == []

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
        reaches `stop_at`. With `newest`, unknown rows are looked for of that plan alone: if
        the others are known to be possible, it mostly decides, and much sooner.
        """
        owned = self._pool.owned(chosen)
        self._program.keep_only(owned)
        price_out = PricesOut(self.task, chosen) if self._prices_out else None
        while True:
            hopeless = self._pool.hopeless(owned)
            if hopeless is not None:
                return self._certain(with_bounds(self.task, [self._pool.rows[hopeless]], [1]))
            point = self.attempt(lambda: self._program.solve(deadline.remaining()))
            if point is None:
                return Undecided("the solver failed")
            if point.status is Status.STOPPED:
                return Undecided("out of time")
            if point.status is Status.INFEASIBLE:
                return self._conflict(point)
            if price_out is not None:
                point = replace(point, costs=price_out(point.costs))
            if self._take_in(self._pool.violated(point.costs, owned, _TOLERANCE)):
                continue
            if self._deviates(point.costs.tolist(), _TOLERANCE) is not None:
                owned = self._pool.owned(chosen)
                continue
            if point.objective >= stop_at or self.separator is None:
                return point
            asked = sorted(chosen) if newest is None else [newest]
            broken = self.separator.violated(point.costs, asked, exact=False, deadline=deadline)
            if broken is None:
                return Undecided("out of time")
            if not self._learn(broken):
                return point
            owned = self._pool.owned(chosen)

    def integers(
        self, point: ProgramPoint, chosen: PlanSet, deadline: Deadline
    ) -> Costs | Conflict | None:
        """Integer costs that satisfy all known rows of the set, from a solved program.

        The program's own if they can be scaled up, else those of least secondary cost.
        """
        costs = round_to_integers(point.costs, scales=self.task.scales)
        if costs is not None and not self._broken(costs, chosen):
            return costs
        if self.task.scales and not all(self.task.candidates[n].cuts for n in chosen):
            costs = self._integers_with_slack(chosen, deadline)
            if costs is not None:
                return costs
        return self.least_integers(chosen, deadline)

    def _integers_with_slack(self, chosen: PlanSet, deadline: Deadline) -> Costs | None:
        """Integer costs for plans with factors, if that is easy."""
        owned = self._pool.owned(chosen)
        numbers = {n for n in np.flatnonzero(owned).tolist() if self._program.holds(n)}
        while not deadline.is_over:
            rows = [self._pool.rows[number] for number in sorted(numbers)]
            costs = self.attempt(
                partial(solve_with_slack, self.task, self._actions, rows, deadline)
            )
            if costs is None:
                return None
            broken = self._broken(costs, chosen)
            if not broken:
                return costs
            numbers.update(broken)
        return None

    def least_integers(
        self,
        chosen: PlanSet,
        deadline: Deadline,
        *,
        objective: Mapping[int, int] | None = None,
        budget: int | None = None,
        seed: int = 0,
    ) -> Costs | Conflict | None:
        """The proven best integer costs over the known rows of the set; see `solve_integers`.

        Rows come in as they are broken, from those of the program on. A conflict if the
        solver says that there are no such integers; None: not in time (or over the budget).
        Where costs scale, there are integers wherever there are rational costs, and a solver
        that finds none is not believed.
        """
        owned = self._pool.owned(chosen)
        numbers = {n for n in np.flatnonzero(owned).tolist() if self._program.holds(n)}
        numbers.update(self._limits)
        while True:
            solution = self.attempt(
                partial(
                    solve_integers,
                    self.task,
                    self._actions,
                    [self._pool.rows[number] for number in sorted(numbers)],
                    deadline,
                    objective=objective,
                    budget=budget,
                    seed=seed,
                )
            )
            if solution is None:
                return None
            none = solution.costs is None and solution.proven and budget is None
            if none and not self.task.scales:
                return Conflict(self._classes([self._pool.rows[n] for n in sorted(numbers)]), None)
            if solution.costs is None or not solution.proven:
                return None
            broken = self._broken(solution.costs, chosen)
            if not broken:
                return solution.costs
            numbers.update(broken)

    def best_integers(
        self, chosen: PlanSet, deadline: Deadline, *, objective: Mapping[int, int], budget: int
    ) -> Costs | None:
        """The best costs for an objective that make the chosen plans optimal; None: no time.

        Like `least_integers`, but over all alternatives and not only over known rows.
        """
        while not deadline.is_over:
            costs = self.least_integers(chosen, deadline, objective=objective, budget=budget)
            if costs is None or isinstance(costs, Conflict):
                return None
            correct = self.check(costs, chosen, deadline)
            if correct is not False:
                return costs if correct else None
        return None

    def check(self, costs: Costs, chosen: PlanSet, deadline: Deadline) -> bool | None:
        """Whether integer costs make the chosen plans optimal; learns from a no."""
        if self._broken(costs, chosen):
            return False
        broken = self._separate(costs, chosen, deadline)
        if broken is None:
            return None
        self._learn(broken)
        return not broken

    def bound(self, point: ProgramPoint) -> Conflict | None:
        """What a solved program proves about the secondary cost of all such sets."""
        used = [
            (row, multiplier)
            for row, multiplier in zip(point.rows, point.multipliers, strict=True)
            if multiplier > 1e-9
        ]
        value = secondary_bound(
            self.task,
            [row for row, _ in used],
            [multiplier for _, multiplier in used],
            ceil(point.objective - 1e-6) + self.task.objective.at_origin,
        )
        if value is None:
            return None
        return Conflict(self._classes([row for row, _ in used]), None, value, tuple(used))

    def prove_bound(
        self, rows: Sequence[Row], multipliers: Sequence[float], value: int
    ) -> Conflict | None:
        """The bound that known rows with these multipliers prove, if they do."""
        proven = secondary_bound(self.task, rows, multipliers, value)
        if proven is None or proven < value:
            return None
        duals = tuple(zip(rows, multipliers, strict=True))
        conflict = Conflict(self._classes(rows), None, value, duals)
        self.keep(conflict)
        return conflict

    def keep(self, conflict: Conflict) -> None:
        """Keep a conflict that can be checked again."""
        key = conflict.certificate or conflict.duals
        if key and key not in self._proved:
            self._proved.add(key)
            self.proofs.append(conflict)
            self.news()

    def prove(self, rows: Sequence[Row], multipliers: Sequence[int]) -> Conflict | None:
        """The conflict that known rows with these multipliers prove, if they do."""
        certificate = with_bounds(self.task, rows, multipliers)
        return self._certain(certificate) if certificate.is_valid() else None

    def _certain(self, certificate: Certificate) -> Conflict:
        """The conflict of a certificate that holds, kept."""
        conflict = Conflict(self._classes(certificate.rows), certificate)
        self.keep(conflict)
        return conflict

    def attempt(self, question: Callable[[], T]) -> T | None:
        """The answer of the solver; None if it failed, which is remembered."""
        try:
            return question()
        except SolverError as error:
            _log.warning("a question stays open: %s", error)
            self.failures.setdefault(str(error))
            return None

    def _give(self, row: Row, kind: str) -> int:
        self.given[row] = kind
        return self._pool.give(row)

    def _deviates(self, costs: Sequence[float], tolerance: float) -> int | None:
        """The row of soft known costs that costs break, if they do; it is known from then on."""
        row = self.task.deviation_row(costs)
        if row is None or excess(row, costs) <= tolerance:
            return None
        number = self._give(row, DEVIATION)
        self._program.add(number, row)
        return number

    def _broken(self, costs: Costs, chosen: PlanSet) -> list[int]:
        """The known rows of a set, and those that are given, that integer costs break."""
        found: list[int] = self._pool.violated_exactly(costs, self._pool.owned(chosen)).tolist()
        deviating = self._deviates(costs, 0.0)
        return found if deviating is None else [*found, deviating]

    def _separate(self, costs: Costs, chosen: PlanSet, deadline: Deadline) -> list[Finding] | None:
        if self.task.structure.exceeds(costs, LARGEST_LEARNED_COST):
            self.notes.setdefault(_TOO_DEAR.format(LARGEST_LEARNED_COST))
            return None
        if self.separator is None:
            return []
        integers = np.asarray(costs, dtype=np.int64)
        return self.separator.violated(integers, sorted(chosen), exact=True, deadline=deadline)

    def _take_in(self, numbers: Numbers) -> bool:
        """Move the worst of these rows into the program; False if all are there."""
        new = [number for number in numbers.tolist() if not self._program.holds(number)]
        for number in new[:_MOST_ROWS_AT_ONCE]:
            self._program.add(number, self._pool.rows[number])
        return bool(new)

    def _learn(self, broken: Iterable[Finding]) -> bool:
        is_new = sum(map(self.add, broken)) > 0
        if is_new:
            self.news()
        return is_new

    def _conflict(self, point: ProgramPoint) -> Conflict | Undecided:
        certificate = certify(point.rows, point.multipliers, self.task)
        if certificate is None:
            return Undecided("the solver's proof does not hold in exact arithmetic")
        return self._certain(certificate)

    def _classes(self, rows: Sequence[Row]) -> tuple[PlanSet, ...]:
        classes = {self.owners(row) for row in rows if row not in self.given}
        return tuple(sorted(classes, key=sorted))

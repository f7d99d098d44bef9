"""What is known of the subproblem: its rows, the plans that induce them, and what they prove.

Rows come from two sources. Some are *given*: they hold whichever plans are optimal (bounds, known
costs of plans). The others are *cuts*: each holds if one of its *inducing plans* is to be
optimal. Rows that prove a conflict make it one of every choice of one inducing plan for each cut.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from math import ceil
from typing import TypeVar

import numpy as np

from plancost.errors import SolverError
from plancost.learning.problem.cuts import Cut
from plancost.learning.problem.parameter_limits import BOUND
from plancost.learning.problem.rows import Row, excess
from plancost.learning.problem.task import Costs, LearningTask, PlanSet
from plancost.learning.subproblem.certificates import Certificate, secondary_bound, with_bounds
from plancost.learning.subproblem.conflict import Conflict
from plancost.learning.subproblem.cost_lp import CostLP, ProgramPoint
from plancost.learning.subproblem.cut_pool import CutPool
from plancost.observations.planfile import Plan

T = TypeVar("T")

_log = logging.getLogger(__name__)

_SHARE_OF_SIZE = 1e-4
"""Rows with large numbers are broken only by more than this part of them, and the tolerance."""
_ROUNDING = 1e-12
"""The part of a large objective by which floating point may be wrong."""
KNOWN_COST = "known cost"
DEVIATION = "total deviation from known costs"
"""What rows are that hold whichever plans are optimal."""


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


class KnownRows:
    """All rows known over some actions; the linear program holds those that matter."""

    def __init__(self, task: LearningTask, actions: Iterable[int]) -> None:
        self.task = task
        self.actions = frozenset(actions)
        self.program = CostLP(task, self.actions)
        self.pool = CutPool(
            len(task.parameters),
            len(task.candidates),
            lambda row: task.least_excess(row) > 0,
        )
        self.given = given_rows(task)
        """Rows that hold whichever plans are optimal, and what they are."""
        self.limits: list[int] = []
        """Those of them that integer programs always have."""
        for row, kind in self.given.items():
            if kind == KNOWN_COST:
                self.pool.give(row)
            elif row in task.limit_rows and all(a in self.actions for a, _ in row[0]):
                self.limits.append(self.pool.give(row))
        self._alternatives: dict[tuple[int, int], Plan] = {}
        self.proofs: list[Conflict] = []
        """The conflicts found here that can be checked again, each once."""
        self._proved: set[object] = set()
        self.failures: dict[str, None] = {}
        """What the solver failed with, in sentences; each is a question that stayed open."""
        self.news: Callable[[], None] = lambda: None
        """Called whenever something was found."""

    @contextmanager
    def using(self, program: CostLP) -> Iterator[None]:
        """Answer by another linear program over the same rows; this one stays as it is."""
        own, self.program = self.program, program
        try:
            yield
        finally:
            self.program = own

    @property
    def row_count(self) -> int:
        """How many different rows are known."""
        return len(self.pool.rows)

    def add(self, cut: Cut) -> bool:
        """Make a cut known; False if it says nothing new about its candidate."""
        candidate, row, alternative = cut
        if self.task.is_void(row) or not self.pool.add(row, candidate):
            return False
        self._alternatives[candidate, self.pool.number(row)] = alternative
        return True

    def learn(self, cuts: Iterable[Cut]) -> bool:
        """Make cuts known; False if none is new."""
        is_new = sum(map(self.add, cuts)) > 0
        if is_new:
            self.news()
        return is_new

    def cuts(self) -> Iterator[Cut]:
        """All cuts, in the order in which they were found."""
        for (candidate, number), alternative in self._alternatives.items():
            yield Cut(candidate, self.pool.rows[number], alternative)

    def alternative(self, candidate: int, row: Row) -> Plan:
        """The alternative that a candidate's row comes from."""
        return self._alternatives[candidate, self.pool.number(row)]

    def knows(self, row: Row) -> bool:
        """Whether a row is known here."""
        return row in self.given or self.pool.has(row)

    def inducing_plans(self, row: Row) -> PlanSet:
        """The candidates that induce a row; none if it holds in any case."""
        if row in self.given:
            return frozenset()
        return self.pool.inducing_plans(self.pool.number(row))

    def rows_of_set(self, chosen: PlanSet) -> list[Row]:
        """All rows that a set of candidates induces, and those that are given."""
        numbers = np.flatnonzero(self.pool.induced(chosen))
        return [self.pool.rows[number] for number in numbers.tolist()]

    def broken(self, costs: Costs, chosen: PlanSet) -> list[int]:
        """The known rows of a set, and those that are given, that integer costs break."""
        found: list[int] = self.pool.violated_exactly(costs, self.pool.induced(chosen)).tolist()
        deviating = self.deviates(costs, 0.0)
        return found if deviating is None else [*found, deviating]

    def deviates(self, costs: Sequence[float], tolerance: float) -> int | None:
        """The row of soft known costs that costs break, if they do; it is known from then on."""
        row = self.task.deviation_row(costs)
        if row is None:
            return None
        size = sum(abs(coefficient * costs[action]) for action, coefficient in row[0])
        if excess(row, costs) <= tolerance * max(1.0, _SHARE_OF_SIZE * size):
            return None
        self.given[row] = DEVIATION
        number = self.pool.give(row)
        if tolerance and self.program.holds(number):
            return None  # the program keeps to it as well as floating point can
        self.program.add(number, row)
        return number

    def classes(self, rows: Sequence[Row]) -> tuple[PlanSet, ...]:
        """The sets of inducing plans of those rows that are cuts."""
        classes = {self.inducing_plans(row) for row in rows if row not in self.given}
        return tuple(sorted(classes, key=sorted))

    def bound(self, point: ProgramPoint) -> Conflict | None:
        """What a solved program proves about the secondary cost of all such sets."""
        used = [
            (row, multiplier)
            for row, multiplier in zip(point.rows, point.multipliers, strict=True)
            if multiplier > 1e-9
        ]
        # What the objective is rounded to is cut off by the exact bound; it must not be too low.
        above = ceil(point.objective * (1 + _ROUNDING) - 1e-6)
        value = secondary_bound(
            self.task,
            [row for row, _ in used],
            [multiplier for _, multiplier in used],
            above + self.task.objective.at_origin,
        )
        if value is None:
            return None
        return Conflict(self.classes([row for row, _ in used]), None, value, tuple(used))

    def prove_bound(
        self, rows: Sequence[Row], multipliers: Sequence[float], value: int
    ) -> Conflict | None:
        """The bound that known rows with these multipliers prove, if they do."""
        proven = secondary_bound(self.task, rows, multipliers, value)
        if proven is None or proven < value:
            return None
        duals = tuple(zip(rows, multipliers, strict=True))
        conflict = Conflict(self.classes(rows), None, value, duals)
        self.keep(conflict)
        return conflict

    def prove(self, rows: Sequence[Row], multipliers: Sequence[int]) -> Conflict | None:
        """The conflict that known rows with these multipliers prove, if they do."""
        certificate = with_bounds(self.task, rows, multipliers)
        return self.certain(certificate) if certificate.is_valid() else None

    def certain(self, certificate: Certificate) -> Conflict:
        """The conflict of a certificate that holds, kept."""
        conflict = Conflict(self.classes(certificate.rows), certificate)
        self.keep(conflict)
        return conflict

    def keep(self, conflict: Conflict) -> None:
        """Keep a conflict that can be checked again."""
        key = conflict.certificate or conflict.duals
        if key and key not in self._proved:
            self._proved.add(key)
            self.proofs.append(conflict)
            self.news()

    def attempt(self, question: Callable[[], T]) -> T | None:
        """The answer of the solver; None if it failed, which is remembered."""
        try:
            return question()
        except SolverError as error:
            _log.warning("a question stays open: %s", error)
            self.failures.setdefault(str(error))
            return None

"""What a checkpoint says about sets of plans, as plain numbers, and how it is checked.

*An alternative* of a candidate is written as the subpath in which it differs: from where to where
in the candidate's plan, and the actions in its place. *A proof* names alternatives (and rows that
hold in any case) with their multipliers.

Reading trusts nothing. Every alternative is carried out again, its row is computed anew, every
proof is added up in integers, every bound is computed from its multipliers. If one thing is not
so, none of it counts. Costs are checked later, by a search.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from math import isfinite
from typing import Any

from plancost.learning.checkpoint.file import DamagedError
from plancost.learning.problem.cuts import Cut, cuts_of
from plancost.learning.problem.rows import Row
from plancost.learning.problem.task import Costs, LearningTask, PlanSet
from plancost.learning.subproblem.certificates import Certificate, secondary_bound
from plancost.learning.subproblem.conflict import Conflict
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.learning.subproblem.known_rows import given_rows
from plancost.observations.planfile import Plan
from plancost.observations.replay import applicable, replay
from plancost.observations.sas import State

Best = tuple[PlanSet, Costs]
"""Candidates, and costs that make them optimal."""
WRONG_FORM = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What Python raises where plain values are not as they were written."""


@dataclass(frozen=True)
class Bound:
    """Rows with multipliers, and the least secondary cost that they prove."""

    rows: tuple[Row, ...]
    multipliers: tuple[float, ...]
    value: int


@dataclass(frozen=True)
class Stage:
    """What was known in one of the two stages of learning, checked."""

    cuts: tuple[Cut, ...] = ()
    proofs: tuple[Certificate, ...] = ()
    bounds: tuple[Bound, ...] = ()
    alone: frozenset[int] = frozenset()
    """Candidates that could be optimal alone. Unchecked: at worst they are tried in vain."""

    def bring_in(self, subproblem: Subproblem) -> list[Conflict]:
        """Make all of it known; the conflicts that it proves."""
        for cut in self.cuts:
            subproblem.add(cut)
        subproblem.alone |= self.alone
        proved = [subproblem.prove(proof.rows, proof.multipliers) for proof in self.proofs]
        for bound in self.bounds:
            proved.append(subproblem.prove_bound(bound.rows, bound.multipliers, bound.value))
        return [conflict for conflict in proved if conflict is not None and conflict.classes]


class StageWriter:
    """Turns what `Subproblem` knows into plain values, each thing once."""

    def __init__(self, subproblem: Subproblem) -> None:
        self._subproblem = subproblem
        self._task = subproblem.task
        self._given = {row: -1 - number for number, row in enumerate(given_rows(subproblem.task))}
        self._of_row: dict[Row, int] = {}
        self._subpaths: dict[Plan, int] = {}
        self._written: list[list[int]] = []
        self._cuts: list[list[int]] = []
        self._proofs: list[list[list[int]]] = []
        self._bounds: list[list[Any]] = []
        self._read = 0

    def content(self) -> dict[str, Any]:
        """All of it."""
        for cut in islice(self._subproblem.cuts(), len(self._cuts), None):
            self._of_row.setdefault(cut.row, len(self._cuts))
            self._cuts.append(self._subpath(cut))
        for conflict in self._subproblem.proofs[self._read :]:
            self._add(conflict)
        self._read = len(self._subproblem.proofs)
        return {
            "stretches": self._written,
            "alternatives": self._cuts,
            "proofs": self._proofs,
            "bounds": self._bounds,
            "alone": sorted(self._subproblem.alone),
        }

    def _subpath(self, cut: Cut) -> list[int]:
        """The candidate, the place in its plan, and the number of the subpath instead."""
        own, other = self._task.candidates[cut.candidate].plan, cut.alternative
        start, stop, instead = different_subpath(own, other)
        number = self._subpaths.get(instead)
        if number is None:
            number = len(self._written)
            self._written.append([self._action_number[name] for name in instead])
            self._subpaths[instead] = number  # last: an alarm may strike anywhere
        return [cut.candidate, start, stop, number]

    @cached_property
    def _action_number(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self._task.case.actions)}

    def _add(self, conflict: Conflict) -> None:
        """A proof whose rows can be found again; others are not worth keeping."""
        if conflict.certificate is not None:
            rows = self._references(conflict.certificate.rows)
            if rows is not None:
                self._proofs.append([rows, list(conflict.certificate.multipliers)])
        elif conflict.secondary is not None and conflict.duals:
            rows = self._references([row for row, _ in conflict.duals])
            if rows is not None:
                times = [multiplier for _, multiplier in conflict.duals]
                self._bounds.append([rows, times, conflict.secondary])

    def _references(self, rows: Iterable[Row]) -> list[int] | None:
        found = [self._given.get(row, self._of_row.get(row)) for row in rows]
        known = [number for number in found if number is not None]
        return known if len(known) == len(found) else None


class StageReader:
    """Reads and checks the plain values of one stage after the other."""

    def __init__(self, task: LearningTask) -> None:
        self._task = task
        self._states: dict[int, tuple[State, ...]] = {}

    def stage(self, content: Mapping[str, Any]) -> Stage:
        """A stage, checked; raises `DamagedError`."""
        try:
            return self._stage(content)
        except WRONG_FORM as error:
            raise DamagedError("it has not the form of a checkpoint") from error

    def best(self, content: Sequence[Any]) -> Best:
        """Candidates and costs, which only a search can check; raises `DamagedError`."""
        try:
            return self._best(*content)
        except WRONG_FORM as error:
            raise DamagedError("it has not the form of a checkpoint") from error

    def _stage(self, content: Mapping[str, Any]) -> Stage:
        names = self._task.case.actions
        subpaths = [
            tuple(names[_number(action, len(names))] for action in subpath)
            for subpath in content["stretches"]
        ]
        found = tuple(
            self._cut(_number(candidate, len(self._task.candidates)), start, stop, instead)
            for candidate, start, stop, number in content["alternatives"]
            for instead in [subpaths[_number(number, len(subpaths))]]
        )
        rows = _Rows(found, list(given_rows(self._task)))
        return Stage(
            found,
            tuple(self._proof(rows, *entry) for entry in content["proofs"]),
            tuple(self._bound(rows, *entry) for entry in content["bounds"]),
            frozenset(_number(n, len(self._task.candidates)) for n in content["alone"]),
        )

    def _cut(self, candidate: int, start: object, stop: object, instead: Plan) -> Cut:
        own = self._task.candidates[candidate]
        begin = _number(start, len(own.plan) + 1)
        end = _number(stop, len(own.plan) + 1)
        if begin > end or not self._is_plan(candidate, begin, end, instead):
            raise DamagedError("one of its alternatives is not a plan")
        plan = (*own.plan[:begin], *instead, *own.plan[end:])
        cut = next(cuts_of(self._task, candidate, [plan]), None)
        if cut is None:
            raise DamagedError("one of its alternatives is none")
        return cut

    def _is_plan(self, candidate: int, start: int, stop: int, instead: Plan) -> bool:
        """Whether a plan solves its task with other actions in place of a subpath."""
        own = self._task.candidates[candidate]
        sas = self._task.case.tasks[own.task].sas
        if candidate not in self._states:
            self._states[candidate] = replay(sas, own.plan).states
        states = self._states[candidate]
        state = states[start]
        for position, name in enumerate((*instead, *own.plan[stop:])):
            if position == len(instead) and state == states[stop]:
                return True  # the rest is as observed
            operator = applicable(sas, sas.operators_by_name.get(name, ()), state)
            if operator is None:
                return False
            state = sas.apply(operator, state)
        return sas.is_goal(state)

    def _proof(
        self, rows: _Rows, numbers: Iterable[object], multipliers: Iterable[object]
    ) -> Certificate:
        times = tuple(map(_whole, multipliers))
        certificate = Certificate(rows.numbered(numbers), times, self._task.may_be_zero)
        if not certificate.is_valid():
            raise DamagedError("one of its proofs does not hold")
        return certificate

    def _bound(
        self, rows: _Rows, numbers: Iterable[object], multipliers: Iterable[float], value: object
    ) -> Bound:
        used = rows.numbered(numbers)
        times = tuple(map(float, multipliers))
        whole = _whole(value)
        if len(used) != len(times) or not all(isfinite(t) and t >= 0 for t in times):
            raise DamagedError("one of its bounds is not what its proof says")
        proven = secondary_bound(self._task, used, times, whole)
        if proven is None or proven < whole:
            raise DamagedError("one of its bounds is not what its proof says")
        return Bound(used, times, whole)

    def _best(self, chosen: Iterable[object], costs: Iterable[object]) -> Best:
        found = tuple(_whole(cost) for cost in costs)
        zero = self._task.may_be_zero
        are_costs = all(cost >= (0 if n in zero else 1) for n, cost in enumerate(found))
        if len(found) != len(self._task.parameters) or not are_costs:
            raise DamagedError("its costs are none")
        return frozenset(_number(n, len(self._task.candidates)) for n in chosen), found


class _Rows:
    """Rows by the numbers that proofs call them."""

    def __init__(self, found: Sequence[Cut], given: Sequence[Row]) -> None:
        self._found = found
        self._given = given

    def numbered(self, numbers: Iterable[object]) -> tuple[Row, ...]:
        return tuple(map(self._row, numbers))

    def _row(self, value: object) -> Row:
        number = _whole(value)
        if number < 0:
            return self._given[_number(-1 - number, len(self._given))]
        return self._found[_number(number, len(self._found))].row


def best_content(best: Best) -> list[list[int]]:
    """Candidates and costs as plain values."""
    return [sorted(best[0]), list(best[1])]


def different_subpath(own: Plan, other: Plan) -> tuple[int, int, Plan]:
    """Where two plans differ: from where to where in the first, and what the second has there."""
    start = 0
    while start < min(len(own), len(other)) and own[start] == other[start]:
        start += 1
    back = 0
    while back < min(len(own), len(other)) - start and own[-1 - back] == other[-1 - back]:
        back += 1
    return start, len(own) - back, other[start : len(other) - back]


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError("not a whole number")
    return value


def _number(value: object, below: int) -> int:
    number = _whole(value)
    if not 0 <= number < below:
        raise IndexError("no such number")
    return number

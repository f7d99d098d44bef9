"""Potentials: numbers of facts that tell the checker where it need not search.

The sum of a state's numbers is no more than what the rest of a plan costs: no action lowers the sum
by more than the action costs, and where the goal holds the sum is 0 or less. Of all such numbers
those are taken whose sum is greatest in the initial state (potential heuristics: Pommerening et
al., AAAI 2015). A linear program finds them. Then they are rounded, and what they are divided by is
raised until all of this holds in whole numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import prod

from plancost.observations.sas import Operator, SasTask
from plancost.solver.default import new_lp
from plancost.solver.model import Status
from plancost.system.clock import Deadline

_FEW_STATES = 10_000
"""So few are searched as fast without numbers."""
_PARTS = 1000
"""Numbers are rounded to such parts of a cost."""
_LARGEST = 1e6
"""No number is larger, so that the program has a greatest value also where no plan exists."""


@dataclass(frozen=True)
class Potentials:
    """The number of each value of each variable, and what the sum of a state is divided by."""

    numbers: Sequence[Sequence[int]]
    parts: int


@dataclass(frozen=True)
class _Change:
    """What an action may do to a variable."""

    variable: int
    before: int | None
    """Its value before, if it is known."""
    after: tuple[int, ...]
    """What it may be set to."""
    may_stay: bool

    def drop(self, numbers: Sequence[Sequence[int]]) -> int:
        """By how much the sum may fall."""
        own = numbers[self.variable]
        before = max(own) if self.before is None else own[self.before]
        drops = [before - own[value] for value in self.after]
        return max([*drops, 0] if self.may_stay else drops)


def potentials_of(sas: SasTask, costs: Mapping[str, int], deadline: Deadline) -> Potentials | None:
    """The numbers of a task under some costs; None if there are none in time, or they say nothing.

    `costs` are those of the actions by name.
    """
    if prod(len(variable.values) for variable in sas.variables) <= _FEW_STATES:
        return None
    changes = {operator: _changes(operator) for operator in sas.operators}
    values = _solved(sas, {o: (own, costs[o.name]) for o, own in changes.items()}, deadline)
    if values is None:
        return None
    numbers = [[round(value * _PARTS) for value in own] for own in values]
    parts = max(
        (
            -(-sum(change.drop(numbers) for change in own) // costs[operator.name])
            for operator, own in changes.items()
        ),
        default=1,
    )
    at_goal = sum(
        max(own) if value is None else own[value]
        for own, value in zip(numbers, _goal_values(sas), strict=True)
    )
    numbers[0] = [number - at_goal for number in numbers[0]]
    at_start = sum(own[value] for own, value in zip(numbers, sas.initial_state, strict=True))
    return Potentials(numbers, max(1, parts)) if at_start > 0 else None


def _changes(operator: Operator) -> list[_Change]:
    before = dict(operator.preconditions)
    return [
        _Change(
            variable,
            before.get(variable),
            tuple(effect.value for effect in operator.effects if effect.variable == variable),
            all(e.conditions for e in operator.effects if e.variable == variable),
        )
        for variable in dict.fromkeys(effect.variable for effect in operator.effects)
    ]


def _goal_values(sas: SasTask) -> list[int | None]:
    goal = dict(sas.goal)
    return [goal.get(variable) for variable in range(len(sas.variables))]


def _solved(
    sas: SasTask, actions: Mapping[Operator, tuple[list[_Change], int]], deadline: Deadline
) -> list[list[float]] | None:
    """The numbers in floating point. The columns: each variable's values, then their maximum."""
    first = [0, *accumulate(len(variable.values) + 1 for variable in sas.variables)]
    greatest = [at - 1 for at in first[1:]]
    program = new_lp()
    for variable, start in zip(sas.variables, sas.initial_state, strict=True):
        # Derived values change by themselves.
        most = _LARGEST if variable.layer < 0 else 0.0
        columns = [(-most, most, 0.0) for _ in (*variable.values, "greatest")]
        columns[start] = (-most, most, -1.0)
        program.add_columns(columns)
    rows: dict[tuple[tuple[tuple[int, float], ...], float], None] = {
        (((first[v] + value, 1.0), (greatest[v], -1.0)), 0.0): None
        for v, variable in enumerate(sas.variables)
        for value in range(len(variable.values))
    }
    for changes, cost in actions.values():
        total: dict[int, float] = {}
        for change in changes:
            v = change.variable
            before = greatest[v] if change.before is None else first[v] + change.before
            if len(change.after) == 1 and not change.may_stay:
                _add(total, before, 1.0)
                _add(total, first[v] + change.after[0], -1.0)
                continue
            drop = program.add_column(0.0 if change.may_stay else -2 * _LARGEST, 2 * _LARGEST)
            for value in change.after:
                own: dict[int, float] = {drop: -1.0}
                _add(own, before, 1.0)
                _add(own, first[v] + value, -1.0)
                rows[tuple(own.items()), 0.0] = None
            _add(total, drop, 1.0)
        rows[tuple(total.items()), float(cost)] = None
    at_goal: dict[int, float] = {}
    for v, wanted in enumerate(_goal_values(sas)):
        _add(at_goal, greatest[v] if wanted is None else first[v] + wanted, 1.0)
    rows[tuple(at_goal.items()), 0.0] = None
    program.add_rows([(dict(terms), upper) for terms, upper in rows])
    solution = program.solve(deadline.remaining())
    if solution.status is not Status.OPTIMAL:
        return None
    return [
        [float(value) for value in solution.values[at:end]]
        for at, end in zip(first, greatest, strict=False)
    ]


def _add(total: dict[int, float], column: int, coefficient: float) -> None:
    total[column] = total.get(column, 0.0) + coefficient

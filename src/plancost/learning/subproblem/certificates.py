"""Proofs in exact arithmetic that some rows cannot hold together (Farkas).

Multiply each row by a positive integer and add them up: ``g . costs + m <= 0``. If
every entry of g is at least 0, then g . costs is at least the sum of g, because
costs are at least 1; so the rows contradict each other as soon as sum(g) + m > 0. (Weights of
linear costs may be 0; their entries do not count. That a cost made of them is at least 1 is a row.)
A solver proposes the multipliers in floating point, and what is kept is only what
holds in integers.

Bounds on single costs are rows too, of one action each: ``cost - greatest <= 0`` and
``least - cost <= 0``. The linear program has them as bounds of its columns, so the solver's
multipliers are silent about them; but which bounds a proof needs follows from the sum of its
other rows (`with_bounds`).

With a *budget* on the secondary cost the same works with one more multiplier: the
proof then says that the rows cost more than the budget.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, lcm

from plancost.learning.problem.parameter_limits import LEAST
from plancost.learning.problem.rows import Row
from plancost.learning.problem.task import LearningTask

_DENOMINATORS = (1, 2, 6, 12, 60, 840, 10**4, 10**6)
"""Grids that the solver's multipliers are rounded to, coarse ones first."""


_NEGLIGIBLE = 1e-9
"""Multipliers below this part of the largest are taken for rounding errors."""


@dataclass(frozen=True)
class Certificate:
    """Rows that no costs satisfy together, with their multipliers."""

    rows: tuple[Row, ...]
    multipliers: tuple[int, ...]
    may_be_zero: frozenset[int] = frozenset()
    """The parameters that are at least 0; all others are at least 1."""

    def is_valid(self) -> bool:
        """Check the proof in integers."""
        if len(self.rows) != len(self.multipliers) or any(m < 0 for m in self.multipliers):
            return False
        total: dict[int, int] = {}
        margin = 0
        for (coefficients, row_margin), multiplier in zip(self.rows, self.multipliers, strict=True):
            margin += multiplier * row_margin
            for action, coefficient in coefficients:
                total[action] = total.get(action, 0) + multiplier * coefficient
        least = sum(value for action, value in total.items() if action not in self.may_be_zero)
        return all(value >= 0 for value in total.values()) and least + margin > 0


def combine(
    rows: Sequence[Row], multipliers: Sequence[Fraction | int]
) -> tuple[dict[int, Fraction], Fraction]:
    """The sum of the rows, each taken as often as its multiplier says."""
    total: dict[int, Fraction] = {}
    margin = Fraction(0)
    for (coefficients, row_margin), given in zip(rows, multipliers, strict=True):
        multiplier = Fraction(given)
        margin += multiplier * row_margin
        for action, coefficient in coefficients:
            total[action] = total.get(action, Fraction(0)) + multiplier * coefficient
    return total, margin


def with_bounds(task: LearningTask, rows: Sequence[Row], multipliers: Sequence[int]) -> Certificate:
    """The same rows with the bounds on costs that take the most out of their sum.

    An action with a negative entry is at its greatest cost, one with a positive entry at its
    least: adding those bounds leaves no entry of the two. Of costs made of several parameters,
    that they are at least 1 is added as often as the sum allows. A proof without bounds stays so.
    """
    plain = Certificate(tuple(rows), tuple(multipliers), task.may_be_zero)
    if (task.ranges is None and not task.limit_rows) or plain.is_valid():
        return plain
    total, _ = combine(rows, multipliers)
    used = [(row, times) for row, times in zip(rows, multipliers, strict=True) if times]
    for action, value in sorted(total.items()):
        row = task.bound_row(action, upper=value < 0) if value else None
        if row is not None:
            used.append((row, int(abs(value))))
            total[action] = Fraction(0)
    for row, kind in task.limit_rows.items():
        support = [action for action, _ in row[0]]
        times = int(min(total.get(action, Fraction(0)) for action in support))
        if kind == LEAST and times > 0:
            used.append((row, times))
            for action in support:
                total[action] -= times
    return Certificate(
        tuple(row for row, _ in used), tuple(times for _, times in used), task.may_be_zero
    )


def certify(
    rows: Sequence[Row], multipliers: Sequence[float], task: LearningTask | None = None
) -> Certificate | None:
    """Turn a solver's multipliers into a proof, if they are one; the task may have bounds."""
    largest = max(multipliers, default=0.0)
    used = [
        (row, value)
        for row, value in zip(rows, multipliers, strict=True)
        if value > _NEGLIGIBLE * largest
    ]
    if not used:
        return None
    smallest = min(value for _, value in used)
    # Multipliers are known up to a factor: try the smallest and the largest as 1.
    for scale in (smallest, largest):
        for denominator in _DENOMINATORS:
            exact = [
                (row, Fraction(value / scale).limit_denominator(denominator)) for row, value in used
            ]
            kept = [(row, value) for row, value in exact if value > 0]
            if not kept:
                continue
            common = lcm(*(value.denominator for _, value in kept))
            used_rows = [row for row, _ in kept]
            times = [int(value * common) for _, value in kept]
            certificate = Certificate(tuple(used_rows), tuple(times))
            if task is not None:
                certificate = with_bounds(task, used_rows, times)
            if certificate.is_valid():
                return certificate
    return None


def secondary_bound(
    task: LearningTask, rows: Sequence[Row], multipliers: Sequence[float], target: int
) -> int | None:
    """A lower bound on the secondary cost of all costs that satisfy the rows.

    By Lagrange: whatever costs satisfy the rows, adding ``multiplier * (row's left
    side)`` (which is at most 0) to the secondary cost only lowers it; and the sum is
    least action by action. None if the multipliers prove nothing. The multipliers are
    rounded ever more finely until the bound reaches `target`, the solver's own value. Costs
    whose secondary cost is less than that are not huge, so rounding errors do not matter.
    """
    best: int | None = None
    for _, value in _bounds(task, rows, multipliers, target):
        best = value if best is None else max(best, value)
        if best >= target:
            break
    return best


def proving_multipliers(
    task: LearningTask, rows: Sequence[Row], multipliers: Sequence[float], value: int
) -> tuple[Fraction, ...] | None:
    """Exact multipliers near these that prove a secondary cost of at least `value`, if any do.

    Others may check them without knowing how large weights can be that have no term of their own:
    the rows must not ask for large ones.
    """
    free = {number for number, term in enumerate(task.terms) if not term.weight}
    for exact, bound in _bounds(task, rows, multipliers, value):
        total, _ = combine(rows, exact)
        if bound >= value and all(total.get(number, 0) >= 0 for number in free):
            return exact
    return None


def _bounds(
    task: LearningTask, rows: Sequence[Row], multipliers: Sequence[float], target: int
) -> Iterator[tuple[tuple[Fraction, ...], int]]:
    """Multipliers rounded ever more finely, and the bounds up to the target that they prove."""
    for denominator in _DENOMINATORS:
        exact = tuple(
            max(Fraction(0), Fraction(value).limit_denominator(denominator))
            for value in multipliers
        )
        total, margin = combine(rows, exact)
        least = _least_lagrangian(task, total, target)
        if least is not None:
            yield exact, min(target, ceil(margin + least))


def _least_lagrangian(
    task: LearningTask, total: dict[int, Fraction], target: int
) -> Fraction | None:
    """The least of ``secondary(costs) + total . costs`` over all costs within their bounds.

    Costs whose secondary cost is over the target need not be looked at.
    """
    least = Fraction(task.objective.at_origin)
    for action, slope in total.items():
        term = task.terms[action]
        value = term.least_with(slope, task.objective.greatest(action, target))
        if value is None:
            return None
        least += value - term.value(term.baseline)
    return least

"""Sums of large weights in integer programs, counted exactly.

A plan weighs as much as it has copies, up to a billion each. Solvers work in floating point with
tolerances of about a billionth: they cannot tell a sum of a billion from one that is 1 less. So
a sum of weights is written down digit by digit, in a base in which no number gets large, with
whole carries between the digits. That the sum is at least R is one row for each digit d::

    sum(digit d of weight * column) + carry into d - base * carry out of d >= digit d of R

The largest sum is found from its first digit to its last, each as large as the digits before it
allow. Sums that are small have one digit, and no carries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from math import floor, gcd, inf, isfinite

from plancost.solver.model import Model, Outcome, Status

LARGEST_SUM = 10**6
"""What the digits of all weights add up to at most; far from where solvers lose a unit."""


def common_unit(weights: Iterable[int]) -> int:
    """What all weights are multiples of."""
    return gcd(*weights) or 1


class Weighing:
    """The sum of the weights of the columns that a program chooses.

    `columns` are pairs of a column that is 0 or 1 and its weight.
    """

    def __init__(self, model: Model, columns: Sequence[tuple[int, int]]) -> None:
        self._model = model
        self._unit = common_unit(weight for _, weight in columns)
        self._columns = [(column, weight // self._unit) for column, weight in columns]
        self._total = sum(weight for _, weight in self._columns)
        is_small = self._total <= LARGEST_SUM
        self._base = self._total + 1 if is_small else max(2, LARGEST_SUM // len(columns))
        self._places = [1]
        while self._places[-1] * self._base <= self._total:
            self._places.append(self._places[-1] * self._base)
        self._lines = [self._line(place) for place in range(len(self._places))]
        self._carries: list[int] = []
        for low, high in pairwise(self._lines):
            # Digits up to base - 1 have to be reached, so a carry is never below -1.
            carry = model.add_column(-1, len(columns), integer=True)
            low[carry], high[carry] = -float(self._base), 1.0
            self._carries.append(carry)
        self._rows: list[int] = []
        if self._carries:
            self.require(0)

    def require(self, least: int) -> None:
        """The sum is at least that; later calls take the place of earlier ones."""
        if not self._rows:
            self._rows = [self._model.add_row(line) for line in self._lines]
        digits = self._digits(-(-least // self._unit))
        for row, line, digit in zip(self._rows, self._lines, digits, strict=True):
            self._model.rows[row] = (line, float(digit), inf)

    def of(self, values: Sequence[float]) -> int:
        """The sum at a point, in whole columns."""
        return self._unit * sum(weight for column, weight in self._columns if values[column] > 0.5)

    def start(self, values: Sequence[float]) -> list[float]:
        """A point of the weighed columns, which come first, with the carries that belong to it."""
        found = [*values, *[0.0] * (len(self._model.lower) - len(values))]
        chosen = [weight for column, weight in self._columns if values[column] > 0.5]
        for carry, place in zip(self._carries, self._places[1:], strict=True):
            found[carry] = float(sum(chosen) // place - sum(weight // place for weight in chosen))
        return found

    def largest(self, solve: Callable[[list[float] | None], Outcome]) -> tuple[Outcome, int]:
        """The point of the program with the largest sum, and a bound on the sum of every point.

        `solve` solves the program as it is then, from a point if one is known. The outcome is
        STOPPED unless its sum was proven to be the largest.
        """
        known, point = 0, None
        outcome = Outcome(Status.STOPPED, None, None, -inf)
        for place in reversed(range(len(self._places))):
            self._aim_at(place)
            outcome = solve(point)
            unit = self._places[place]
            if not isfinite(outcome.bound):
                return outcome, self._unit * min(self._total, known + unit * self._base - 1)
            most = known + unit * floor(-outcome.bound + 1e-3)
            bound = self._unit * min(self._total, most + unit - 1)
            if outcome.status is not Status.OPTIMAL or outcome.values is None:
                return outcome, bound
            known = self.of(outcome.values) // self._unit // unit * unit
            if known != most:
                return replace(outcome, status=Status.STOPPED), bound
            point = list(outcome.values)
            if place:
                self.require(known * self._unit)
        return outcome, known * self._unit

    def _aim_at(self, place: int) -> None:
        """Make one digit the objective."""
        self._model.objective = [0.0] * len(self._model.lower)
        for column, value in self._lines[place].items():
            self._model.objective[column] = -value

    def _line(self, place: int) -> dict[int, float]:
        """The digits of the weights in one place."""
        digits = ((column, self._digits(weight)[place]) for column, weight in self._columns)
        return {column: float(digit) for column, digit in digits if digit}

    def _digits(self, number: int) -> list[int]:
        """From the last place on; the first takes all that is left."""
        *others, first = self._places
        return [*(number // place % self._base for place in others), number // first]

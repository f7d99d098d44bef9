"""Rows, the pool of all that are known, and which plans demand each of them.

A row is an inequality ``coefficients . parameters + margin <= 0`` that holds if a plan is optimal:
the plan costs no more than one alternative, after cancelling what they have in common.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

PlanSet = frozenset[int]
Mask = npt.NDArray[np.bool_]
Vector = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]
Costs = Vector | Whole


@dataclass(frozen=True)
class Row:
    """``coefficients . parameters + margin <= 0``; parameters in increasing order."""

    coefficients: tuple[tuple[int, int], ...]
    margin: int

    def excess(self, values: npt.NDArray[np.int64]) -> int:
        """By how much whole values break it; at most 0 if it holds."""
        return sum(times * int(values[p]) for p, times in self.coefficients) + self.margin


@dataclass(frozen=True)
class Alternative:
    """Other actions for a plan from `begin` to `end`; an `end` below 0: up to the goal."""

    plan: int
    begin: int
    end: int
    other: tuple[int, ...]
    is_whole: bool = False
    """The whole plan is compared with a whole other one: common actions may not cancel."""


@dataclass(frozen=True)
class Cut:
    """A row, all plans that demand it, and the alternative that one of them is compared with."""

    row: Row
    plans: PlanSet
    why: Alternative


def whole(plan: int, other: tuple[int, ...]) -> Alternative:
    """A whole other plan."""
    return Alternative(plan, 0, -1, other, is_whole=True)


def row_of(counts: Mapping[int, int], margin: int) -> Row:
    """A row from how often more each parameter is in the plan than in the alternative."""
    return Row(tuple(sorted((p, times) for p, times in counts.items() if times)), margin)


def difference(own: Counter[int], other: Counter[int], margin: int) -> Row:
    """The row that says that `own` costs no more than `other`, by a margin."""
    counts = own.copy()
    counts.subtract(other)
    return row_of(counts, margin)


class RowPool:
    """Rows by number; pairs of a row and a plan that demands it are kept by plan."""

    def __init__(self, plan_count: int, parameter_count: int, always: Sequence[Row] = ()) -> None:
        self.rows: list[Row] = []
        self.plans: list[set[int]] = []
        """Of each row: which plans demand it."""
        self.cuts: list[list[Cut]] = []
        """Of each row cuts that it comes from: together they have all its plans."""
        self.void: list[int] = []
        """Rows that no costs satisfy: the plan would have to cost less than itself."""
        self._numbers: dict[Row, int] = {}
        self._of_plan: list[list[int]] = [[] for _ in range(plan_count)]
        self._parameter_count = parameter_count
        self._columns, self._entries = array("i"), array("d")
        self._ends, self._margins = array("q", [0]), array("d")
        self._matrix = csr_array((0, parameter_count))
        for row in always:
            self._number(row)
        self.always = len(self.rows)
        """The first rows are demanded whatever the plans are."""

    def add(self, cuts: Iterable[Cut]) -> int:
        """How many of these say something new."""
        new = 0
        for cut in cuts:
            number = self._number(cut.row)
            known = self.plans[number]
            fresh = cut.plans - known if known else cut.plans
            if fresh:
                new += 1
                known |= fresh
                self.cuts[number].append(cut)
                for plan in fresh:
                    self._of_plan[plan].append(number)
        return new

    def number(self, row: Row) -> int:
        """Under which a row is known."""
        return self._numbers[row]

    def demanded(self, plans: Iterable[int]) -> Mask:
        """Which rows these plans demand."""
        mask = np.zeros(len(self.rows), dtype=bool)
        mask[: self.always] = True
        numbers = [number for plan in plans for number in self._of_plan[plan]]
        mask[numbers] = True
        return mask

    def excess(self, values: Vector) -> Vector:
        """By how much each row is broken; negative if it holds."""
        matrix, margins = self.matrix()
        return np.asarray(matrix @ values) + margins

    def matrix(self) -> tuple[csr_array, Vector]:
        """The coefficients of all rows, and their margins."""
        if self._matrix.shape[0] < len(self.rows):
            parts = np.array(self._entries), np.array(self._columns), np.array(self._ends)
            self._matrix = csr_array(parts, shape=(len(self.rows), self._parameter_count))
        return self._matrix, np.array(self._margins)

    def _number(self, row: Row) -> int:
        number = self._numbers.setdefault(row, len(self.rows))
        if number == len(self.rows):
            self.rows.append(row)
            self.plans.append(set())
            self.cuts.append([])
            if not row.coefficients and row.margin > 0:
                self.void.append(number)
            self._columns.extend(p for p, _ in row.coefficients)
            self._entries.extend(times for _, times in row.coefficients)
            self._ends.append(len(self._columns))
            self._margins.append(row.margin)
        return number

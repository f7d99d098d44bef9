"""Whole values near given ones, for a set that real values make optimal: ties are kept exactly.

Of the rows of a set some are ties: no values that satisfy all rows give them slack. At a corner
of a linear program many more rows have none, and denominators have no end (1,044 different ones for
8,583 trips in a made-up city), so that rounding breaks rows. Three steps find whole values:

1. A linear program goes to a point nearby where every row has slack that can have some. Rows
   without slack there are the ties, equations without a constant.
2. Elimination makes one parameter of each tie depend on others. Coefficients of plans are mostly
   1, so no denominators come up.
3. The other parameters are rounded at some scale, and those that depend on them follow.

Rounding at common scales kept 6,063 to 6,936 of those trips; this keeps all.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Sequence
from math import gcd, lcm

import highspy
import numpy as np
from scipy.sparse import csr_array, eye_array, hstack

from plancost.clock import Clock, OutOfTimeError
from plancost.errors import SolverError
from plancost.learn.rows import Mask, Row, RowPool, Vector, Whole
from plancost.learn.solvers import quiet_highs, run_at_once, solution

_AWAY, _SLACK = 0.5, 0.125
"""How far values may go, and the slack that is enough for a row."""
_NONE = 1e-5
"""Less slack is none."""
_SCALES = (1, 2, 3, 5, 10, 30, 100, 1000, 10_000)
_LARGEST_FACTOR = 10**6
"""Of a parameter that depends on others."""

Tie = tuple[int, dict[int, int]]
"""The parameter that depends on the others, and all coefficients."""


class Interior:
    """A point with slack for the rows that are demanded, and its ties."""

    def __init__(self, pool: RowPool, demanded: Mask, least: Whole) -> None:
        self._pool, self._least = pool, least
        self._rows = np.flatnonzero(demanded)
        matrix, margins = pool.matrix()
        self._matrix, self._margins = matrix[self._rows], margins[self._rows]

    def whole(self, values: Vector, clock: Clock) -> Whole | None:
        """Whole values that satisfy these rows, at the smallest scale that does."""
        point, without = self._point(values, clock)
        ties = eliminated([self._pool.rows[n] for n in self._rows[without].tolist()])
        common = lcm(*(abs(own[pivot]) for pivot, own in ties))
        for scale in _SCALES if common <= _LARGEST_FACTOR else ():
            parts = np.rint(scale * point).astype(np.int64) * common
            found = _followed(parts, ties)
            if found is not None and (found >= self._least).all():
                excess = np.asarray(self._matrix @ found) + self._margins
                if excess.max(initial=0) <= 0:
                    return found
        return None

    def _point(self, values: Vector, clock: Clock) -> tuple[Vector, Mask]:
        """The point, and which rows are ties."""
        excess = np.asarray(self._matrix @ values) + self._margins
        reach = _AWAY * abs(self._matrix).sum(axis=1) + _SLACK
        near = np.flatnonzero(excess > -reach)
        count, rows = len(values), len(near)
        program = highspy.HighsLp()
        program.num_col_, program.num_row_ = count + rows, rows
        program.col_cost_ = np.concatenate([np.zeros(count), -np.ones(rows)])
        below = np.minimum(0, np.maximum(self._least - values, -_AWAY))
        program.col_lower_ = np.concatenate([below, np.zeros(rows)])
        program.col_upper_ = np.repeat([_AWAY, _SLACK], [count, rows])
        program.row_lower_ = np.full(rows, -highspy.kHighsInf)
        program.row_upper_ = np.maximum(0, -excess[near])
        matrix = csr_array(hstack([self._matrix[near], eye_array(rows)]))
        program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        program.a_matrix_.start_, program.a_matrix_.index_ = matrix.indptr, matrix.indices
        program.a_matrix_.value_ = matrix.data
        highs = quiet_highs(solver="ipm", run_crossover="off", threads=1)
        highs.passModel(program)
        status = run_at_once(highs, clock.remaining)
        if status == highspy.HighsModelStatus.kTimeLimit:
            raise OutOfTimeError
        if status != highspy.HighsModelStatus.kOptimal:
            raise SolverError(f"HiGHS ended with {status}")
        found, _ = solution(highs, count + rows)
        ties = np.zeros(len(self._rows), dtype=bool)
        ties[near] = (found[count:] < _NONE) & (self._margins[near] == 0)
        return values + found[:count], ties


def eliminated(rows: Sequence[Row]) -> list[Tie]:
    """These equations, each solved for a parameter that no later one has; short ones first."""
    equations = [dict(row.coefficients) for row in rows]
    having: dict[int, set[int]] = defaultdict(set)
    for number, own in enumerate(equations):
        for parameter in own:
            having[parameter].add(number)
    waiting = [(len(own), number) for number, own in enumerate(equations)]
    heapq.heapify(waiting)
    found: list[Tie] = []
    while waiting:
        length, number = heapq.heappop(waiting)
        own = equations[number]
        if length != len(own) or not own:
            continue  # it changed, and waits a second time; or it says nothing new
        pivot = min(own, key=lambda p: (abs(own[p]), len(having[p])))
        found.append((pivot, own))
        for parameter in own:
            having[parameter].discard(number)
        for other in list(having[pivot]):
            before = equations[other]
            after = equations[other] = _without(pivot, before, own)
            for parameter in before.keys() - after.keys():
                having[parameter].discard(other)
            for parameter in after.keys() - before.keys():
                having[parameter].add(other)
            heapq.heappush(waiting, (len(after), other))
        equations[number] = {}
    return found


def _without(pivot: int, equation: dict[int, int], own: dict[int, int]) -> dict[int, int]:
    """A multiple of an equation less one of another, so that the pivot is gone."""
    times, taken = own[pivot], equation[pivot]
    sums = {parameter: times * value for parameter, value in equation.items()}
    for parameter, value in own.items():
        sums[parameter] = sums.get(parameter, 0) - taken * value
    common = gcd(*sums.values()) or 1
    return {parameter: value // common for parameter, value in sums.items() if value}


def _followed(values: Whole, ties: Sequence[Tie]) -> Whole | None:
    """Values where each dependent parameter follows; None if it would be no whole number."""
    found: list[int] = values.tolist()
    for pivot, own in reversed(ties):
        rest = -sum(times * found[p] for p, times in own.items() if p != pivot)
        found[pivot], left = divmod(rest, own[pivot])
        if left:
            return None
    return np.array(found, dtype=np.int64)

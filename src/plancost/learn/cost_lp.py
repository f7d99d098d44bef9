"""The linear program in the parameters: which values satisfy these rows, and at what price?

The solver holds only rows that were broken once, and the dual simplex method goes on from the last
basis. Rows that the set at hand does not demand are switched off by their bound.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import highspy
import numpy as np
from scipy.sparse import csr_array

from plancost.clock import Clock
from plancost.errors import SolverError
from plancost.learn.parameters import Parameters
from plancost.learn.rows import Mask, RowPool, Vector, Whole
from plancost.learn.solvers import quiet_highs, run, run_at_once, solution

_MOST_IDLE = 400
"""So many rows may be switched off before the program starts afresh: without that real trips take
1.5 times as long."""
_TOLERANCE = 1e-7


@dataclass(frozen=True)
class Solved:
    """Values; or, if there are none, rows that contradict each other, with their multipliers.

    With values, the multipliers of the rows say what the objective rests on.
    """

    values: Vector | None
    rows: Whole
    multipliers: Vector
    objective: float = 0.0


class _Program:
    """A solver's columns, of which parameters are made: ``origin + directions @ columns``."""

    def __init__(self, parameters: Parameters, *, priced: bool) -> None:
        origin, columns = parameters.columns(priced=priced)
        self.origin = origin.astype(np.float64)
        table = np.array(columns, dtype=np.float64).reshape(-1, 4).T
        self.parameter, signs = table[0].astype(np.int64), table[1]
        self.count = len(columns)
        """How many columns there are."""
        self._price, self._most = table[2], table[3]
        places = self.parameter, np.arange(self.count)
        self._directions = csr_array((signs, places), shape=(parameters.count, self.count))

    def begin(self, highs: highspy.Highs) -> None:
        """Make these the columns of a solver."""
        none, empty = np.zeros(self.count), np.zeros(0, dtype=np.int32)
        highs.addCols(self.count, self._price, none, self._most, 0, empty, empty, np.zeros(0))

    def values(self, highs: highspy.Highs) -> Vector:
        """The parameters of a solution."""
        columns, _ = solution(highs, self.count)
        return np.asarray(self.origin + self._directions @ columns)

    def add(self, highs: highspy.Highs, pool: RowPool, numbers: Whole) -> Vector:
        """Hand rows of the pool to a solver; their right-hand sides."""
        matrix, margins = pool.matrix()
        rows = matrix[numbers]
        limits = -np.asarray(rows @ self.origin) - margins[numbers]
        own = csr_array(rows @ self._directions)
        least = np.full(len(numbers), -highspy.kHighsInf)
        parts = own.indptr[:-1].astype(np.int32), own.indices.astype(np.int32), own.data
        highs.addRows(len(numbers), least, limits, own.nnz, *parts)
        return limits


class CostLP:
    """Least price over the rows that are demanded."""

    def __init__(self, parameters: Parameters, pool: RowPool, *, priced: bool) -> None:
        self.pool = pool
        self._program = _Program(parameters, priced=priced)
        self.restart()

    def restart(self) -> None:
        """Forget all rows and the basis."""
        self._highs = quiet_highs()
        self._program.begin(self._highs)
        self._place = np.zeros(0, dtype=np.int64)
        """The number of each of the solver's rows in the pool."""
        self._limit = np.zeros(0)
        self._is_on = np.zeros(0, dtype=bool)

    def solve(self, demanded: Mask, clock: Clock) -> Solved:
        """The best values under these rows; tried again from the start if that fails."""
        try:
            return self._solve(demanded, clock)
        except SolverError:
            self.restart()
            return self._solve(demanded, clock)

    def _solve(self, demanded: Mask, clock: Clock) -> Solved:
        void = next((n for n in self.pool.void if demanded[n]), None)
        if void is not None:  # HiGHS gives no ray for an empty row
            return Solved(None, np.array([void]), np.ones(1))
        if np.count_nonzero(self._is_on & ~demanded[self._place]) > _MOST_IDLE:
            self.restart()
        self._switch(demanded)
        while True:
            status = run(self._highs, clock)
            if status == highspy.HighsModelStatus.kInfeasible:
                found = self._highs.getDualRay()  # type: ignore[attr-defined]
                if not found[1] or not len(found[2]):
                    raise SolverError("HiGHS gives no dual ray")
                return Solved(None, *self._positive(-np.asarray(found[2])))
            if status != highspy.HighsModelStatus.kOptimal:
                raise SolverError(f"HiGHS ended with {status}")
            values = self._program.values(self._highs)
            broken = np.flatnonzero(demanded & (self.pool.excess(values) > _TOLERANCE))
            new = np.setdiff1d(broken, self._place)
            if not len(new):
                multipliers = self._positive(-np.asarray(self._highs.getSolution().row_dual))
                return Solved(values, *multipliers, self._highs.getInfo().objective_function_value)
            self._limit = np.append(self._limit, self._program.add(self._highs, self.pool, new))
            self._place = np.append(self._place, new)
            self._is_on = np.append(self._is_on, np.ones(len(new), dtype=bool))

    def _positive(self, multipliers: Vector) -> tuple[Whole, Vector]:
        least = 1e-9 * max(1e-12, float(np.abs(multipliers).max(initial=0)))
        used = np.flatnonzero(self._is_on & (multipliers > least))
        return self._place[used], multipliers[used]

    def _switch(self, demanded: Mask) -> None:
        wanted = demanded[self._place]
        limits = np.where(wanted, self._limit, highspy.kHighsInf)
        for row in np.flatnonzero(wanted != self._is_on).tolist():
            self._highs.changeRowBounds(row, -highspy.kHighsInf, limits[row])
        self._is_on = wanted


def least_whole(
    parameters: Parameters,
    pool: RowPool,
    demanded: Mask,
    seconds: float,
    enough: float = inf,
    corner: Vector | None = None,
) -> tuple[Whole | None, float]:
    """Whole values under some rows, by an integer program: no worse than `enough` by the second
    objective, or the best if the time suffices; any if that is infinite. And the solver's bound,
    infinite if there are none.

    Needed where the corner of the linear program is not whole and costs may not be scaled, and for
    the second objective (transport-100_0). With a corner, parameters that it leaves where they
    begin stay there: on real trips that refine minutes this takes 1 s, the whole program 27 s.
    """
    if any(demanded[number] for number in pool.void):
        return None, inf  # HiGHS has no answer where there is nothing to choose
    is_priced = enough < inf
    program = _Program(parameters, priced=is_priced)
    start = parameters.second_floor if is_priced else 0
    target = enough - start + 0.5
    highs = quiet_highs(mip_rel_gap=0.0, mip_abs_gap=0.9, objective_target=target)
    program.begin(highs)
    every = np.arange(program.count, dtype=np.int32)
    kinds = np.full(program.count, highspy.HighsVarType.kInteger)
    highs.changeColsIntegrality(program.count, every, kinds)
    if corner is not None:
        stays = np.abs(corner - program.origin) <= _TOLERANCE
        for column in np.flatnonzero(stays[program.parameter]).tolist():
            highs.changeColBounds(column, 0.0, 0.0)
    program.add(highs, pool, np.flatnonzero(demanded))
    if run_at_once(highs, seconds) == highspy.HighsModelStatus.kInfeasible:
        return None, inf
    bound = highs.getInfo().mip_dual_bound + start
    if highs.getInfo().primal_solution_status != _FEASIBLE:
        return None, bound
    return np.rint(program.values(highs)).astype(np.int64), bound


_FEASIBLE = 2
"""What HiGHS calls a solution that keeps to all rows."""

"""The linear program in the parameters: which values satisfy these rows, and at what price?

The solver holds only rows that were broken once, and the dual simplex method goes on from the last
basis. Rows that the set at hand does not demand are switched off by their bound.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import inf

import highspy
import numpy as np
import numpy.typing as npt

from plancost.clock import Clock, OutOfTimeError
from plancost.errors import SolverError
from plancost.learn.parameters import Parameters
from plancost.learn.rows import Mask, RowPool, Vector

Whole = npt.NDArray[np.int64]

_MOST_IDLE = 400
"""Rows that are switched off still slow the simplex method down; beyond this it starts afresh."""
_AT_ONCE = 100
"""Broken rows that are taken in before the program is solved again: the most broken ones."""
_TOLERANCE = 1e-7


@dataclass(frozen=True)
class Solved:
    """Values; or, if there are none, rows that contradict each other, with their multipliers.

    With values, the multipliers of the rows say what the objective rests on.
    """

    values: Vector | None
    rows: npt.NDArray[np.int64]
    multipliers: Vector
    objective: float = 0.0


def quiet_highs() -> highspy.Highs:
    """A silent solver on one core that keeps its basis between calls."""
    highs = highspy.Highs()  # type: ignore[no-untyped-call]
    for name, value in (
        ("output_flag", False),
        ("threads", 1),
        ("presolve", "off"),
        ("solver", "simplex"),
    ):
        highs.setOptionValue(name, value)
    return highs


def run(highs: highspy.Highs, clock: Clock) -> highspy.HighsModelStatus:
    """Solve, within the clock."""
    highs.setOptionValue("time_limit", highs.getRunTime() + min(clock.remaining, 1e6))
    highs.run()
    status = highs.getModelStatus()
    if status == highspy.HighsModelStatus.kTimeLimit:
        raise OutOfTimeError
    return status


class ColumnMap:
    """How parameters are made of the columns of a program: ``origin + directions @ columns``."""

    def __init__(self, parameters: Parameters, *, priced: bool) -> None:
        origin, columns = parameters.columns(priced=priced)
        self.origin = origin.astype(np.float64)
        self.parameter = np.array([c.parameter for c in columns], dtype=np.int64)
        self.sign = np.array([float(c.sign) for c in columns])
        self.price = np.array([float(c.price) for c in columns])
        self.most = np.array([c.most for c in columns])
        self._of: list[list[int]] = [[] for _ in range(parameters.count)]
        for number, column in enumerate(columns):
            self._of[column.parameter].append(number)

    def values(self, columns: Vector) -> Vector:
        """The parameters."""
        found = self.origin.copy()
        np.add.at(found, self.parameter, self.sign * columns)
        return found

    def line(
        self, coefficients: tuple[tuple[int, int], ...]
    ) -> tuple[list[int], list[float], float]:
        """A row over the columns, and what it is where they are all 0."""
        places: list[int] = []
        entries: list[float] = []
        constant = 0.0
        for parameter, times in coefficients:
            constant += times * self.origin[parameter]
            for column in self._of[parameter]:
                places.append(column)
                entries.append(times * self.sign[column])
        return places, entries, float(constant)

    def at_origin(self, values: Vector) -> list[int]:
        """The columns of parameters that these values leave where they begin."""
        unmoved = np.flatnonzero(np.abs(values - self.origin) <= _TOLERANCE)
        return [column for parameter in unmoved.tolist() for column in self._of[parameter]]

    def add_to(self, highs: highspy.Highs) -> None:
        """Make these the columns of a new program."""
        count, empty = len(self.price), np.zeros(0, dtype=np.int32)
        most = np.where(np.isinf(self.most), highspy.kHighsInf, self.most)
        highs.addCols(count, self.price, np.zeros(count), most, 0, empty, empty, np.zeros(0))


class CostLP:
    """Least price over the rows that are demanded."""

    def __init__(self, parameters: Parameters, pool: RowPool, *, priced: bool) -> None:
        self.pool = pool
        self._columns = ColumnMap(parameters, priced=priced)
        self.restart()

    def restart(self) -> None:
        """Forget all rows and the basis."""
        self._highs = quiet_highs()
        self._columns.add_to(self._highs)
        self._place = np.zeros(0, dtype=np.int64)
        """The number of each of the solver's rows in the pool."""
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
            solution = self._highs.getSolution()
            values = self._columns.values(np.asarray(solution.col_value))
            excess = self.pool.excess(values)
            broken = np.flatnonzero(demanded & (excess > _TOLERANCE))
            broken = np.setdiff1d(broken, self._place[self._is_on])
            if not len(broken):
                multipliers = self._positive(-np.asarray(solution.row_dual))
                return Solved(values, *multipliers, self._highs.getInfo().objective_function_value)
            self._take_in(broken[np.argsort(-excess[broken], kind="stable")][:_AT_ONCE])

    def _positive(self, multipliers: Vector) -> tuple[npt.NDArray[np.int64], Vector]:
        least = 1e-9 * max(1e-12, float(np.abs(multipliers).max(initial=0)))
        used = np.flatnonzero(self._is_on & (multipliers > least))
        return self._place[used], multipliers[used]

    def _switch(self, demanded: Mask) -> None:
        wanted = demanded[self._place]
        for row in np.flatnonzero(wanted != self._is_on).tolist():
            limit = self._limit[int(self._place[row])] if wanted[row] else highspy.kHighsInf
            self._highs.changeRowBounds(row, -highspy.kHighsInf, limit)
        self._is_on = wanted

    def _take_in(self, numbers: npt.NDArray[np.int64]) -> None:
        known = {number: row for row, number in enumerate(self._place.tolist())}
        for number in numbers.tolist():
            if number in known:
                self._highs.changeRowBounds(known[number], -highspy.kHighsInf, self._limit[number])
                self._is_on[known[number]] = True
                continue
            row = self.pool.rows[number]
            places, entries, constant = self._columns.line(row.coefficients)
            self._limit[number] = -float(row.margin) - constant
            self._highs.addRow(
                -highspy.kHighsInf, self._limit[number], len(places),
                np.array(places, dtype=np.int32), np.array(entries),
            )  # fmt: skip
            self._place = np.append(self._place, number)
            self._is_on = np.append(self._is_on, True)

    @cached_property
    def _limit(self) -> dict[int, float]:
        """Of each row that the solver has seen: its right-hand side."""
        return {}


@dataclass(frozen=True)
class WholeProgram:
    """Least whole values under some rows of the pool, by an integer program.

    Needed where the corner of the linear program is not whole and costs may not be scaled, and for
    the second objective (transport-100_0).
    """

    parameters: Parameters
    pool: RowPool
    demanded: Mask
    priced: bool
    """By the second objective; else by 1 each."""

    def solve(self, seconds: float, enough: float = -inf) -> tuple[Whole | None, float]:
        """Values, the best if the time suffices or no worse than `enough`, and the solver's bound.

        The bound is infinite if there are none.
        """
        return self._solve(seconds, enough, None)

    def near(self, corner: Vector, enough: float, seconds: float) -> Whole | None:
        """Values no worse than `enough` that leave all parameters alone that a corner leaves alone.

        On real trips that refine minutes this takes 1 s, the whole program 27 s.
        """
        values, _ = self._solve(seconds, enough, corner)
        return values

    def _solve(
        self, seconds: float, enough: float, corner: Vector | None
    ) -> tuple[Whole | None, float]:
        columns = ColumnMap(self.parameters, priced=self.priced)
        start = float(parameters_price(columns, self.parameters)) if self.priced else 0.0
        highs = highspy.Highs()  # type: ignore[no-untyped-call]
        for name, value in (
            ("output_flag", False), ("threads", 1), ("mip_rel_gap", 0.0), ("mip_abs_gap", 0.9),
            ("time_limit", max(0.1, min(seconds, 1e6))), ("objective_target", enough - start + 0.5),
        ):  # fmt: skip
            highs.setOptionValue(name, value)
        columns.add_to(highs)
        count = len(columns.price)
        kinds = np.full(count, highspy.HighsVarType.kInteger)
        highs.changeColsIntegrality(count, np.arange(count, dtype=np.int32), kinds)
        if corner is not None:
            for column in columns.at_origin(corner):
                highs.changeColBounds(column, 0.0, 0.0)
        for number in np.flatnonzero(self.demanded).tolist():
            row = self.pool.rows[number]
            places, entries, constant = columns.line(row.coefficients)
            line = len(places), np.array(places, dtype=np.int32), np.array(entries)
            highs.addRow(-highspy.kHighsInf, -float(row.margin) - constant, *line)
        highs.run()
        if highs.getModelStatus() == highspy.HighsModelStatus.kInfeasible:
            return None, inf
        bound = highs.getInfo().mip_dual_bound + start
        solution = highs.getSolution()
        if not solution.value_valid or highs.getInfo().primal_solution_status != _FEASIBLE:
            return None, bound
        values = np.rint(columns.values(np.asarray(solution.col_value))).astype(np.int64)
        return values, bound


_FEASIBLE = 2
"""What HiGHS calls a solution that keeps to all rows."""


def parameters_price(columns: ColumnMap, parameters: Parameters) -> int:
    """The second objective where all columns are 0."""
    origin = columns.origin.astype(np.int64).tolist()
    return sum(f.value(x) for f, x in zip(parameters.functions, origin, strict=True))

"""All rows ever found, with the plans that induce them, checked many at a time.

A linear program gets slow with every row that it holds, needed or not. So rows live here, as
one sparse matrix, and move into the program only when a solution breaks them.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array, csr_array

from plancost.learning.problem.rows import Row, is_infeasible, is_violated
from plancost.learning.problem.task import PlanSet

Numbers = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_LARGEST_EXACT = 2**53
"""Integer checks that could come near this are done row by row in Python's integers."""
_LARGEST_FLOAT = 10**300


class CutPool:
    """Rows by number; a row's inducing plans are the candidates whose optimality demands it."""

    def __init__(
        self,
        action_count: int,
        candidate_count: int,
        is_infeasible: Callable[[Row], bool] = is_infeasible,
    ) -> None:
        self.rows: list[Row] = []
        self._is_infeasible = is_infeasible
        self._action_count = action_count
        self._candidate_count = candidate_count
        self._numbers: dict[Row, int] = {}
        self._inducing_plans: list[set[int]] = []
        self._infeasible: list[int] = []
        self._margins = array("d")
        self._margin_vector = np.zeros(0)
        self._columns = array("i")
        self._values = array("d")
        self._starts = array("i", [0])
        self._induced_rows = array("i")
        self._inducing = array("i")
        self._given: list[int] = []
        self._rows_of: list[list[int]] = [[] for _ in range(candidate_count)]
        self._matrix: csr_array | None = None
        self._checked: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]] | None = None
        self._incidence: csr_array | None = None

    def has(self, row: Row) -> bool:
        """Whether a row is known."""
        return row in self._numbers

    def give(self, row: Row) -> int:
        """Make a row known that holds in any case; its number."""
        number = self._number_of(row)
        self._given.append(number)
        self._incidence = None
        return number

    def add(self, row: Row, plan: int) -> bool:
        """Make a row known of a candidate; False if it was."""
        number = self._number_of(row)
        if plan in self._inducing_plans[number]:
            return False
        self._inducing_plans[number].add(plan)
        self._induced_rows.append(number)
        self._inducing.append(plan)
        self._rows_of[plan].append(number)
        self._incidence = None
        return True

    def _number_of(self, row: Row) -> int:
        """The number of a row, which may be new."""
        number = self._numbers.get(row)
        if number is None:
            number = len(self.rows)
            self._numbers[row] = number
            self.rows.append(row)
            self._inducing_plans.append(set())
            if self._is_infeasible(row):
                self._infeasible.append(number)
            self._margins.append(_as_float(row[1]))
            for action, value in row[0]:
                self._columns.append(action)
                self._values.append(_as_float(value))
            self._starts.append(len(self._columns))
            self._matrix = None
            self._checked = None
        return number

    def number(self, row: Row) -> int:
        """The number of a known row."""
        return self._numbers[row]

    def inducing_plans(self, number: int) -> PlanSet:
        """The candidates that induce a row."""
        return frozenset(self._inducing_plans[number])

    def induced(self, chosen: Iterable[int]) -> Mask:
        """Which rows some of the chosen candidates induce, or hold in any case."""
        indicator = np.zeros(self._candidate_count, dtype=np.int64)
        indicator[list(chosen)] = 1
        mask = np.asarray(self._incidence_matrix() @ indicator) > 0
        mask[self._given] = True
        return mask

    def infeasible(self, among: Mask) -> int | None:
        """The first of these rows that no costs satisfy."""
        return next((number for number in self._infeasible if among[number]), None)

    def breaks_any(self, costs: npt.NDArray[np.float64], candidate: int, tolerance: float) -> bool:
        """Whether floating-point costs break a row of one candidate."""
        return bool(np.any(self._excess(costs)[self._rows_of[candidate]] > tolerance))

    def violated(self, costs: npt.NDArray[np.float64], among: Mask, tolerance: float) -> Numbers:
        """Rows that floating-point costs break, the worst first."""
        excess = self._excess(costs)
        found = np.flatnonzero(among & (excess > tolerance))
        return found[np.argsort(-excess[found], kind="stable")]

    def _excess(self, costs: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """By how much each row is broken; many questions in a row are about the same costs."""
        if self._checked is not None and self._checked[0] is costs:
            return self._checked[1]
        excess = np.asarray(self._row_matrix() @ costs + self._margin_vector, dtype=np.float64)
        self._checked = (costs, excess)
        return excess

    def violated_exactly(self, costs: Sequence[int], among: Mask) -> Numbers:
        """Rows that integer costs break, in exact arithmetic."""
        matrix = self._row_matrix()
        largest = float(max(costs, default=0))
        weights = np.asarray(abs(matrix).sum(axis=1)).ravel()
        sizes = weights * largest + np.abs(self._margin_vector)
        if float(sizes.max(initial=0.0)) >= _LARGEST_EXACT:
            rows = ((n, self.rows[n]) for n in np.flatnonzero(among).tolist())
            broken = [number for number, row in rows if is_violated(row, costs)]
            return np.array(broken, dtype=np.int64)
        excess = np.asarray(matrix @ np.asarray(costs, dtype=np.float64)) + self._margin_vector
        return np.flatnonzero(among & (excess > 0))

    def _row_matrix(self) -> csr_array:
        if self._matrix is None:
            self._margin_vector = np.array(self._margins)
            self._matrix = csr_array(
                (np.array(self._values), np.array(self._columns), np.array(self._starts)),
                shape=(len(self.rows), self._action_count),
            )
        return self._matrix

    def _incidence_matrix(self) -> csr_array:
        if self._incidence is None:
            entries = (
                np.ones(len(self._inducing), dtype=np.int64),
                (np.array(self._induced_rows), np.array(self._inducing)),
            )
            shape = (len(self.rows), self._candidate_count)
            self._incidence = coo_array(entries, shape=shape).tocsr()
        return self._incidence


def _as_float(number: int) -> float:
    return float(max(-_LARGEST_FLOAT, min(_LARGEST_FLOAT, number)))

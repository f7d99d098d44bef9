"""All rows ever found, with their owners, checked many at a time.

A linear program gets slow with every row that it holds, needed or not. So rows live here, as
one sparse matrix, and move into the program only when a solution breaks them.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array, csr_array

from plancost.learning.problem.rows import Row, is_hopeless, is_violated
from plancost.learning.problem.task import PlanSet

Numbers = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_LARGEST_EXACT = 2**53
"""Integer checks that could come near this are done row by row in Python's integers."""
_LARGEST_FLOAT = 10**300


class CutPool:
    """Rows by number; the owners of a row are the candidates that it is known of."""

    def __init__(
        self,
        action_count: int,
        candidate_count: int,
        is_hopeless: Callable[[Row], bool] = is_hopeless,
    ) -> None:
        self.rows: list[Row] = []
        self._is_hopeless = is_hopeless
        self._action_count = action_count
        self._candidate_count = candidate_count
        self._numbers: dict[Row, int] = {}
        self._owners: list[set[int]] = []
        self._hopeless: list[int] = []
        self._margins = array("d")
        self._margin_vector = np.zeros(0)
        self._columns = array("i")
        self._values = array("d")
        self._starts = array("i", [0])
        self._owned = array("i")
        self._owning = array("i")
        self._given: list[int] = []
        self._rows_of: list[list[int]] = [[] for _ in range(candidate_count)]
        self._matrix: csr_array | None = None
        self._checked: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]] | None = None
        self._ownership: csr_array | None = None

    def give(self, row: Row) -> int:
        """Make a row known that holds in any case; its number."""
        number = self._number_of(row)
        self._given.append(number)
        self._ownership = None
        return number

    def add(self, row: Row, owner: int) -> bool:
        """Make a row known of a candidate; False if it was."""
        number = self._number_of(row)
        if owner in self._owners[number]:
            return False
        self._owners[number].add(owner)
        self._owned.append(number)
        self._owning.append(owner)
        self._rows_of[owner].append(number)
        self._ownership = None
        return True

    def _number_of(self, row: Row) -> int:
        """The number of a row, which may be new."""
        number = self._numbers.get(row)
        if number is None:
            number = len(self.rows)
            self._numbers[row] = number
            self.rows.append(row)
            self._owners.append(set())
            if self._is_hopeless(row):
                self._hopeless.append(number)
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

    def owners(self, number: int) -> PlanSet:
        """The candidates that a row is known of."""
        return frozenset(self._owners[number])

    def owned(self, chosen: Iterable[int]) -> Mask:
        """Which rows some of the chosen candidates own, or hold in any case."""
        indicator = np.zeros(self._candidate_count, dtype=np.int64)
        indicator[list(chosen)] = 1
        mask = np.asarray(self._owner_matrix() @ indicator) > 0
        mask[self._given] = True
        return mask

    def hopeless(self, among: Mask) -> int | None:
        """The first of these rows that no costs satisfy."""
        return next((number for number in self._hopeless if among[number]), None)

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

    def _owner_matrix(self) -> csr_array:
        if self._ownership is None:
            entries = (
                np.ones(len(self._owning), dtype=np.int64),
                (np.array(self._owned), np.array(self._owning)),
            )
            shape = (len(self.rows), self._candidate_count)
            self._ownership = coo_array(entries, shape=shape).tocsr()
        return self._ownership


def _as_float(number: int) -> float:
    return float(max(-_LARGEST_FLOAT, min(_LARGEST_FLOAT, number)))

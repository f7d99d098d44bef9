"""Chains that walk through a polytope of costs, many at once: hit-and-run.

A step goes along a line to a random point of it, drawn from the prior on the part of the line that
is inside. Two kinds of lines: one cost changes (and those that depend on it), or all costs change
along an axis of the polytope's shape. A step touches only the rows of costs that change, so steps
along lines that share no row are taken at once. All keep the distribution: the prior, cut to the
polytope.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csc_array

from plancost.learning.choose.polytope import Polytope
from plancost.learning.choose.prior import Numbers, Prior, Vector, truncated_normal
from plancost.learning.choose.shape import axes

_FAR_OUT = 0.05
"""Chains begin so near to the ends of lines, in parts of them."""
_PULLED = 0.98
"""A point that is pulled inside ends so much of the way to the border."""
_SMALL = 1e-12


@dataclass(frozen=True)
class _Lines:
    """Directions that share no row: the parameters that change, and the rows that limit each."""

    parameters: Numbers
    changes: Vector
    line_of_parameter: Numbers
    starts: Numbers
    """Where the parameters of each line begin."""
    rows: Numbers
    """Those that limit steps ahead, line by line, and then those that limit steps back."""
    rates: Vector
    line_of_row: Numbers
    ahead: int
    """So many of the rows are of the first kind."""
    starts_ahead: Numbers
    starts_back: Numbers
    """Where the rows of each line begin among those of its kind."""
    precision: Vector
    """Of the prior along each line; 0: uniform."""

    @property
    def is_normal(self) -> bool:
        """Whether the prior along the lines is no uniform one; all have the same kind."""
        return bool(self.precision[0])


class Chains:
    """Points of a polytope, a column for each chain."""

    def __init__(
        self, polytope: Polytope, prior: Prior, points: Vector, generator: np.random.Generator
    ) -> None:
        self._prior = prior
        self._generator = generator
        keep = ~polytope.equalities
        self._matrix = polytope.matrix[keep]
        self._limits = polytope.limits[keep]
        self._polytope = polytope
        self._lines = _lines(self._matrix, polytope.directions, prior)
        self._free = polytope.unspoken
        """Costs that no row speaks of: they have the prior."""
        self.points = points.copy()
        self.renew()

    def renew(self) -> None:
        """Draw the costs that no row speaks of, and remove what rounding has added up."""
        self.points[self._free] = self._prior.draw(self._generator, self._free, self._width)
        self._room = np.asarray(self._limits[:, None] - self._matrix @ self.points)
        np.maximum(self._room, 0.0, out=self._room)

    def scatter(self) -> None:
        """Go far out along every line, each chain another way."""
        self._sweep(far_out=True)

    def sweep(self) -> None:
        """A step along each line, in random order."""
        self._sweep(far_out=False)

    def adapt(self, covariance: Vector, part: float) -> None:
        """Add lines along a part of the axes of a shape, the slowest first.

        The shape is given along the directions of the polytope.
        """
        found = axes(covariance)
        found = found[:, : math.ceil(part * found.shape[1])]
        directions = csc_array(self._polytope.directions @ csc_array(found))
        self._lines += _lines(self._matrix, directions, self._prior)

    @property
    def _width(self) -> int:
        return int(self.points.shape[1])

    def _sweep(self, *, far_out: bool) -> None:
        for number in self._generator.permutation(len(self._lines)).tolist():
            lines = self._lines[number]
            parts = self._generator.random((len(lines.precision), self._width))
            if far_out:
                parts = np.where(parts < 0.5, _FAR_OUT, 1 - _FAR_OUT)
            self._step(lines, parts)

    def _step(self, lines: _Lines, parts: Vector) -> None:
        room = self._room[lines.rows]
        limits = room / lines.rates
        high = np.minimum.reduceat(limits[: lines.ahead], lines.starts_ahead)
        low = np.maximum.reduceat(limits[lines.ahead :], lines.starts_back)
        normal = lines.is_normal
        step = self._normal(lines, low, high, parts) if normal else low + parts * (high - low)
        self.points[lines.parameters] += lines.changes * step[lines.line_of_parameter]
        room -= lines.rates * step[lines.line_of_row]
        self._room[lines.rows] = np.maximum(room, 0.0)

    def _normal(self, lines: _Lines, low: Vector, high: Vector, parts: Vector) -> Vector:
        prior, own = self._prior, lines.parameters
        weights = prior.precision[own, None] * lines.changes
        away = self.points[own] - prior.centre[own, None]
        centre = -np.add.reduceat(weights * away, lines.starts)
        precision = lines.precision[:, None]
        return truncated_normal(centre / precision, precision, low, high, parts)


def pulled_inside(polytope: Polytope, points: Vector) -> Vector:
    """Points of the space of the polytope, each moved towards its centre until it is inside."""
    centre = polytope.centre[:, None]
    inside = polytope.room(centre)
    rate = inside - polytope.room(points)
    with np.errstate(divide="ignore", invalid="ignore"):
        limits = np.where(rate > _SMALL, inside / rate, np.inf)
    part = np.minimum(1.0, _PULLED * limits.min(axis=0, initial=np.inf))
    return np.asarray(centre + part * (points - centre))


def _lines(matrix: object, directions: csc_array, prior: Prior) -> list[_Lines]:
    """Lines in these directions, put together where they share no row."""
    directions = _without_rounding(directions)
    rates = _without_rounding(csc_array(matrix @ directions))  # type: ignore[operator]
    precision = np.asarray(prior.precision @ directions.power(2))
    together: list[list[int]] = []
    for kind in (precision == 0, precision > 0):
        together += _sharing_no_row(rates, np.flatnonzero(kind))
    return [_at_once(rates, directions, precision, own) for own in together]


def _without_rounding(matrix: csc_array) -> csc_array:
    found = matrix.copy()
    found.data[np.abs(found.data) <= _SMALL] = 0.0
    found.eliminate_zeros()
    return found


def _sharing_no_row(rates: csc_array, numbers: Numbers) -> list[list[int]]:
    """The columns in few groups; in each, no two have a row in common."""
    found: list[list[int]] = []
    taken = np.zeros((0, rates.shape[0]), dtype=bool)
    by_size = numbers[np.argsort(-np.diff(rates.indptr)[numbers], kind="stable")]
    for number in by_size.tolist():
        rows = rates.indices[rates.indptr[number] : rates.indptr[number + 1]]
        free = np.flatnonzero(~taken[: len(found), rows].any(axis=1))
        place = int(free[0]) if len(free) else len(found)
        if place == len(found):
            found.append([])
            if len(found) > len(taken):
                more = np.zeros((len(found), rates.shape[0]), dtype=bool)
                taken = np.concatenate([taken, more])
        found[place].append(number)
        taken[place, rows] = True
    return found


def _at_once(rates: csc_array, directions: csc_array, precision: Vector, own: list[int]) -> _Lines:
    changing, limiting = directions[:, own], rates[:, own]
    line_of_parameter = np.repeat(np.arange(len(own)), np.diff(changing.indptr))
    line = np.repeat(np.arange(len(own)), np.diff(limiting.indptr))
    order = np.lexsort((line, limiting.data < 0))
    ahead = int((limiting.data > 0).sum())
    line = line[order]
    return _Lines(
        np.asarray(changing.indices, dtype=np.int64),
        np.asarray(changing.data, dtype=np.float64)[:, None],
        line_of_parameter,
        np.asarray(changing.indptr[:-1], dtype=np.int64),
        np.asarray(limiting.indices[order], dtype=np.int64),
        np.asarray(limiting.data[order], dtype=np.float64)[:, None],
        line,
        ahead,
        np.searchsorted(line[:ahead], np.arange(len(own))),
        np.searchsorted(line[ahead:], np.arange(len(own))),
        precision[own],
    )

"""Chains that walk through a polytope of costs, many at once: hit-and-run.

A step goes along a line to a random point of it, drawn from the prior on the part of the line that
is inside. Two kinds of lines: one cost changes (and those that depend on it), or all costs change
along an axis of the polytope's shape. A step touches only the rows of costs that change. Both keep
the distribution: the prior, cut to the polytope.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import csc_array

from plancost.learning.choose.polytope import Polytope
from plancost.learning.choose.prior import Prior, Vector, truncated_normal
from plancost.learning.choose.shape import axes

_FAR_OUT = 0.05
"""Chains begin so near to the ends of lines, in parts of them."""
_PULLED = 0.98
"""A point that is pulled inside ends so much of the way to the border."""
_SMALL = 1e-12


@dataclass(frozen=True)
class _Line:
    """One direction: the parameters that change, and the rows that limit it on either side."""

    parameters: npt.NDArray[np.int64]
    changes: Vector
    rows: npt.NDArray[np.int64]
    rates: Vector
    ahead: int
    """So many of the rows limit steps ahead; the others limit steps back."""
    precision: float
    """Of the prior along the line; 0: uniform."""


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

    def adapt(self, covariance: Vector) -> None:
        """Add lines along the axes of a shape, given along the directions of the polytope."""
        directions = csc_array(self._polytope.directions @ csc_array(axes(covariance)))
        self._lines += _lines(self._matrix, directions, self._prior)

    @property
    def _width(self) -> int:
        return int(self.points.shape[1])

    def _sweep(self, *, far_out: bool) -> None:
        order = self._generator.permutation(len(self._lines)).tolist()
        parts = self._generator.random((len(order), self._width))
        if far_out:
            parts = np.where(parts < 0.5, _FAR_OUT, 1 - _FAR_OUT)
        for number, part in zip(order, parts, strict=True):
            self._step(self._lines[number], part)

    def _step(self, line: _Line, part: Vector) -> None:
        room = self._room[line.rows]
        limits = room / line.rates[:, None]
        high = limits[: line.ahead].min(axis=0)
        low = limits[line.ahead :].max(axis=0)
        if line.precision:
            step = self._normal_step(line, low, high, part)
        else:
            step = low + part * (high - low)
        self.points[line.parameters] += line.changes[:, None] * step
        room -= line.rates[:, None] * step
        self._room[line.rows] = np.maximum(room, 0.0)

    def _normal_step(self, line: _Line, low: Vector, high: Vector, part: Vector) -> Vector:
        prior, own = self._prior, line.parameters
        weights = (prior.precision[own] * line.changes)[:, None]
        centre = -(weights * (self.points[own] - prior.centre[own, None])).sum(axis=0)
        precision = np.full(len(low), line.precision)
        return truncated_normal(centre / line.precision, precision, low, high, part)


def pulled_inside(polytope: Polytope, points: Vector) -> Vector:
    """Points of the space of the polytope, each moved towards its centre until it is inside."""
    centre = polytope.centre[:, None]
    inside = polytope.room(centre)
    rate = inside - polytope.room(points)
    with np.errstate(divide="ignore", invalid="ignore"):
        limits = np.where(rate > _SMALL, inside / rate, np.inf)
    part = np.minimum(1.0, _PULLED * limits.min(axis=0, initial=np.inf))
    return np.asarray(centre + part * (points - centre))


def _lines(matrix: object, directions: csc_array, prior: Prior) -> list[_Line]:
    rates = csc_array(matrix @ directions)  # type: ignore[operator]
    found = []
    for number in range(directions.shape[1]):
        own = slice(directions.indptr[number], directions.indptr[number + 1])
        parameters, changes = directions.indices[own], directions.data[own]
        touched = slice(rates.indptr[number], rates.indptr[number + 1])
        rows, values = rates.indices[touched], rates.data[touched]
        rows, values = rows[np.abs(values) > _SMALL], values[np.abs(values) > _SMALL]
        order = np.argsort(values < 0, kind="stable")
        precision = float(prior.precision[parameters] @ changes**2)
        found.append(
            _Line(
                np.asarray(parameters, dtype=np.int64),
                np.asarray(changes, dtype=np.float64),
                np.asarray(rows[order], dtype=np.int64),
                np.asarray(values[order], dtype=np.float64),
                int((values > 0).sum()),
                precision,
            )
        )
    return found

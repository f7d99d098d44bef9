"""The shape of a polytope of costs: its middle, and axes along which it is long or short.

The middle is where the product of the room in all rows and of the density of the prior is largest
(the analytic centre), found by Newton's method. How fast that product falls around it says how long
the polytope is in each direction, as if it were a normal distribution. Steps along the axes of such
a distribution hardly depend on each other, however narrow the polytope is.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from plancost.learning.choose.polytope import Polytope
from plancost.learning.choose.prior import Prior, Vector

_MOST_NUMBERS = 5_000_000
"""Numbers that are kept for all axes; in a larger polytope they are not looked for."""
_MOST_STEPS = 100
_TOLERANCE = 1e-6
_TO_THE_BORDER = 0.9
_SMALL = 1e-12


class _Barrier:
    """Minus the logarithm of the product, along the directions of a polytope."""

    def __init__(self, polytope: Polytope, prior: Prior) -> None:
        keep = ~polytope.equalities
        rates = (polytope.matrix[keep] @ polytope.directions).toarray()
        touched = np.abs(rates).max(axis=1, initial=0.0) > _SMALL
        self.rates: Vector = rates[touched]
        self.matrix = polytope.matrix[keep][touched]
        self.limits = polytope.limits[keep][touched]
        self.directions: Vector = polytope.directions.toarray()
        self.prior = prior

    def room(self, point: Vector) -> Vector:
        return np.asarray(self.limits - self.matrix @ point)

    def value(self, point: Vector) -> float:
        room = self.room(point)
        if np.any(room <= 0):
            return np.inf
        away = point - self.prior.centre
        return float(0.5 * self.prior.precision @ away**2 - np.log(room).sum())

    def slopes(self, point: Vector) -> tuple[Vector, Vector]:
        """The gradient and the matrix of second derivatives."""
        near = self.rates / self.room(point)[:, None]
        prior, own = self.prior, self.directions
        pull = prior.precision * (point - prior.centre)
        return near.sum(axis=0) + own.T @ pull, near.T @ near + own.T @ (
            prior.precision[:, None] * own
        )


def is_small(polytope: Polytope) -> bool:
    """Whether there is memory for all axes."""
    rows, count = len(polytope.limits), polytope.directions.shape[1]
    return 0 < count * rows <= _MOST_NUMBERS


def centred(polytope: Polytope, prior: Prior) -> Polytope:
    """The same with its centre in the middle, if it is not too large."""
    if not is_small(polytope):
        return polytope
    barrier = _Barrier(polytope, prior)
    point, value = polytope.centre, barrier.value(polytope.centre)
    for _ in range(_MOST_STEPS if np.isfinite(value) else 0):
        gradient, curvature = barrier.slopes(point)
        step = -np.linalg.lstsq(curvature, gradient, rcond=None)[0]
        gain = float(-gradient @ step)
        if gain < _TOLERANCE:
            break
        nearest = float((barrier.rates @ step / barrier.room(point)).max())
        length = min(1.0, _TO_THE_BORDER / nearest) if nearest > 0 else 1.0
        change = barrier.directions @ step
        while length > _SMALL:
            other = barrier.value(point + length * change)
            if other < value - 0.1 * length * gain:
                break
            length /= 2
        else:
            break
        point, value = point + length * change, other
    return replace(polytope, centre=point)


def covariance_at_centre(polytope: Polytope, prior: Prior) -> Vector | None:
    """That of a normal distribution of this shape; None: the polytope is too large."""
    if not is_small(polytope):
        return None
    _, curvature = _Barrier(polytope, prior).slopes(polytope.centre)
    return np.asarray(np.linalg.pinv(curvature, hermitian=True))


def covariance_of(polytope: Polytope, points: Vector) -> Vector | None:
    """That of points (columns), along the directions; None: the polytope is too large."""
    if not is_small(polytope):
        return None
    return np.atleast_2d(np.cov(points[polytope.free]))


def axes(covariance: Vector) -> npt.NDArray[np.float64]:
    """Directions (columns) along which steps do not depend on each other.

    Those that chains follow slowest if one number changes at a time come first: there, all numbers
    together vary much more than each does while the others stay.
    """
    moving = np.flatnonzero(np.diag(covariance) > _SMALL**2)
    precision = np.linalg.pinv(covariance[np.ix_(moving, moving)], hermitian=True)
    alone = 1 / np.sqrt(np.maximum(np.diag(precision), _SMALL))
    found = np.zeros((len(covariance), len(moving)))
    found[moving] = np.linalg.eigh(precision * alone[:, None] * alone)[1] * alone[:, None]
    return found

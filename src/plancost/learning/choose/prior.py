"""What is thought of costs before any plan is seen, for each parameter by itself.

From scratch every cost between 1 and `SPREAD` is as probable as any other. Which unit costs have
is not known, so this says only that no action costs more than `SPREAD` times another. (Whole costs
from 1 to 10, each with half a unit around it, differ by that much.) Where initial
costs are given, a cost has a normal distribution around its initial one, with a standard deviation
that is a part of it (`PART`). Both are cut to the bounds of the cost.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri

from plancost.learning.problem.task import LearningTask

Vector = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int64]

SPREAD = 20.0
"""From scratch: the greatest cost that is thought possible over the least."""
PART = 0.5
"""Refining: the standard deviation of a cost over its initial cost."""
_FAR = 1e-300
"""Less probability than this is too little to be divided by."""
_STEPS = 1000
"""Quantiles that a mean is taken of."""


@dataclass(frozen=True)
class Prior:
    """Uniform between bounds, or normal and cut to them where the precision is not 0."""

    lower: Vector
    upper: Vector
    centre: Vector
    precision: Vector

    @classmethod
    def of(cls, task: LearningTask, spread: float = SPREAD) -> Prior:
        """That of a learning task; no cost is above `spread` times its least or initial value."""
        terms = task.terms
        lower = np.array([float(term.least) for term in terms])
        centre = np.maximum(lower, 1.0)
        precision = np.zeros(len(terms))
        for number, term in enumerate(terms):
            if term.initial:
                centre[number] = max(1, term.baseline)
                precision[number] = (PART * centre[number]) ** -2
        ends = [spread * at for at in centre.tolist()]
        upper = np.array(
            [
                end if term.greatest is None else min(end, float(term.greatest))
                for term, end in zip(terms, ends, strict=True)
            ]
        )
        return cls(lower, np.maximum(lower, upper), centre, precision)

    def draw(self, generator: np.random.Generator, which: Numbers, count: int) -> Vector:
        """So many independent draws of some parameters: a row for each parameter."""
        return self.quantile(which, generator.random((len(which), count)))

    def quantile(self, which: Numbers, part: Vector) -> Vector:
        """What some parameters are below with this probability: a row for each parameter."""
        low, high = self.lower[which, None], self.upper[which, None]
        found = low + part * (high - low)
        normal = np.flatnonzero(self.precision[which])
        if len(normal):
            centre = self.centre[which[normal], None]
            precision = self.precision[which[normal], None]
            own = low[normal], high[normal], np.broadcast_to(part, found.shape)[normal]
            found[normal] = truncated_normal(centre, precision, *own)
        return np.asarray(found)

    def moments(self, which: Numbers) -> tuple[Vector, Vector]:
        """The mean and the standard deviation of some parameters, by their quantiles."""
        found = self.quantile(which, (np.arange(_STEPS)[None, :] + 0.5) / _STEPS)
        return found.mean(axis=1), found.std(axis=1)


def truncated_normal(
    centre: Vector, precision: Vector, low: Vector, high: Vector, part: Vector
) -> Vector:
    """The quantiles of normal distributions cut to an interval, also far from the centre."""
    scale = np.sqrt(precision)
    start, end = (low - centre) * scale, (high - centre) * scale
    flipped = start > -end  # the side with more room for floating point is the left one
    left, right = np.where(flipped, -end, start), np.where(flipped, -start, end)
    part = np.where(flipped, 1.0 - part, part)
    below, above = ndtr(left), ndtr(right)
    found = ndtri(below + part * (above - below))
    far = above - below <= _FAR
    if far.any():
        with np.errstate(all="ignore"):
            # Far out, the density falls exponentially from the near end.
            rate = np.maximum(-right, 1.0)
            rest = -np.expm1(-rate * (right - left))
            found = np.where(far, right + np.log1p(-(1.0 - part) * rest) / rate, found)
    found = np.where(flipped, -found, found) / scale + centre
    return np.asarray(np.minimum(np.maximum(found, low), high))

"""The costs that plans leave possible, as draws: the prior, cut to where the plans are optimal.

Chains begin far apart. First rows are found: chains walk a little, a search looks at their points,
and what it finds cuts off where they may not go. Then draws are taken in rounds, each with twice as
many sweeps between two draws as the last. In the first one a step changes one cost; from the second
on there are also steps along the axes of what was drawn before. A round counts if split R-hat and
the effective sample size say that the chains have mixed, for every cost, and if a search finds new
rows at hardly any of its draws. Those that break one are replaced by others of their chain.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace

import numpy as np

from plancost.learning.choose.chains import Chains
from plancost.learning.choose.cone import Cone
from plancost.learning.choose.convergence import effective_size, r_hat
from plancost.learning.choose.prior import Vector
from plancost.learning.choose.shape import covariance_at_centre, covariance_of, is_small
from plancost.system.clock import Deadline

_log = logging.getLogger(__name__)

CHAINS = 32
MOST_R_HAT = 1.05
LEAST_SIZE = 400
"""Chains have mixed if R-hat is at most, and the effective sample size at least, this."""
MOST_OUTSIDE = 0.02
"""The largest share of draws that may break a row that was not known."""
_DRAWS = 64
"""Draws of each chain in a round."""
_LOOKED_AT = 128
_FEW_LOOKED_AT = 16
"""Draws of a round that a search looks at, if the chains have mixed and if not."""
_MOST_NUMBERS = 20_000_000
"""Numbers that are kept at once."""
_TOLERANCE = 1e-6
_COST_BY_COST = 2
"""Sweeps between two draws of the first round, which has no steps along axes: these take longer."""
_UNKNOWN_SHAPE = 1.5
"""With a larger R-hat, draws say nothing of the axes; then those around the centre are taken."""
_FIRST_SWEEPS = 4
"""Sweeps between two looks for rows, before the first round."""


@dataclass(frozen=True)
class Draws:
    """A round, with the axes parameter, chain, draw, and how far the chains have mixed."""

    values: Vector
    r_hat: float
    size: float
    sweeps: int
    """Since the chains began."""
    outside: float = 1.0
    """The share of draws, of those that a search has looked at, that broke an unknown row."""

    @property
    def have_mixed(self) -> bool:
        """Whether the chains have forgotten where they began."""
        return self.r_hat <= MOST_R_HAT and self.size >= LEAST_SIZE

    @property
    def are_of_cone(self) -> bool:
        """Whether hardly any draw breaks a row that a search has found since."""
        return self.outside <= MOST_OUTSIDE


class Walk:
    """Chains through a cone of costs."""

    def __init__(self, cone: Cone, generator: np.random.Generator, deadline: Deadline) -> None:
        self._cone = cone
        self._generator = generator
        self._deadline = deadline
        self._sweeps = 0
        self._with_axes = not is_small(cone.polytope)
        self._covariance: Vector | None = None
        """Of the last round, along the directions of the polytope."""

    def draws(self) -> Draws | None:
        """A round that has mixed, or the last one in time; None: there was none."""
        points = self._find_rows()
        found: Draws | None = None
        between = _COST_BY_COST
        while not self._deadline.is_over:
            values = self._round(points, between)
            if values is None:
                break
            found = self._judged(values)
            _log.info("R-hat %.3f, size %.0f, %d sweeps", found.r_hat, found.size, found.sweeps)
            flat = values.reshape(len(values), -1)
            wanted = _LOOKED_AT if found.have_mixed else _FEW_LOOKED_AT
            which = self._generator.choice(flat.shape[1], wanted, replace=False)
            before = self._cone.polytope
            found = replace(found, outside=self._cone.look_at(flat[:, which].T) / wanted)
            same_space = before.directions.shape == self._cone.polytope.directions.shape
            if found.have_mixed and found.are_of_cone and same_space:
                return replace(found, values=_kept_inside(self._cone, values))
            points = self._cone.inside(values[:, :, -1])
            is_known = same_space and found.r_hat < _UNKNOWN_SHAPE
            self._covariance = covariance_of(self._cone.polytope, flat) if is_known else None
            if self._with_axes or not is_known:
                between *= 1 if found.have_mixed else 2
            else:
                between = 1
            self._with_axes = True
        return None if found is None else replace(found, outside=1.0)

    def _chains(self, points: Vector) -> Chains:
        return Chains(self._cone.polytope, self._cone.prior, points, self._generator)

    def _adapt(self, chains: Chains) -> None:
        """Add lines along the axes of what was drawn before, or of the polytope."""
        polytope, shape = self._cone.polytope, self._covariance
        if shape is None:
            shape = covariance_at_centre(polytope, self._cone.prior)
        if shape is not None:
            chains.adapt(shape)

    def _find_rows(self) -> Vector:
        """Points for chains to begin at, after a look at many has found no new rows."""
        cone = self._cone
        chains = self._chains(np.repeat(cone.polytope.centre[:, None], CHAINS, axis=1))
        chains.scatter()
        while not self._deadline.is_over:
            if not cone.look_at(chains.points.T):
                break
            chains = self._chains(cone.inside(chains.points))
            for _ in range(_FIRST_SWEEPS):
                chains.sweep()
            self._sweeps += _FIRST_SWEEPS
        return chains.points

    def _round(self, points: Vector, between: int) -> Vector | None:
        """Draws of all chains with so many sweeps between; None: no time."""
        count = max(8, min(_DRAWS, _MOST_NUMBERS // points.size))
        chains = self._chains(points)
        if self._with_axes:
            self._adapt(chains)
        values = np.empty((*points.shape, count))
        for number in range(count):
            for _ in range(between):
                chains.sweep()
                if self._deadline.is_over:
                    return None
            chains.renew()
            values[:, :, number] = chains.points
        self._sweeps += between * count
        return values

    def _judged(self, values: Vector) -> Draws:
        worst = float(r_hat(values).max(initial=1.0))
        size = float(effective_size(values).min(initial=float(values[0].size)))
        return Draws(values, worst, size, self._sweeps)


def _kept_inside(cone: Cone, values: Vector) -> Vector:
    """The draws, where those that break a row are replaced by the nearest in time that does not."""
    found = values.copy()
    times = np.arange(values.shape[2])
    for chain in range(values.shape[1]):
        inside = np.all(cone.polytope.room(values[:, chain]) > -_TOLERANCE, axis=0)
        if inside.any() and not inside.all():
            good = times[inside]
            nearest = good[np.abs(good[None, :] - times[:, None]).argmin(axis=1)]
            found[:, chain] = values[:, chain, nearest]
    return found

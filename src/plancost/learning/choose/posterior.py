"""The costs that plans leave possible, as draws: the prior, cut to where the plans are optimal.

Chains begin far apart. First rows are found: chains walk a little, a search looks at their points,
and what it finds cuts off where they may not go. Then draws are taken in rounds; all rounds
together count, the later ones with more sweeps between two draws. Steps change one cost; if that
takes long, there are also steps along some axes, those first along which single costs change
slowest. Draws are enough if split R-hat and the effective sample size say that the chains have
mixed, for every cost. A search then looks at some of them. Those that it finds nothing wrong with
are draws of what all rows leave, known or not, so these are kept, if they are enough.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace

import numpy as np

from plancost.learning.choose.chains import Chains
from plancost.learning.choose.cone import Cone, NoTimeError
from plancost.learning.choose.convergence import effective_size, r_hat
from plancost.learning.choose.polytope import Mask
from plancost.learning.choose.prior import Vector
from plancost.learning.choose.shape import covariance_at_centre, covariance_of
from plancost.system.clock import Deadline

_log = logging.getLogger(__name__)

CHAINS = 32
MOST_R_HAT = 1.05
LEAST_SIZE = 400
"""Chains have mixed if R-hat is at most, and the effective sample size at least, this."""
_DRAWS = 32
"""Draws of each chain in a round."""
_MOST_ROUNDS = 4
"""After so many every second draw is left out, and the next have twice as many sweeps between."""
_LOOKED_AT = 1024
_FEW_LOOKED_AT = 64
"""Draws that a search looks at, if the chains have mixed and if not."""
_AT_ONCE = 64
"""Of these are kept or lost if time runs out."""
_MOST_NUMBERS = 20_000_000
"""Numbers that are kept at once."""
_SWEEPS = 8
"""Between two draws of the first round."""
_PART_OF_AXES = 1 / 32
"""So many axes are taken first, then twice as many: steps along one take long."""
_UNKNOWN_SHAPE = 1.5
"""With a larger R-hat, draws say nothing of the axes; then all of those at the centre are taken."""
_FIRST_SWEEPS = 4
_LEAST_AT_FIRST = 0.75
"""Sweeps between two looks for rows, before the first round, and of how many points there must be
nothing to find in the end."""


@dataclass(frozen=True)
class Draws:
    """With the axes parameter, chain, draw, and how far the chains have mixed.

    In the end those that are kept are all of one chain.
    """

    values: Vector
    r_hat: float
    size: float
    sweeps: int
    """Since the chains began."""
    outside: float = 0.0
    """The share of those that a search has looked at and that are left out: they break a row."""

    @property
    def have_mixed(self) -> bool:
        """Whether the chains have forgotten where they began."""
        return self.r_hat <= MOST_R_HAT and self.size >= LEAST_SIZE


class Walk:
    """Chains through a cone of costs."""

    def __init__(self, cone: Cone, generator: np.random.Generator, deadline: Deadline) -> None:
        self._cone = cone
        self._generator = generator
        self._deadline = deadline
        self._sweeps = 0
        size = CHAINS * len(cone.polytope.centre)
        self._count = max(8, min(_DRAWS, _MOST_NUMBERS // (_MOST_ROUNDS * size)))
        """Draws of each chain in a round."""
        self._part = 0.0
        """Of the axes, the slowest first."""
        self._covariance: Vector | None = None
        """Of the draws so far, along the directions that the polytope had then."""

    def draws(self) -> Draws | None:
        """Draws of chains that have mixed, or the last ones in time; None: there were none."""
        points = self._find_rows()
        found: Draws | None = None
        values: Vector | None = None
        between = _SWEEPS
        while not self._deadline.is_over:
            more = self._round(points, between)
            if more is None:
                break
            values = more if values is None else np.concatenate([values, more], axis=2)
            found = self._looked_at(self._judged(values))
            _log.info("R-hat %.3f, size %.0f, %d sweeps", found.r_hat, found.size, found.sweeps)
            if found.have_mixed:
                return found
            self._cone.recentre()
            points = self._cone.inside(more[:, :, -1])
            values, between = self._adapted(found, values, between)
        return found

    def _adapted(self, found: Draws, values: Vector, between: int) -> tuple[Vector | None, int]:
        """Draws to go on from, and how many sweeps apart the next ones should be."""
        if found.r_hat >= _UNKNOWN_SHAPE:
            self._covariance, self._part = None, 1.0
            return None, 2 * between
        if values.shape[2] < _MOST_ROUNDS * self._count:
            return values, between
        flat = values.reshape(len(values), -1)
        self._covariance = covariance_of(self._cone.polytope, flat)
        self._part = min(1.0, 2 * self._part) or _PART_OF_AXES
        return values[:, :, 1::2], 2 * between

    def _looked_at(self, found: Draws) -> Draws:
        """Some of the draws: those that a search finds nothing wrong with."""
        before = self._cone.polytope
        flat = found.values.reshape(len(found.values), -1)
        wanted = _LOOKED_AT if found.have_mixed else _FEW_LOOKED_AT
        which = self._generator.permutation(flat.shape[1])[:wanted]
        possible = self._possible(flat[:, which])
        which = which[: len(possible)]
        share = float(possible.mean())
        if not self._cone.polytope.has_equalities_of(before):
            share = 0.0  # there was no chance to draw what is left
        if not found.have_mixed:
            return replace(found, outside=1.0 - share)
        size = min(share * found.size, float(possible.sum()))
        kept = flat[:, which[possible]][:, None, :]
        return replace(found, values=kept, size=size, outside=1.0 - share)

    def _possible(self, points: Vector) -> Mask:
        """At which of the points (columns) a search finds nothing wrong, as many as time allows."""
        found: list[Mask] = []
        for start in range(0, points.shape[1], _AT_ONCE):
            try:
                found.append(self._cone.possible(points[:, start : start + _AT_ONCE]))
            except NoTimeError:
                if not found:
                    raise
                break
        return np.concatenate(found)

    def _chains(self, points: Vector) -> Chains:
        return Chains(self._cone.polytope, self._cone.prior, points, self._generator)

    def _adapt(self, chains: Chains) -> None:
        """Add lines along axes of what was drawn before, or of the polytope."""
        polytope, shape = self._cone.polytope, self._covariance
        if shape is not None and len(shape) != polytope.directions.shape[1]:
            shape = None  # rows have been found since that speak of more costs, or tie some
        if shape is None and self._part:
            shape = covariance_at_centre(polytope, self._cone.prior)
        if shape is not None:
            chains.adapt(shape, self._part)

    def _find_rows(self) -> Vector:
        """Points for chains to begin at, after a search has found rows at few of them."""
        cone = self._cone
        chains = self._chains(np.repeat(cone.polytope.centre[:, None], CHAINS, axis=1))
        chains.scatter()
        while not self._deadline.is_over:
            if cone.possible(chains.points).mean() >= _LEAST_AT_FIRST:
                break
            chains = self._chains(cone.inside(chains.points))
            for _ in range(_FIRST_SWEEPS):
                chains.sweep()
            self._sweeps += _FIRST_SWEEPS
        cone.recentre()
        return cone.inside(chains.points)

    def _round(self, points: Vector, between: int) -> Vector | None:
        """Draws of all chains with so many sweeps between; None: no time."""
        chains = self._chains(points)
        self._adapt(chains)
        values = np.empty((*points.shape, self._count))
        for number in range(self._count):
            for _ in range(between):
                chains.sweep()
                if self._deadline.is_over:
                    return None
            chains.renew()
            values[:, :, number] = chains.points
        self._sweeps += between * self._count
        return values

    def _judged(self, values: Vector) -> Draws:
        own = values[self._cone.polytope.spoken]
        worst, size = 1.0, float(values[0].size)
        if len(own):
            worst = max(worst, float(r_hat(own).max()))
            size = min(size, float(effective_size(own).min()))
        return Draws(values, worst, size, self._sweeps)

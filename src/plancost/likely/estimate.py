"""Most likely costs, shrunk towards what actions have in common.

Least of: the sum over plans of cost + log z, plus half of ((theta - mean) / spread)^2, where costs
are a matrix times theta: what actions share (attributes, classes, a constant a step), then a
constant of each action with mean 0 and one common spread. The problem is convex; L-BFGS ends when
half the squared slope is at most 2, which bounds the distance from the least value in nats. (To
stop at a small decrease ended early and looked fine.) Fields are made anew at the costs found until
that changes the value by less than half a nat: pruned by the first costs only it was up to 108 nats
off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy.linalg import cho_factor, cho_solve, solve_triangular
from scipy.sparse import csr_array, eye_array, hstack

from plancost.clock import Clock
from plancost.likely.descent import Value, descend, dot
from plancost.likely.likelihood import Build, Likelihood
from plancost.likely.walks import SLACK, DivergesError, Vector

UNITS = 100
"""Whole costs are in so many units of a nat: ten lose .004 of F1, one loses .14."""
SPREADS = (0.1, 0.2, 0.3, 0.6, 1.0, 1.5, 3.0)
_FIRST = SPREADS.index(0.6)
_WIDE, _OF_CLASSES = 5.0, 1.0
_STEP = 2.0
"""The mean of the cost of an action of which nothing is known."""
_GAP, _ROUGHLY = 2.0, 10.0
"""Nats: how near the least value a fit ends, and one that is only to choose a spread."""
_SHIFT = 0.5
_PHASES = 4
_RAISES = 12
_SHARP = 40.0
"""Nats of a unit of whole costs under which only cheapest plans have a probability."""
_PAIRS = 2000
_WITHIN, _STEPS_OF_SPREAD = 3.0, 6
_AT_ONCE = 4096


@dataclass(frozen=True, eq=False)
class Prior:
    """Costs are ``matrix @ theta``, theta is near `mean`: first what is shared, then constants."""

    matrix: csr_array
    names: tuple[str, ...]
    """Of what is shared."""
    scale: Vector
    """Of each of these what its numbers were divided by."""
    mean: Vector
    spread: Vector

    def with_spread(self, spread: float) -> Prior:
        """The same with another spread of the constants of actions."""
        count = len(self.names)
        spreads = np.append(self.spread[:count], np.full(len(self.mean) - count, spread))
        return replace(self, spread=spreads)


def prior_of(shared: csr_array, names: Sequence[str], steps: npt.NDArray[np.bool_]) -> Prior:
    """What actions share: a constant of all `steps` (turns are none), and these columns."""
    count = len(steps)
    scale, spread = np.ones(len(names)), np.full(len(names), _OF_CLASSES)
    for place in range(len(names)):
        numbers = shared.data[shared.indices == place]
        if (numbers != 1).any():
            scale[place], spread[place] = numbers.mean(), _WIDE
    constant = csr_array(steps.astype(np.float64).reshape(-1, 1))
    columns = constant, csr_array(shared / scale), eye_array(count)
    return Prior(
        csr_array(hstack(columns, format="csr")),
        ("step", *names),
        np.append(1.0, scale),
        np.append(_STEP, np.zeros(len(names) + count)),
        np.concatenate([[_WIDE], spread, np.full(count, SPREADS[_FIRST])]),
    )


class Estimator:
    """Looks for the most likely parameters; the best so far are in `theta`, whatever ends it."""

    def __init__(self, prior: Prior, clock: Clock) -> None:
        self.prior, self.clock = prior, clock
        self.theta = prior.mean

    @property
    def costs(self) -> Vector:
        """In nats."""
        return np.asarray(self.prior.matrix @ self.theta)

    def fit(self, build: Build, *, rough: bool = False) -> None:
        """As near the least value as the clock lets it.

        `rough`: with one set of fields, and not as near.
        """
        last = np.inf
        for _ in range(1 if rough else _PHASES):
            if self.clock.is_over:
                break
            likelihood, value = self._finite(build)
            if self.clock.is_over or abs(value - last) < _SHIFT:
                break
            last = self._descend(likelihood, _ROUGHLY if rough else _GAP)

    def holds_no_noise(self, build: Build) -> bool:
        """Whether all plans are optimal, in whole costs, under the widest spread.

        Then it is the one to take: few plans that are held out hardly tell spreads apart, and the
        one that they chose left up to two of 30 plans dearer than others. With noise this is not
        so, even of ten real trips.
        """
        self.prior = self.prior.with_spread(SPREADS[-1])
        try:
            self.fit(build, rough=True)
            if self.clock.is_over:
                return False
            sharp = np.asarray(_SHARP * whole_costs(self.costs), dtype=np.float64)
            return bool((build(sharp).each(sharp) > -SLACK).all())
        except DivergesError:
            return False

    def choose_spread(self, build: Build, held_out: Build) -> None:
        """The spread under which plans that are held out are most likely.

        From the middle upwards while that helps, or else downwards: the likelihood has one top.
        """
        found: dict[int, float] = {}

        def likely(place: int) -> float:
            if place not in found:
                self.prior, before = self.prior.with_spread(SPREADS[place]), self.theta
                found[place] = -np.inf
                try:
                    if not self.clock.is_over:
                        self.fit(build, rough=True)
                        found[place] = held_out(self.costs).total(self.costs)
                except DivergesError:
                    self.theta = before
            return found[place]

        best = _FIRST
        likely(best)
        for step in (1, -1):
            while 0 <= best + step < len(SPREADS) and likely(best + step) > likely(best):
                best += step
        self.prior = self.prior.with_spread(SPREADS[best])

    def _finite(self, build: Build) -> tuple[Likelihood, float]:
        """Fields for the parameters; if the sum over walks is infinite there, for larger ones."""
        for _ in range(_RAISES):
            likelihood = build(self.costs)
            try:
                return likelihood, self._objective(likelihood, self.theta)[0]
            except DivergesError:
                theta = np.maximum(self.theta, 0.7 * self.theta)
                theta[0] = self.theta[0] + 0.3 + 0.3 * abs(self.theta[0])
                self.theta = theta
        raise DivergesError

    def _objective(self, likelihood: Likelihood, theta: Vector) -> Value:
        """What is to be least, and its slope by theta / spread."""
        prior = self.prior
        value, slope = likelihood(prior.matrix @ theta)
        u = (theta - prior.mean) / prior.spread
        return value + 0.5 * dot(u, u), prior.spread * (prior.matrix.T @ slope) + u

    def _descend(self, likelihood: Likelihood, gap: float) -> float:
        """Until half the squared slope is at most `gap`; the value reached.

        Parameters are scaled so that the function bends about as much in all directions.
        """
        prior = self.prior
        uses = prior.matrix.multiply(prior.matrix).T @ likelihood.observed
        scale = 1 / np.sqrt(1 + prior.spread**2 * uses)
        unit = prior.spread * scale

        def scaled(x: Vector) -> Value:
            value, slope = self._objective(likelihood, prior.mean + unit * x)
            return value, scale * slope

        def is_enough(x: Vector, slope: Vector) -> bool:
            self.theta = prior.mean + unit * x
            slope = slope / scale
            return 0.5 * dot(slope, slope) <= gap or self.clock.is_over

        return descend(scaled, (self.theta - prior.mean) / unit, is_enough)


def standard_errors(likelihood: Likelihood, prior: Prior, theta: Vector, seed: int) -> Vector:
    """Of the cost of each action, in nats: (1 / spread^2 + information)^-1.

    Information is the covariance of the plans' uses, from differences of two plans drawn for the
    same start and goal. Held-out plans say nothing of a spread in directions that no plan tells
    apart, so errors take the one that fits the constants found (MacKay's step): with the other
    one, 90 % intervals held 46 to 100 % on small grids.
    """
    pairs, weight = likelihood.differences(prior.matrix @ theta, _PAIRS, seed)
    drawn = csr_array(np.sqrt(weight / 2) * (pairs @ prior.matrix))
    if drawn.shape[0] > drawn.shape[1]:  # as many rows as parameters have the same information
        drawn = csr_array(np.linalg.qr(drawn.toarray(), mode="r"))
    fitting = prior.with_spread(_fitting_spread(drawn, prior, theta))
    return np.asarray(np.sqrt(_variances(drawn, fitting.spread, prior.matrix)))


def _fitting_spread(drawn: csr_array, prior: Prior, theta: Vector) -> float:
    """The spread of constants that makes the plans most likely near the parameters found."""
    shared, chosen = len(prior.names), float(prior.spread[-1])
    own, before = drawn[:, shared:], prior.spread[:shared] ** 2
    apart = theta - prior.mean
    pull = drawn.T @ (drawn @ apart) + apart / prior.spread**2
    by_own = (own @ own.T).toarray()
    by_shared = (drawn[:, :shared].multiply(before) @ drawn[:, :shared].T).toarray()
    spread = chosen
    for _ in range(_STEPS_OF_SPREAD):
        variance = prior.with_spread(spread).spread ** 2
        inner = cho_factor(np.eye(len(by_own)) + by_shared + spread**2 * by_own)
        found = variance * (pull - drawn.T @ cho_solve(inner, drawn @ (variance * pull)))
        told = float(np.trace(cho_solve(inner, spread**2 * by_own)))
        spread = float(np.linalg.norm(found[shared:]) / np.sqrt(max(1.0, told)))
        spread = min(max(spread, chosen / _WITHIN), chosen * _WITHIN)
    return spread


def _variances(drawn: csr_array, spread: Vector, matrix: csr_array) -> Vector:
    """Of the rows of a matrix times theta, solved by pairs of plans (Woodbury)."""
    variance = spread**2
    weighed = csr_array(drawn.multiply(variance)).tocsr()
    inner = np.eye(drawn.shape[0]) + (weighed @ drawn.T).toarray()
    factor, _ = cho_factor(inner, lower=True)
    found: Vector = matrix.multiply(matrix) @ variance
    for begin in range(0, len(found), _AT_ONCE):
        part = slice(begin, begin + _AT_ONCE)
        explained = solve_triangular(factor, (weighed @ matrix[part].T).toarray(), lower=True)
        found[part] -= (explained**2).sum(axis=0)
    return np.maximum(found, 0.0)


def whole_costs(costs: Vector) -> npt.NDArray[np.int64]:
    """In units of 1/100 nat, at least 1."""
    return np.maximum(1, np.rint(UNITS * costs)).astype(np.int64)

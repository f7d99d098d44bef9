"""Most likely costs, shrunk towards what actions have in common.

Least of: the sum over plans of cost + log z, plus half of ((theta - mean) / spread)^2, where costs
are a matrix times theta: what actions share, then a constant of each action with mean 0 and one
common spread. It is convex. Descent ends when half the squared slope is at most 2, which bounds the
distance from the least value in nats. Fields are made anew at the costs found until that hardly
changes the value: pruned by the first costs only it was up to 108 nats off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy.linalg import solve_triangular
from scipy.sparse import csr_array, eye_array, hstack

from plancost.clock import Clock
from plancost.likely.descent import Value, descend, dot
from plancost.likely.likelihood import Build, Likelihood
from plancost.likely.walks import SLACK, DivergesError, Vector

UNITS = 100
"""Whole costs are in so many units of a nat: ten lose .004 of F1, one loses .14."""
SPREADS = (0.1, 0.2, 0.4, 0.8, 1.6, 3.2)
_USUAL = 0.8
_WIDE, _OF_CLASSES = 5.0, 1.0
_STEP = 2.0
"""The mean of the cost of an action of which nothing is known."""
_GAP, _ROUGHLY = 2.0, 10.0
"""Nats: how near the least value a fit ends, and one that is only to choose a spread."""
_GAP_OF_PLAN = 1e-3
"""Of many plans the gap may be so much for each: 10,000 take 140 steps instead of 230."""
_SHIFT = 0.5
_PHASES = 4
_RAISES = 12
_SHARP = 40.0
"""Nats of a unit of whole costs under which only cheapest plans have a probability."""
_SCORES = 2000
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
    scale = shared.sum(axis=0) / np.diff(shared.tocsc().indptr)
    spread = np.where(scale == 1, _OF_CLASSES, _WIDE)
    constant = csr_array(steps.astype(np.float64).reshape(-1, 1))
    columns = constant, csr_array(shared / scale), eye_array(count)
    return Prior(
        csr_array(hstack(columns, format="csr")),
        ("step", *names),
        np.append(1.0, scale),
        np.append(_STEP, np.zeros(len(names) + count)),
        np.concatenate([[_WIDE], spread, np.full(count, _USUAL)]),
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
        """As near the least value as the clock lets it; if rough, with one set of fields."""
        last = np.inf
        for _ in range(1 if rough else _PHASES):
            if self.clock.is_over:
                break
            likelihood, value = self._finite(build)
            if self.clock.is_over or abs(value - last) < _SHIFT:
                break
            gap = _ROUGHLY if rough else _GAP
            last = self._descend(likelihood, max(gap, _GAP_OF_PLAN * likelihood.plan_count))

    def holds_no_noise(self, build: Build) -> bool:
        """Whether all plans are optimal, in whole costs, under the widest spread.

        Then it is the one to take: few plans that are held out hardly tell spreads apart.
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

        Spreads are doubled while that helps; then it is the top of a parabola through three.
        """
        found: list[float] = []
        for spread in SPREADS:
            self.prior, before = self.prior.with_spread(spread), self.theta
            try:
                self.fit(build, rough=True)
                found.append(held_out(self.costs).total(self.costs))
            except DivergesError:
                self.theta = before
                found.append(-np.inf)
            if self.clock.is_over:
                self.prior = self.prior.with_spread(_USUAL)
                return
            if found[-1] < max(found):
                break
        best = int(np.argmax(found))
        less, most, more = [-np.inf, *found, -np.inf][best : best + 3]
        bend = 2 * most - less - more
        doublings = (more - less) / (2 * bend) if 0 < bend < np.inf else 0.0
        self.prior = self.prior.with_spread(SPREADS[best] * 2**doublings)

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

        Parameters are scaled half-way to where each alone bends the function as much: what several
        have in common hardly bends it then (10,000 links take 50 steps instead of 180).
        """
        prior = self.prior
        uses = prior.matrix.multiply(prior.matrix).T @ likelihood.observed
        scale = (1 + prior.spread**2 * uses) ** -0.25
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

    Information is the sum of the squared scores of plans. The spread is one step of expectation
    and maximisation from the one chosen, of which plans that are held out say little.
    """
    scores = csr_array(likelihood.scores(prior.matrix @ theta, _SCORES, seed) @ prior.matrix)
    if scores.shape[0] > scores.shape[1]:  # as many rows as parameters have the same information
        scores = csr_array(np.linalg.qr(scores.toarray(), mode="r"))
    own = slice(len(prior.names), None)
    variances = _variances(scores, prior.spread, csr_array(eye_array(len(theta))))
    fitting = float(np.sqrt(np.mean(((theta - prior.mean) ** 2 + variances)[own])))
    errors = _variances(scores, prior.with_spread(fitting).spread, prior.matrix)
    return np.asarray(np.sqrt(errors))


def _variances(scores: csr_array, spread: Vector, matrix: csr_array) -> Vector:
    """Of the rows of a matrix times theta, solved by plans (Woodbury)."""
    variance = spread**2
    weighed = csr_array(scores.multiply(variance)).tocsr()
    factor = np.linalg.cholesky(np.eye(scores.shape[0]) + (weighed @ scores.T).toarray())
    found: Vector = matrix.multiply(matrix) @ variance
    for begin in range(0, len(found), _AT_ONCE):
        part = slice(begin, begin + _AT_ONCE)
        explained = solve_triangular(factor, (weighed @ matrix[part].T).toarray(), lower=True)
        found[part] -= (explained**2).sum(axis=0)
    return np.maximum(found, 0.0)


def whole_costs(costs: Vector) -> npt.NDArray[np.int64]:
    """In units of 1/100 nat, at least 1."""
    return np.maximum(1, np.rint(UNITS * costs)).astype(np.int64)

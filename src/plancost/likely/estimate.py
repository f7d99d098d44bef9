"""Most likely costs, shrunk towards what actions have in common.

Least of: the sum over plans of cost + log z, plus half of ((theta - mean) / spread)^2, where costs
are a matrix times theta: what actions share (attributes, classes, a constant a step), then a
constant of each action with mean 0 and one common spread. That spread is the one under which a
quarter of the plans, left out, is most likely. The problem is convex; L-BFGS ends when half the
squared slope is at most 2, which bounds the distance from the least value in nats. (To stop at a
small decrease ended early and looked fine.) Fields are made anew at the costs found until that
changes the value by less than half a nat: pruned by the first costs only it was up to 108 nats off.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy.linalg import cho_factor, cho_solve, solve_triangular
from scipy.sparse import csr_array, eye_array, hstack

from plancost.clock import Clock
from plancost.likely.likelihood import Likelihood
from plancost.likely.walks import DivergesError, Vector

UNITS = 100
"""Whole costs are in so many units of a nat: ten lose .004 of F1, one loses .14."""
SPREADS = (0.1, 0.2, 0.3, 0.6, 1.0, 1.5, 3.0)
_FIRST_SPREAD = 0.6
_WIDE, _OF_CLASSES = 5.0, 1.0
_STEP = 2.0
"""The mean of the cost of an action of which nothing is known."""
_GAP, _ROUGHLY = 2.0, 10.0
"""Nats: how near the least value a fit ends, and one that is only to choose a spread."""
_SHIFT = 0.5
_PHASES = 4
_MOST_STEPS = 500
_MEMORY = 30
_RAISES = 12
_PAIRS = 2000
_WITHIN, _STEPS_OF_SPREAD = 3.0, 6
_AT_ONCE = 4096

Build = Callable[[Vector], Likelihood]
"""A likelihood whose fields are made for these costs."""
Value = tuple[float, Vector]
"""With its slope."""


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
        np.concatenate([[_WIDE], spread, np.full(count, _FIRST_SPREAD)]),
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
        prior, last = self.prior, np.inf
        back = prior.matrix.T.tocsr()
        for _ in range(1 if rough else _PHASES):
            likelihood = self._finite(build)

            def objective(theta: Vector, likelihood: Likelihood = likelihood) -> Value:
                value, slope = likelihood(prior.matrix @ theta)
                u = (theta - prior.mean) / prior.spread
                return value + 0.5 * _dot(u, u), prior.spread * (back @ slope) + u

            value, slope = objective(self.theta)
            if self.clock.is_over or abs(value - last) < _SHIFT:
                break
            uses = back.multiply(back) @ likelihood.observed
            scale = 1 / np.sqrt(1 + prior.spread**2 * uses)
            last = self._descend(objective, (value, slope), scale, _ROUGHLY if rough else _GAP)

    def choose_spread(self, build: Build, held_out: Build) -> None:
        """The spread under which plans that are held out are most likely.

        From the middle upwards while that helps, or else downwards: the likelihood has one top.
        """
        self.fit(build, rough=True)
        found: dict[float, float] = {}
        middle = SPREADS.index(_FIRST_SPREAD)
        for direction in (SPREADS[middle:], SPREADS[middle - 1 :: -1]):
            for spread in direction:
                if self.clock.is_over:
                    break
                self.prior = self.prior.with_spread(spread)
                found[spread] = self._held_out(build, held_out)
                if found[spread] < max(found.values()):
                    break
            best = max(found, key=found.__getitem__, default=_FIRST_SPREAD)
            if best != _FIRST_SPREAD:
                break
        self.prior = self.prior.with_spread(best)

    def _held_out(self, build: Build, held_out: Build) -> float:
        """How likely the plans held out are under the present spread."""
        before = self.theta
        try:
            self.fit(build, rough=True)
            return held_out(self.costs).total(self.costs)
        except DivergesError:
            self.theta = before
            return -np.inf

    def _finite(self, build: Build) -> Likelihood:
        """Fields for the parameters; if the sum over walks is infinite there, for larger ones."""
        for _ in range(_RAISES):
            likelihood = build(self.costs)
            try:
                likelihood.log_sums(self.costs)
            except DivergesError:
                theta = self.theta.copy()
                theta[0] += 0.3 + 0.3 * abs(theta[0])
                theta[1:] = np.maximum(theta[1:], 0.7 * theta[1:])
                self.theta = theta
                continue
            return likelihood
        raise DivergesError

    def _descend(
        self, objective: Callable[[Vector], Value], at: Value, scale: Vector, enough: float
    ) -> float:
        """L-BFGS until half the squared slope is `enough`; the value reached.

        Steps and slopes are those of theta / spread. Products stay away from BLAS, whose threads
        fight with ours: a fit took twice as long.
        """
        value, slope = at
        moves: deque[tuple[Vector, Vector]] = deque(maxlen=_MEMORY)
        for _ in range(_MOST_STEPS):
            if 0.5 * _dot(slope, slope) <= enough or self.clock.is_over:
                break
            direction = _direction(slope, scale, moves)
            length = 1.0
            while True:
                try:
                    theta = self.theta - length * self.prior.spread * direction
                    new_value, new_slope = objective(theta)
                    allowed = value - 1e-4 * length * _dot(slope, direction) + 1e-9 * abs(value)
                    if new_value <= allowed:
                        break
                except DivergesError:
                    pass
                length *= 0.4
                if length < 1e-9:
                    return value
            step, bend = -length * direction, new_slope - slope
            self.theta, value, slope = theta, new_value, new_slope
            if _dot(step, bend) > 1e-12:
                moves.append((step, bend))
        return value


def standard_errors(likelihood: Likelihood, prior: Prior, theta: Vector, seed: int) -> Vector:
    """Of the cost of each action, in nats: (1 / spread^2 + information)^-1.

    Information is the covariance of the plans' uses, from differences of two plans drawn for the
    same start and goal. Held-out plans say nothing of a spread in directions that no plan tells
    apart, so errors take the one that fits the constants found (MacKay's step): with the other
    one, 90 % intervals held 46 to 100 % on small grids.
    """
    pairs, weight = likelihood.differences(prior.matrix @ theta, _PAIRS, seed)
    drawn = csr_array(np.sqrt(weight / 2) * (pairs @ prior.matrix))
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


def _direction(slope: Vector, scale: Vector, moves: Sequence[tuple[Vector, Vector]]) -> Vector:
    """Minus the step of L-BFGS; the inverse of the curvature begins with `scale` squared."""
    found, weights = slope.copy(), []
    for step, bend in reversed(moves):
        weights.append(_dot(step, found) / _dot(step, bend))
        found -= weights[-1] * bend
    found *= scale**2
    if moves:
        step, bend = moves[-1]
        found *= _dot(step, bend) / _dot(bend, scale**2 * bend)
    else:
        found /= max(1.0, float(np.abs(slope * scale).max()))
    for (step, bend), weight in zip(moves, reversed(weights), strict=True):
        found += step * (weight - _dot(bend, found) / _dot(step, bend))
    return found


def _dot(one: Vector, other: Vector) -> float:
    return float(np.add.reduce(one * other))

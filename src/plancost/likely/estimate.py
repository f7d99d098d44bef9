"""Most likely costs, shrunk towards what actions have in common.

Least of: the sum over plans of cost + log z, plus half of ((theta - mean) / spread)^2, where costs
are a matrix times theta: what actions share, then a constant of each action with mean 0 and one
common spread. It is convex. Descent ends when half the squared slope is at most 2, which bounds the
distance from the least value in nats. Fields are made anew at the costs found until that hardly
changes the value: pruned by the first costs only it was up to 108 nats off.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array, eye_array, hstack

from plancost.case.model import Case
from plancost.clock import Clock
from plancost.likely.likelihood import Likelihood
from plancost.likely.walks import SLACK, DivergesError, Vector

UNITS = 100
"""Whole costs are in so many units of a nat: ten lose .004 of F1, one loses .14."""
KNOWN = "known costs"
"""The factor of known costs, among features."""
SPREADS = (0.1, 0.2, 0.4, 0.8, 1.6, 3.2)
_USUAL = 0.8
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
_MOST_STEPS = 500
_MEMORY = 30
_SHORTER = 0.4
_SHORTEST = 1e-9

Build = Callable[[Vector], Likelihood]
"""A likelihood whose fields are made for these costs."""


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


def prior_of(case: Case) -> Prior:
    """A constant of all steps (turns are none), and what the cost model says or known costs."""
    model, count = case.costs, len(case.actions)
    links = count if case.streets is None else len(case.streets.rows)
    steps = (np.arange(count) < links).astype(np.float64).reshape(-1, 1)
    names: tuple[str, ...] = ()
    shared = csr_array((count, 0))
    if model.initial is not None:
        names, shared = (KNOWN,), csr_array(model.initial.reshape(-1, 1) * steps)
    elif not model.is_plain:
        names, shared = model.parameters, model.matrix
    scale = shared.sum(axis=0) / np.diff(shared.tocsc().indptr)
    spread = np.where(scale == 1, _OF_CLASSES, _WIDE)
    columns = csr_array(steps), csr_array(shared / scale), eye_array(count)
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
            last = self._descend(likelihood, _ROUGHLY if rough else _GAP)

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

    def _objective(self, likelihood: Likelihood, theta: Vector) -> tuple[float, Vector]:
        """What is to be least, and its slope by theta / spread."""
        prior = self.prior
        value, slope = likelihood(prior.matrix @ theta)
        u = (theta - prior.mean) / prior.spread
        return value + 0.5 * _dot(u, u), prior.spread * (prior.matrix.T @ slope) + u

    def _descend(self, likelihood: Likelihood, gap: float) -> float:
        """By L-BFGS until half the squared slope is at most `gap`; the value reached.

        Parameters are scaled so that the function bends about as much in all directions. A step to
        where the value is infinite is made shorter, as one that does not go down enough.
        """
        prior = self.prior
        uses = prior.matrix.multiply(prior.matrix).T @ likelihood.observed
        scale = 1 / np.sqrt(1 + prior.spread**2 * uses)
        moves: deque[tuple[Vector, Vector]] = deque(maxlen=_MEMORY)
        value, slope = self._objective(likelihood, self.theta)
        for _ in range(_MOST_STEPS):
            if 0.5 * _dot(slope, slope) <= gap or self.clock.is_over:
                break
            direction = _direction(scale * slope, moves)
            descent, length = _dot(scale * slope, direction), 1.0
            while length > _SHORTEST:
                theta = self.theta + length * prior.spread * scale * direction
                try:
                    new_value, new_slope = self._objective(likelihood, theta)
                    if new_value <= value + 1e-4 * length * descent + 1e-9 * abs(value):
                        break
                except DivergesError:
                    pass
                length *= _SHORTER
            else:
                break
            step, bend = length * direction, scale * (new_slope - slope)
            self.theta, value, slope = theta, new_value, new_slope
            if _dot(step, bend) > 1e-12:
                moves.append((step, bend))
        return value


def _direction(slope: Vector, moves: Sequence[tuple[Vector, Vector]]) -> Vector:
    """Down, as the last moves tell how the slope bends."""
    if not moves:
        return -slope / max(1.0, float(np.abs(slope).max()))
    found, weights = -slope, []
    for step, bend in reversed(moves):
        weights.append(_dot(step, found) / _dot(step, bend))
        found = found - weights[-1] * bend
    step, bend = moves[-1]
    found *= _dot(step, bend) / _dot(bend, bend)
    for (step, bend), weight in zip(moves, reversed(weights), strict=True):
        found += step * (weight - _dot(bend, found) / _dot(step, bend))
    return found


def _dot(one: Vector, other: Vector) -> float:
    """The inner product; not by BLAS, whose threads fight with ours: a fit took twice as long."""
    return float(np.add.reduce(one * other))


def whole_costs(costs: Vector) -> npt.NDArray[np.int64]:
    """In units of 1/100 nat, at least 1."""
    return np.maximum(1, np.rint(UNITS * costs)).astype(np.int64)

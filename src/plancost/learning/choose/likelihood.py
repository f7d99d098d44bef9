"""The most likely costs: maximum entropy with a prior.

The loss of costs is what the observed plans cost, plus the sum of log Z (`walks`), plus a normal
prior around one value. It is strictly convex, so there is one answer. An action that is never seen
would become infinitely dear without the prior.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.optimize import Bounds, minimize

from plancost.learning.choose.walks import Vector
from plancost.system.clock import Deadline

LEAST_COST = 0.01
"""Costs are positive."""
PARTS = 1000
"""Costs are rounded to this part of 1."""
_CURVATURE = 0.5
"""Of log Z along one cost, for each time that its action is expected: about."""
_MOST_ITERATIONS = 1000
_CORRECTIONS = 20

Sums = Callable[[Vector], tuple[float, Vector]]
"""From costs to the sum of log Z and to how often each action is expected."""


class _OutOfTimeError(Exception):
    """Ends the search for costs."""


@dataclass(frozen=True)
class Likelihood:
    """How likely observed plans are, as a function of one cost for each action."""

    observed: Vector
    """How often each action occurs in the observed plans."""
    sums: Sums
    centre: Vector
    """The mean of the prior of each cost."""
    spread: float
    """Its standard deviation."""

    def loss(self, costs: Vector) -> tuple[float, Vector]:
        """The negative logarithm of likelihood and prior, up to a constant, and its gradient."""
        shift, precision = costs - self.centre, self.spread**-2
        logarithms, expected = self.sums(costs)
        value = float(self.observed @ costs) + logarithms + 0.5 * precision * float(shift @ shift)
        if not math.isfinite(value):
            return math.inf, np.zeros_like(costs)
        return value, self.observed - expected + precision * shift

    def curvature(self, costs: Vector) -> Vector:
        """About the second derivative of the loss along each cost."""
        return np.asarray(self.spread**-2 + _CURVATURE * self.sums(costs)[1])

    def most_likely(
        self, deadline: Deadline, start: Vector | None = None, tolerance: float = 1e-7
    ) -> Vector | None:
        """The costs of least loss, by L-BFGS-B, or None if they are not found in time."""

        def timed(costs: Vector) -> tuple[float, Vector]:
            if deadline.is_over:
                raise _OutOfTimeError
            return self.loss(costs)

        begin = np.maximum(LEAST_COST, self.centre) if start is None else start
        return _least(timed, begin, np.full(len(begin), LEAST_COST), tolerance)

    def fitted(self, features: Vector, deadline: Deadline) -> Vector | None:
        """The most likely weights, if costs are linear in features; None if out of time.

        There is a row of features for each cost. The first weight is at least the least cost and
        the others at least 0, so the first feature should be 1.
        """
        start = np.zeros(features.shape[1])
        start[0] = float(self.centre.mean())

        def timed(weights: Vector) -> tuple[float, Vector]:
            if deadline.is_over:
                raise _OutOfTimeError
            logarithms, expected = self.sums(features @ weights)
            value = float(self.observed @ (features @ weights)) + logarithms
            if not math.isfinite(value):
                return math.inf, np.zeros_like(weights)
            return value, features.T @ (self.observed - expected)

        least = np.zeros(len(start))
        least[0] = LEAST_COST
        return _least(timed, start, least, 1e-6)


def _least(
    loss: Callable[[Vector], tuple[float, Vector]], start: Vector, bounds: Vector, tolerance: float
) -> Vector | None:
    """Where a loss is least above bounds, by L-BFGS-B; None if out of time."""
    try:
        found = minimize(
            loss,
            start,
            jac=True,
            method="L-BFGS-B",
            bounds=Bounds(bounds, np.full(len(bounds), np.inf)),
            options={"maxiter": _MOST_ITERATIONS, "ftol": tolerance, "maxcor": _CORRECTIONS},
        )
    except _OutOfTimeError:
        return None
    return np.asarray(found.x)


def usual_cost(most_choices: int) -> float:
    """The centre of the prior: the choices in a state then weigh less than 1 together."""
    return 1.0 + math.log(max(1, most_choices))


def whole_costs(costs: Mapping[str, float], parts: int = PARTS) -> dict[str, int]:
    """Costs as whole numbers of such parts, at least 1, for the oracles, which count exactly."""
    return {name: max(1, round(parts * cost)) for name, cost in costs.items()}

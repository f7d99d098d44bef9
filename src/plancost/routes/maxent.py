"""Maximum-entropy costs of links, as something to compare with on networks.

A route is drawn with a probability that falls exponentially in its cost: p(route) = exp(-cost) / Z,
where Z sums over all walks between the same two places (as in `evaluation.maximum_entropy`, there
with a limit on their length). With M the matrix of exp(-cost of a link), Z from o to d is the
entry (o, d) of the inverse of I - M. So one factorisation, and one solution there and one back
for each destination, give the likelihood of all trips and its gradient: seconds for thousands of
links, where stepping through all lengths takes minutes.

Costs have a normal prior around one value for all links. Where I - M has no inverse with positive
entries, the sum over walks is infinite and so is the loss.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy.optimize import Bounds, minimize
from scipy.sparse import csc_array, eye_array
from scipy.sparse.linalg import splu

from plancost.routes.network import Network, Trip, driven, ends
from plancost.system.clock import Deadline

Vector = npt.NDArray[np.float64]

SPREAD = 2.0
"""The standard deviation of the prior, unless another is asked for."""
_LEAST_COST = 0.01
_MOST_ITERATIONS = 500
_TOLERANCE = 1e-7
_SMALLEST = float(np.finfo(np.float64).tiny)
_PARTS = 1000
"""Costs are rounded to this part of 1."""


class _OutOfTimeError(Exception):
    """Ends the search for costs."""


class LinkEntropy:
    """The loss of costs: the negative logarithm of the likelihood of trips and of the prior."""

    def __init__(self, network: Network, trips: Sequence[Trip], spread: float = SPREAD) -> None:
        links = [link for link in network.links if not link.is_loop]
        self.names = tuple(link.name for link in links)
        place = network.place_number
        self._starts = np.array([place[link.start] for link in links], dtype=np.int64)
        self._ends = np.array([place[link.end] for link in links], dtype=np.int64)
        self._size = len(place)
        often = driven(trips)
        self._driven = np.array([often.get(name, 0) for name in self.names], dtype=np.float64)
        self._precision = 1.0 / spread**2
        choices = np.bincount(self._starts, minlength=1)
        self.usual_cost = 1.0 + math.log(max(1, int(choices.max())))
        """The centre of the prior: the choices at a place then weigh less than 1 together."""
        pairs: dict[tuple[int, int], int] = {}
        for trip in trips:
            start, end = (place[name] for name in ends(network, trip))
            pairs[start, end] = pairs.get((start, end), 0) + trip.count
        self._to = sorted({end for _, end in pairs})
        column = {end: number for number, end in enumerate(self._to)}
        self._rows = np.array([start for start, _ in pairs], dtype=np.int64)
        self._columns = np.array([column[end] for _, end in pairs], dtype=np.int64)
        self._counts = np.array(list(pairs.values()), dtype=np.float64)

    def loss(self, costs: Vector) -> tuple[float, Vector]:
        """The loss, up to a constant, and its gradient; infinite where Z is."""
        weights = np.exp(-costs)
        shape = (self._size, self._size)
        matrix = csc_array((weights, (self._starts, self._ends)), shape=shape)
        solver = splu(csc_array(eye_array(self._size) - matrix))
        if not np.all(solver.solve(np.ones(self._size)) > 0):
            return math.inf, np.zeros_like(costs)
        goals = np.zeros((self._size, len(self._to)))
        goals[self._to, np.arange(len(self._to))] = 1.0
        sums = solver.solve(goals)
        between = np.maximum(sums[self._rows, self._columns], _SMALLEST)
        shift = costs - self.usual_cost
        value = float(self._driven @ costs) + 0.5 * self._precision * float(shift @ shift)
        value += float(self._counts @ np.log(between))
        flow = np.zeros((self._size, len(self._to)))
        flow[self._rows, self._columns] = self._counts / between
        through = solver.solve(flow, "T")  # type: ignore[call-overload]  # unknown to its stubs
        expected = np.einsum("ij,ij->i", through[self._starts], sums[self._ends]) * weights
        return value, self._driven + self._precision * shift - expected

    def learn(self, deadline: Deadline = Deadline()) -> dict[str, int] | None:  # noqa: B008
        """The most likely costs in thousandths, at least 1; None if not found in time."""

        def timed(costs: Vector) -> tuple[float, Vector]:
            if deadline.is_over:
                raise _OutOfTimeError
            return self.loss(costs)

        try:
            found = minimize(
                timed,
                np.full(len(self.names), self.usual_cost),
                jac=True,
                method="L-BFGS-B",
                bounds=Bounds(_LEAST_COST, np.inf),
                options={"maxiter": _MOST_ITERATIONS, "ftol": _TOLERANCE, "maxcor": 20},
            )
        except _OutOfTimeError:
            return None
        whole = (max(1, round(_PARTS * cost)) for cost in found.x.tolist())
        return dict(zip(self.names, whole, strict=True))

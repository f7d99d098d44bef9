"""Maximum-entropy costs of links, as something to compare with on networks.

A route is drawn with a probability that falls exponentially in its cost, among all walks between
the same two places that end where they first reach the second. `learning.choose.walks` adds these
up, with one factorisation for all trips: seconds for thousands of links. Costs have a normal prior
around one value for all links.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from plancost.learning.choose.likelihood import Likelihood, usual_cost, whole_costs
from plancost.learning.choose.walks import Passage, Steps, Vector, by_inverse
from plancost.routes.network import Network, Trip
from plancost.system.clock import Deadline

SPREAD = 2.0
"""The standard deviation of the prior, unless another is asked for."""


class LinkEntropy:
    """The loss of costs: the negative logarithm of the likelihood of trips and of the prior."""

    def __init__(self, network: Network, trips: Sequence[Trip], spread: float = SPREAD) -> None:
        links = [link for link in network.links if not link.is_loop]
        self.names = tuple(link.name for link in links)
        place = network.place_number
        starts = np.array([place[link.start] for link in links], dtype=np.int64)
        self._steps = Steps(
            len(place), starts, np.array([place[link.end] for link in links], dtype=np.int64)
        )
        number = {name: position for position, name in enumerate(self.names)}
        observed = np.zeros(len(self.names))
        self.usual_cost = usual_cost(int(np.bincount(starts, minlength=1).max()))
        """The centre of the prior."""
        pairs: dict[int, dict[int, int]] = {}
        for trip in trips:
            visited = network.visited(trip.links)
            own = pairs.setdefault(place[visited[-1]], {})
            own[place[visited[0]]] = own.get(place[visited[0]], 0) + trip.count
            before = (name for name in trip.links[: visited.index(visited[-1])] if name in number)
            np.add.at(observed, [number[name] for name in before], trip.count)
        self._passages = [
            Passage(
                np.array([end], dtype=np.int64),
                np.array(list(own), dtype=np.int64),
                np.array(list(own.values()), dtype=np.float64),
            )
            for end, own in sorted(pairs.items())
        ]
        centre = np.full(len(self.names), self.usual_cost)
        self._likelihood = Likelihood(observed, self._sums, centre, spread)

    def loss(self, costs: Vector) -> tuple[float, Vector]:
        """The loss, up to a constant, and its gradient; infinite where a sum over walks is."""
        return self._likelihood.loss(costs)

    def learn(self, deadline: Deadline = Deadline()) -> dict[str, int] | None:  # noqa: B008
        """The most likely costs in thousandths, at least 1; None if not found in time."""
        found = self._likelihood.most_likely(deadline)
        if found is None:
            return None
        return whole_costs(dict(zip(self.names, found.tolist(), strict=True)))

    def _sums(self, costs: Vector) -> tuple[float, Vector]:
        return by_inverse(self._steps, np.exp(-costs), self._passages)

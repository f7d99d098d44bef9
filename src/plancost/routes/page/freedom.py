"""How far the optimal trips determine the cost of a link that none of them uses.

Such a link may cost more without changing anything. It may cost less until a way through it is
cheaper than an optimal trip. With d for the cost of the cheapest way, a trip from s to t stays
optimal while ``d(s, start) + cost + d(end, t)`` is at least ``d(s, t)`` (more than it, where an
optimal trip must be cheaper than its alternatives). This holds for each link by itself, with all
other costs as they are. If the link could cost as little as any link may, no optimal trip says
anything about it: *nothing determines its cost*.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from plancost.routes.page.distances import Distances, Numbers

_LEAST = 1


def least_costs(
    distances: Distances, trips: Iterable[Sequence[int]], *, strict: bool = False
) -> Numbers:
    """For each link the least cost at which all these trips stay optimal; 0 if one uses it.

    The trips must be optimal.
    """
    optimal = [trip for trip in trips if trip]
    start, end, cost = distances.start, distances.end, distances.cost
    ends: dict[int, list[int]] = {}
    for trip in optimal:
        ends.setdefault(int(end[trip[-1]]), []).append(int(start[trip[0]]))
    sources = [place for starts in ends.values() for place in starts]
    from_start = dict(distances.from_places(sources))
    slack = np.full(len(cost), np.inf)
    for goal, to_end in distances.to_places(ends):
        rest = cost + to_end[end]
        for place in set(ends[goal]):
            ahead = from_start[place]
            np.minimum(slack, ahead[start] + rest - ahead[goal], out=slack)
    least = np.maximum(cost - slack + int(strict), _LEAST)
    found: Numbers = least.astype(np.int64)
    loops = start == end
    found[loops] = _LEAST
    used = sorted({link for trip in optimal for link in trip})
    found[used] = 0
    return found

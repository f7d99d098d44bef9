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
import numpy.typing as npt

from plancost.routes.search import RouteGraph

Numbers = npt.NDArray[np.int64]

_LEAST = 1


def least_costs(
    graph: RouteGraph, trips: Iterable[Sequence[int]], *, strict: bool = False
) -> Numbers:
    """For each link the least cost at which all these trips stay optimal; 0 if one uses it.

    Trips are given by the positions of their links, and must be optimal.
    """
    links = graph.network.links
    optimal = [trip for trip in trips if trip]
    starts_of: dict[str, set[str]] = {}
    for trip in optimal:
        starts_of.setdefault(links[trip[-1]].end, set()).add(links[trip[0]].start)
    arcs = [(state, arc) for state, own in enumerate(graph.arcs) for arc in own]
    source = np.array([state for state, _ in arcs], dtype=np.int64)
    target = np.array([arc.target for _, arc in arcs], dtype=np.int64)
    link = np.array([arc.link for _, arc in arcs], dtype=np.int64)
    cost = np.array([arc.cost for _, arc in arcs], dtype=np.float64)
    ahead = {place: graph.reach(place) for place in set().union(*starts_of.values())}
    slack = np.full(len(arcs), np.inf)
    for end, starts in starts_of.items():
        togo = np.asarray(graph.togo(end))
        rest = cost + togo[target]
        for place in starts:
            best = togo[graph.start(place)]
            np.minimum(slack, ahead[place][source] + rest - best, out=slack)
    of_link = np.full(len(links), np.inf)
    np.minimum.at(of_link, link, slack)
    own = np.array([graph.cost([item.name]) if not item.is_loop else _LEAST for item in links])
    found: Numbers = np.maximum(own - of_link + int(strict), _LEAST).astype(np.int64)
    found[sorted({link for trip in optimal for link in trip})] = 0
    return found

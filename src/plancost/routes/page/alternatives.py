"""The cheapest alternative of a trip: another route between its ends that visits no place twice.

An alternative leaves the trip at one of its places by another link. One search backwards from the
end of the trip says what each of these deviations costs at least. The cheapest is the answer if
its way to the end does not come back to the part before it; otherwise a search that leaves these
places out says what it really costs, and the next one is looked at.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass

from plancost.routes.page.distances import Costs, Distances

Route = tuple[int, ...]
"""The numbers of links."""


@dataclass(frozen=True)
class Alternative:
    """A route, by the numbers of its links, and its cost."""

    links: Route
    cost: int


def cheapest_alternative(
    distances: Distances, trip: Sequence[int], to_end: Costs
) -> Alternative | None:
    """The cheapest route that is not the trip; None if there is no other.

    The trip visits no place twice; `to_end` is what it costs from every place to its end.
    """
    start, end, cost, leaving = distances.start, distances.end, distances.cost, distances.leaving
    last = int(end[trip[-1]])
    before: set[int] = set()
    prefix = 0
    waiting: list[tuple[float, int, int, Route | None]] = []
    for step, link in enumerate(trip):
        here = int(start[link])
        before.add(here)
        for other in leaving[here]:
            there = int(end[other])
            if other != link and there not in before and math.isfinite(to_end[there]):
                bound = prefix + int(cost[other]) + float(to_end[there])
                heapq.heappush(waiting, (bound, step, other, None))
        prefix += int(cost[link])
    while waiting:
        value, step, other, rest = heapq.heappop(waiting)
        if rest is not None:
            return Alternative((*trip[:step], other, *rest), int(value))
        closed = {int(start[link]) for link in trip[: step + 1]}
        spent = sum(int(cost[link]) for link in trip[:step]) + int(cost[other])
        found = _way(distances, int(end[other]), last, to_end, closed)
        if found is not None:
            heapq.heappush(waiting, (spent + found.cost, step, other, found.links))
    return None


def cheapest_route(
    distances: Distances, place: int, goal: int, to_end: Costs
) -> Alternative | None:
    """The cheapest route from a place to the goal; None if no way leads there."""
    return _way(distances, place, goal, to_end, frozenset())


def _way(
    distances: Distances, place: int, goal: int, to_end: Costs, closed: set[int] | frozenset[int]
) -> Alternative | None:
    """The cheapest way that avoids the closed places: A*, guided by the costs without them."""
    if not math.isfinite(to_end[place]):
        return None
    end, cost, leaving = distances.end, distances.cost, distances.leaving
    came: dict[int, tuple[int, int]] = {}
    done: set[int] = set()
    best = {place: 0}
    waiting = [(float(to_end[place]), -0, place)]
    while waiting:
        _, spent, here = heapq.heappop(waiting)
        if here in done:
            continue
        done.add(here)
        if here == goal:
            return Alternative(_traced(came, place, goal), -spent)
        for link in leaving[here]:
            there = int(end[link])
            if there in closed or there in done or not math.isfinite(to_end[there]):
                continue
            total = int(cost[link]) - spent
            if total < best.get(there, total + 1):
                best[there] = total
                came[there] = (link, here)
                heapq.heappush(waiting, (total + float(to_end[there]), -total, there))
    return None


def _traced(came: dict[int, tuple[int, int]], place: int, goal: int) -> Route:
    links = []
    while goal != place:
        link, goal = came[goal]
        links.append(link)
    return tuple(reversed(links))

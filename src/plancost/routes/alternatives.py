"""The K cheapest routes that visit no state twice, by Yen's algorithm.

Each next route leaves one of the routes before it at some state. A search for the rest of the way
is guided by what it costs without anything forbidden, which is never too much.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection

from plancost.routes.search import Found, RouteGraph, Togo

_Label = tuple[float, int, int, tuple[int, ...], int, int]
"""Cost with what is still to come, second number, links, their positions; state and cost so far."""


def cheapest_routes(graph: RouteGraph, start: str, end: str, most: int, togo: Togo) -> list[Found]:
    """At most so many routes, cheapest first; ties in the order of `RouteGraph.cheapest`."""
    first = graph.cheapest(start, togo)
    if first is None:
        return []
    found = [first]
    known = {first.links}
    waiting: list[tuple[tuple[int, int, int, tuple[int, ...]], Found]] = []
    goals = frozenset(graph.goals(end))
    while len(found) < most:
        for route in _deviations(graph, graph.start(start), goals, found, togo):
            if route.links not in known:
                known.add(route.links)
                heapq.heappush(waiting, (route.key, route))
        if not waiting:
            break
        found.append(heapq.heappop(waiting)[1])
    return found


def _deviations(
    graph: RouteGraph, start: int, goals: frozenset[int], found: list[Found], togo: Togo
) -> list[Found]:
    """The cheapest routes that leave the last one found, at each of its states."""
    last = found[-1].links
    state, cost, second = start, 0, 0
    behind: set[int] = set()
    routes = []
    for step in range(len(last)):
        prefix = last[:step]
        taken = {
            other.links[step]
            for other in found
            if len(other.links) > step and other.links[:step] == prefix
        }
        rest = _cheapest_rest(graph, state, goals, (behind, taken), togo)
        if rest is not None:
            links = (*prefix, *rest.links)
            routes.append(Found(cost + rest.cost, second + rest.second, links))
        arc = next(arc for arc in graph.arcs[state] if arc.link == last[step])
        behind.add(state)
        state, cost, second = arc.target, cost + arc.cost, second + arc.second
    return routes


def _cheapest_rest(
    graph: RouteGraph,
    start: int,
    goals: frozenset[int],
    without: tuple[Collection[int], Collection[int]],
    togo: Togo,
) -> Found | None:
    """The best way to a goal that passes no state and sets out by no link of those `without`."""
    behind, taken = without
    waiting: list[_Label] = [(togo[start], 0, 0, (), start, 0)]
    done: set[int] = set()
    while waiting:
        _, second, count, links, state, cost = heapq.heappop(waiting)
        if state in done:
            continue
        done.add(state)
        if state in goals and links:
            return Found(cost, second, links)
        for arc in graph.arcs[state]:
            if arc.target in behind or arc.target in done or arc.target == start:
                continue
            if (not links and arc.link in taken) or togo[arc.target] == float("inf"):
                continue
            now = cost + arc.cost
            label = (
                now + togo[arc.target],
                second + arc.second,
                count + 1,
                (*links, arc.link),
                arc.target,
                now,
            )
            heapq.heappush(waiting, label)
    return None

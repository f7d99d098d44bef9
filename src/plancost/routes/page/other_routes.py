"""The cheapest other route between the ends of an optimal trip, one that passes no state twice.

Another route leaves the trip in one of its states by another link. What the rest of the way costs
from each state bounds the cost of each deviation from below. The cheapest is the answer if its
way to the end does not come back to the part before it. Otherwise a search that leaves these
states out says what it really costs, and the next one is looked at. That is one search for most
trips, where Yen's algorithm takes one for each link.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Sequence

from plancost.routes.search import Arc, Found, RouteGraph, Togo

_NEVER = float("inf")


def cheapest_other(
    graph: RouteGraph, ends: tuple[str, str], trip: Sequence[int], togo: Togo
) -> Found | None:
    """The cheapest route that is not the trip; None if there is no other.

    The trip passes no state twice; `togo` is what it costs to its end. A deviation that was not
    searched yet waits under its bound, one that was under its cost.
    """
    arcs = _arcs_of(graph, graph.start(ends[0]), trip)
    goals = frozenset(graph.goals(ends[1]))
    behind: list[int] = []
    spent = 0
    waiting: list[tuple[float, int, int, Found | None]] = []
    choices: list[Arc] = []
    for step, (state, taken) in enumerate(arcs):
        behind.append(state)
        for arc in graph.arcs[state]:
            if arc.link != taken.link and arc.target not in behind and togo[arc.target] < _NEVER:
                heapq.heappush(
                    waiting, (spent + arc.cost + togo[arc.target], len(choices), step, None)
                )
                choices.append(arc)
        spent += taken.cost
    while waiting:
        _, choice, step, found = heapq.heappop(waiting)
        if found is not None:
            return found
        before = [arc for _, arc in arcs[:step]] + [choices[choice]]
        rest = _way(graph, choices[choice].target, goals, behind[: step + 1], togo)
        if rest is not None:
            links = (*(arc.link for arc in before), *rest.links)
            whole = Found(sum(arc.cost for arc in before) + rest.cost, 0, links)
            heapq.heappush(waiting, (whole.cost, choice, step, whole))
    return None


def _arcs_of(graph: RouteGraph, state: int, trip: Sequence[int]) -> list[tuple[int, Arc]]:
    """The states of a trip and the arcs that it takes from them."""
    found = []
    for link in trip:
        arc = next(arc for arc in graph.arcs[state] if arc.link == link)
        found.append((state, arc))
        state = arc.target
    return found


def _way(
    graph: RouteGraph, start: int, goals: Collection[int], closed: Sequence[int], togo: Togo
) -> Found | None:
    """The cheapest way to a goal that passes no closed state: A*, guided by the costs to go."""
    avoided = frozenset(closed)
    came: dict[int, tuple[int, int]] = {}
    best = {start: 0}
    done: set[int] = set()
    waiting: list[tuple[float, int, int]] = [(togo[start], 0, start)]
    while waiting:
        _, negated, state = heapq.heappop(waiting)
        if state in done:
            continue
        done.add(state)
        if state in goals:
            return Found(-negated, 0, _traced(came, start, state))
        for arc in graph.arcs[state]:
            total = arc.cost - negated
            if (
                arc.target not in avoided
                and togo[arc.target] < _NEVER
                and total < best.get(arc.target, total + 1)
            ):
                best[arc.target] = total
                came[arc.target] = (arc.link, state)
                # Of states that may be as near the goal the one farthest from the start first.
                heapq.heappush(waiting, (total + togo[arc.target], -total, arc.target))
    return None


def _traced(came: dict[int, tuple[int, int]], start: int, state: int) -> tuple[int, ...]:
    links = []
    while state != start:
        link, state = came[state]
        links.append(link)
    return tuple(reversed(links))

"""Why a trip is not a cheapest route, in streets.

Its own route beside the cheapest one, where the two part and meet again, and what the result says
about trips that cannot all be cheapest routes.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from plancost.results.explaining import sentences
from plancost.results.result import ObservationResult, Result
from plancost.routes.costs import LearnedRoutes
from plancost.routes.given import as_network, as_trips
from plancost.routes.loops import loopless
from plancost.routes.network import Network, Trip, check_links
from plancost.routes.prediction import PredictedRoute, score_trips
from plancost.routes.search import RouteGraph
from plancost.routes.split import split_trip


@dataclass(frozen=True)
class Detour:
    """Between two places the trip went another way than the cheapest route."""

    start: str
    end: str
    driven: tuple[str, ...]
    driven_cost: int
    cheaper: tuple[str, ...]
    cheaper_cost: int


@dataclass(frozen=True)
class TripExplanation:
    """A trip, the cheapest route between its ends, and why the trip is not one."""

    trip: Trip
    cost: int
    cheapest: PredictedRoute
    detours: tuple[Detour, ...]
    conflicts: tuple[str, ...] = ()
    """Other trips: not all of them and this one can be cheapest routes."""
    reasons: tuple[str, ...] = ()
    """What the result says about it, in sentences."""

    @property
    def optimal(self) -> bool:
        """Whether no route costs less."""
        return self.cost == self.cheapest.cost

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "trip": self.trip.name,
            "line": self.trip.line or None,
            "optimal": self.optimal,
            "cost": self.cost,
            "cheapest_cost": self.cheapest.cost,
            "links": list(self.trip.links),
            "cheapest_links": list(self.cheapest.links),
            "detours": [vars(detour) for detour in self.detours],
            "conflicts": list(self.conflicts),
            "reasons": list(self.reasons),
        }


def explain_trips(
    network: Network, learned: LearnedRoutes, trips: Iterable[Trip], result: Result | None = None
) -> list[TripExplanation]:
    """Explain trips under learned costs.

    Args:
        network: The streets.
        learned: Their costs.
        trips: The trips that were driven.
        result: What it says of trips that it was learned from is added.

    Returns:
        One explanation for each trip, or for each of its parts if parts were learned from.

    Raises:
        InputError: A trip is not one on this network, or a link or group has no costs.
    """
    network, trips = as_network(network), as_trips(trips)
    for trip in trips:
        check_links(network, trip.name, trip.links)
    said = _said(result)
    parts = [part for trip in trips for part in _as_learned(network, trip, said)]
    found: dict[int, TripExplanation] = {}
    groups: dict[str | None, list[int]] = {}
    for number, part in enumerate(parts):
        groups.setdefault(part.group if learned.groups else None, []).append(number)
    for group, numbers in groups.items():
        costs = learned.group(group)
        graph = costs.graph(network)
        scored = score_trips(network, costs, [parts[number] for number in numbers])
        for number, (score, _) in zip(numbers, scored, strict=True):
            driven = loopless(network, score.trip.links)
            ways = detours(network, graph, driven, score.predicted.links)
            differ = tuple(way for way in ways if way.driven_cost != way.cheaper_cost)
            explained = TripExplanation(score.trip, score.cost, score.predicted, differ)
            found[number] = _with_reasons(explained, said.get(score.trip.name))
    return [found[number] for number in range(len(parts))]


def detours(
    network: Network, graph: RouteGraph, driven: Sequence[str], cheaper: Sequence[str]
) -> tuple[Detour, ...]:
    """Where two routes between the same places differ; their costs differ by as much there."""
    if not driven:  # but for streets that lead back to their own place
        return ()
    own, other = network.visited(driven), network.visited(cheaper)
    if not other:  # from a place to itself
        places = (own[0], own[-1])
        return (Detour(*places, tuple(driven), graph.cost(driven), (), 0),)
    meetings = [(0, 0)]
    position = {place: number for number, place in enumerate(other)}
    for number, place in enumerate(own[1:], start=1):
        there = position.get(place, -1)
        if there > meetings[-1][1]:
            meetings.append((number, there))
    if meetings[-1][0] < len(driven):  # it went on from the destination and came back
        meetings.append((len(driven), len(cheaper)))
    parts = [
        ((a, b), (x, y))
        for (a, x), (b, y) in itertools.pairwise(meetings)
        if tuple(driven[a:b]) != tuple(cheaper[x:y])
    ]
    starts = {a for (a, _), _ in parts}
    found = []
    for (a, b), (x, y) in parts:
        # The turn from one detour into the next belongs to the next.
        out = b not in starts
        costs = _between(graph, driven, (a, b), out), _between(graph, cheaper, (x, y), out)
        ways = (tuple(driven[a:b]), tuple(cheaper[x:y]))
        found.append(Detour(own[a], own[b], ways[0], costs[0], ways[1], costs[1]))
    return tuple(found)


def _between(graph: RouteGraph, links: Sequence[str], part: tuple[int, int], out: bool) -> int:
    """What a part of a route costs, with the turn into it and perhaps the one out of it."""
    start, stop = part
    before, after = links[max(0, start - 1) : start], links[stop : stop + 1] if out else ()
    around = graph.cost(before) + graph.cost(after)
    return graph.cost([*before, *links[start:stop], *after]) - around


def _said(result: Result | None) -> Mapping[str, ObservationResult]:
    return {} if result is None else {item.plan: item for item in result.observations}


def _as_learned(
    network: Network, trip: Trip, said: Mapping[str, ObservationResult]
) -> tuple[Trip, ...]:
    """The trip, or its parts if it was learned from in parts."""
    if trip.name in said or not said:
        return (trip,)
    links = loopless(network, trip.links)
    parts = split_trip(network, replace(trip, links=links)).parts
    return parts if all(part.name in said for part in parts) else (trip,)


def _with_reasons(explained: TripExplanation, said: ObservationResult | None) -> TripExplanation:
    if explained.optimal or said is None or said.explanation is None:
        return explained
    others = said.explanation.get("plans", [])
    conflicts = tuple(name for name in others if name != explained.trip.name)
    return replace(explained, conflicts=conflicts, reasons=tuple(sentences(said.explanation)))


def in_streets(network: Network, links: Sequence[str]) -> str:
    """A route for a person to read: links of one street one after the other stand together."""
    named = [(network.by_name[name].street, name) for name in links]
    found = []
    for street, group in itertools.groupby(named, key=lambda item: item[0]):
        words = " ".join(name for _, name in group)
        found.append(f"{street} ({words})" if street else words)
    return ", ".join(found)

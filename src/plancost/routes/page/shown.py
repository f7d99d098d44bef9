"""What the map shows of each trip: whether it is optimal, and its cheapest alternative.

Trips of the result have its verdict. Others, such as trips that were held out, are checked here
by a search of their own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from plancost.errors import InputError
from plancost.results.result import ObservationResult, Result
from plancost.routes.loops import without_loops
from plancost.routes.network import Network, Trip, ends
from plancost.routes.page.freedom import Numbers, least_costs
from plancost.routes.page.other_routes import cheapest_other
from plancost.routes.prediction import RouteCosts
from plancost.routes.search import Found, RouteGraph, Togo
from plancost.routes.turns import Turns

_MOST_WORK = 200_000_000
"""Links times trips: beyond this, only what the result says is shown."""


@dataclass(frozen=True)
class ShownTrip:
    """A trip by the numbers of its links. `optimal` is None where nobody knows."""

    trip: Trip
    links: tuple[int, ...]
    cost: int
    optimal: bool | None
    best: int | None
    alternative: Found | None
    item: ObservationResult | None
    """What the result says of it; None for a trip that costs were not learned from."""


@dataclass(frozen=True)
class Shown:
    """All trips, and the least cost at which each link would leave optimal trips optimal."""

    network: Network
    trips: tuple[ShownTrip, ...]
    least: Numbers | None
    """0 for links on optimal trips; None if the network is too large to find out."""

    @cached_property
    def undetermined(self) -> tuple[int, ...]:
        """The links whose cost no optimal trip says anything about."""
        return () if self.least is None else tuple((self.least == 1).nonzero()[0].tolist())


def find_shown(
    result: Result, network: Network, trips: Sequence[Trip], turns: Turns | None = None
) -> Shown:
    """Check that all belongs together, and look for alternatives."""
    for trip in trips:
        for name in trip.links:
            if name not in network.by_name:
                raise InputError(
                    f"{network.source}: there is no link {name}, which trip {trip.name} uses"
                )
    kept, driven, _ = without_loops(network, trips)
    if not kept.links:
        raise InputError(f"{network.source}: there is no link to draw")
    graph = RouteCosts(result.costs, result.initial_costs, turns).graph(kept)
    items = _items(result, driven)
    for trip, item in zip(driven, items, strict=True):
        cost = graph.cost(trip.links)
        if item is not None and item.cost != cost:
            raise InputError(
                f"trip {trip.name} costs {cost} under these costs and not {item.cost}, as the "
                "result says; trips or links have changed, so learn again"
            )
    work = len(kept.links) * len(driven)
    if work > _MOST_WORK or not graph.is_exact_in_floats:
        return Shown(kept, tuple(_told(graph, driven, items)), None)
    found = _searched(graph, driven, items, strict=result.strict)
    optimal = [item.links for item in found if item.optimal and item.best == item.cost]
    return Shown(kept, tuple(found), least_costs(graph, optimal, strict=result.strict))


def _items(result: Result, trips: Iterable[Trip]) -> list[ObservationResult | None]:
    """What the result says of each trip, found by name; of several in their order.

    Results name plans by paths, so a slash may have become a bar.
    """
    known: dict[str, list[ObservationResult]] = defaultdict(list)
    for item in reversed(result.observations):
        known[item.plan].append(item)
    found = []
    for trip in trips:
        own = known.get(trip.name) or known.get(trip.name.replace("/", "|"))
        found.append(own.pop() if own else None)
    return found


def _told(
    graph: RouteGraph, trips: Sequence[Trip], items: Sequence[ObservationResult | None]
) -> Iterable[ShownTrip]:
    """Trips with what the result says, and no search."""
    number = _numbers(graph.network)
    for trip, item in zip(trips, items, strict=True):
        links = tuple(number[name] for name in trip.links)
        cost = graph.cost(trip.links)
        if item is None:
            yield ShownTrip(trip, links, cost, None, None, None, None)
            continue
        alternative = None
        if item.rival is not None and item.rival_cost is not None:
            rival = tuple(number[name] for name in item.rival if name in number)
            alternative = Found(item.rival_cost, 0, rival)
        yield ShownTrip(trip, links, cost, item.optimal, item.optimal_cost, alternative, item)


def _searched(
    graph: RouteGraph,
    trips: Sequence[Trip],
    items: Sequence[ObservationResult | None],
    *,
    strict: bool,
) -> list[ShownTrip]:
    """Trips with the cheapest alternative that a search finds; one search for each end."""
    by_end: dict[str, list[int]] = defaultdict(list)
    for position, trip in enumerate(trips):
        by_end[ends(graph.network, trip)[1]].append(position)
    number = _numbers(graph.network)
    found: dict[int, ShownTrip] = {}
    for end, positions in by_end.items():
        togo = graph.togo(end)
        for position in positions:
            trip = trips[position]
            links = tuple(number[name] for name in trip.links)
            found[position] = _one(graph, (trip, links, items[position]), togo, strict=strict)
    return [found[position] for position in range(len(trips))]


def _one(
    graph: RouteGraph,
    given: tuple[Trip, tuple[int, ...], ObservationResult | None],
    togo: Togo,
    *,
    strict: bool,
) -> ShownTrip:
    trip, links, item = given
    start, end = ends(graph.network, trip)
    cost = graph.cost(trip.links)
    best = int(togo[graph.start(start)])
    if cost > best:
        alternative = graph.cheapest(start, togo)
    else:
        alternative = cheapest_other(graph, (start, end), links, togo)
    optimal = cost == best
    if strict and alternative is not None:
        optimal = cost < alternative.cost
    if item is not None and item.optimal is not None:
        optimal = item.optimal
    return ShownTrip(trip, links, cost, optimal, best, alternative, item)


def _numbers(network: Network) -> Mapping[str, int]:
    return {link.name: position for position, link in enumerate(network.links)}

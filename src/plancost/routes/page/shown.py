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
from plancost.routes.network import Network, Trip
from plancost.routes.page.alternatives import Alternative, cheapest_alternative, cheapest_route
from plancost.routes.page.distances import Costs, Distances, Numbers
from plancost.routes.page.freedom import least_costs

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
    alternative: Alternative | None
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


def find_shown(result: Result, network: Network, trips: Sequence[Trip]) -> Shown:
    """Check that all belongs together, and look for alternatives."""
    kept = _without_loops(network, result.costs)
    distances = Distances(kept, result.costs)
    number = {link.name: position for position, link in enumerate(kept.links)}
    routes = [_route(trip, network, number) for trip in trips]
    items = _items(result, trips)
    if result.options.get("turns") is not None:
        return Shown(kept, _told(trips, routes, items, number, distances), None)
    for trip, route, item in zip(trips, routes, items, strict=True):
        cost = int(distances.cost[list(route)].sum())
        if item is not None and item.cost != cost:
            raise InputError(
                f"trip {trip.name} costs {cost} under these costs and not {item.cost}, as the "
                "result says; trips or links have changed, so learn again"
            )
    if len(kept.links) * len(trips) > _MOST_WORK:
        return Shown(kept, _told(trips, routes, items, number, distances), None)
    found = _searched(list(zip(trips, routes, items, strict=True)), distances, result)
    optimal = [item.links for item in found if item.optimal and item.best == item.cost]
    return Shown(kept, tuple(found), least_costs(distances, optimal, strict=result.strict))


def _without_loops(network: Network, costs: Mapping[str, int]) -> Network:
    links = tuple(link for link in network.links if not link.is_loop)
    for link in links:
        if link.name not in costs:
            raise InputError(
                f"{network.source}: the result has no cost for the link {link.name}, so it "
                "belongs to another network"
            )
    if not links:
        raise InputError(f"{network.source}: there is no link to draw")
    return Network(links, network.places, network.source)


def _route(trip: Trip, network: Network, number: Mapping[str, int]) -> tuple[int, ...]:
    for name in trip.links:
        if name not in network.by_name:
            raise InputError(
                f"{network.source}: there is no link {name}, which trip {trip.name} uses"
            )
    return tuple(number[name] for name in trip.links if name in number)


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


_Given = tuple[Trip, tuple[int, ...], ObservationResult | None]


def _told(
    trips: Sequence[Trip],
    routes: Sequence[tuple[int, ...]],
    items: Sequence[ObservationResult | None],
    number: Mapping[str, int],
    distances: Distances,
) -> tuple[ShownTrip, ...]:
    """Trips with what the result says, and no search.

    With costs of turns, the cost of a trip is more than that of its links.
    """
    found = []
    for trip, route, item in zip(trips, routes, items, strict=True):
        if item is None:
            cost = int(distances.cost[list(route)].sum())
            found.append(ShownTrip(trip, route, cost, None, None, None, None))
            continue
        alternative = None
        if item.rival is not None and item.rival_cost is not None:
            links = tuple(number[name] for name in item.rival if name in number)
            alternative = Alternative(links, item.rival_cost)
        found.append(
            ShownTrip(trip, route, item.cost, item.optimal, item.optimal_cost, alternative, item)
        )
    return tuple(found)


def _searched(given: Sequence[_Given], distances: Distances, result: Result) -> list[ShownTrip]:
    """Trips with the cheapest alternative that a search finds; one search for each end."""
    by_end: dict[int, list[int]] = defaultdict(list)
    for position, (_, route, _) in enumerate(given):
        if route:
            by_end[int(distances.end[route[-1]])].append(position)
    found: dict[int, ShownTrip] = {}
    for goal, to_end in distances.to_places(by_end):
        for position in by_end[goal]:
            found[position] = _one(given[position], distances, to_end, strict=result.strict)
    return [
        found.get(position) or ShownTrip(trip, route, 0, None, None, None, item)
        for position, (trip, route, item) in enumerate(given)
    ]


def _one(given: _Given, distances: Distances, to_end: Costs, *, strict: bool) -> ShownTrip:
    trip, route, item = given
    cost = int(distances.cost[list(route)].sum())
    start, goal = int(distances.start[route[0]]), int(distances.end[route[-1]])
    best = int(to_end[start])
    if cost > best:
        alternative = cheapest_route(distances, start, goal, to_end)
    else:
        alternative = cheapest_alternative(distances, route, to_end)
    optimal = cost == best
    if strict and alternative is not None:
        optimal = cost < alternative.cost
    if item is not None and item.optimal is not None:
        optimal = item.optimal
    return ShownTrip(trip, route, cost, optimal, best, alternative, item)

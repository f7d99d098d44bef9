"""Towns with trips for tests of the map: networks, and results made without learning."""

from __future__ import annotations

import heapq
import itertools
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from plancost.results.result import ObservationResult, Result, Secondary
from plancost.routes.network import Link, Network, Point, Trip


def grid_town(columns: int, rows: int, seed: int = 1) -> Network:
    """Streets in both directions, some of them bent, with a river that two bridges cross."""
    draw = random.Random(seed)
    river = rows // 2
    bridges = {columns // 4, 3 * columns // 4}
    points = {
        f"p{x}-{y}": (100.0 * x + draw.uniform(-22, 22), 100.0 * y + draw.uniform(-22, 22))
        for x in range(columns)
        for y in range(rows)
    }
    links: list[Link] = []
    for x, y in itertools.product(range(columns), range(rows)):
        for dx, dy in ((1, 0), (0, 1)):
            ends = (f"p{x}-{y}", f"p{x + dx}-{y + dy}")
            crosses = dy == 1 and y == river and x not in bridges
            if ends[1] in points and not crosses and draw.random() >= 0.06:
                links += _street(ends, points, draw, len(links))
    used = {place for link in links for place in (link.start, link.end)}
    places = {place: point for place, point in points.items() if place in used}
    return Network(tuple(links), places, "town.csv")


def _street(
    ends: tuple[str, str], points: Mapping[str, Point], draw: random.Random, count: int
) -> list[Link]:
    (ax, ay), (bx, by) = (points[place] for place in ends)
    length = Fraction(round(((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5))
    numbers = {"metres": length, "minutes": length / draw.choice((250, 400, 700))}
    shape: tuple[Point, ...] = ()
    if draw.random() < 0.2:
        bend = ((ax + bx) / 2 + draw.uniform(-25, 25), (ay + by) / 2 + draw.uniform(-25, 25))
        shape = ((ax, ay), bend, (bx, by))
    there = Link(f"s{count + 1}", *ends, numbers, shape)
    if draw.random() < 0.1:
        return [there]
    return [there, Link(f"s{count + 2}", *ends[::-1], numbers, shape[::-1])]


def costs_of(network: Network, column: str = "minutes", scale: int = 1000) -> dict[str, int]:
    """A column as whole costs of at least 1."""
    return {link.name: max(1, round(link.numbers[column] * scale)) for link in network.links}


def cheapest(
    network: Network, costs: Mapping[str, float], start: str, end: str
) -> list[str] | None:
    """A cheapest route, by a search that has nothing in common with that of the package."""
    waiting: list[tuple[float, str, tuple[str, ...]]] = [(0, start, ())]
    done = set()
    while waiting:
        cost, here, route = heapq.heappop(waiting)
        if here == end:
            return list(route)
        if here in done:
            continue
        done.add(here)
        for link in network.leaving.get(here, ()):
            if not link.is_loop:
                heapq.heappush(waiting, (cost + costs[link.name], link.end, (*route, link.name)))
    return None


def random_trips(
    network: Network, costs: Mapping[str, int], count: int, seed: int = 1
) -> list[Trip]:
    """Trips of drivers who see each cost a little differently."""
    draw = random.Random(seed)
    trips: list[Trip] = []
    while len(trips) < count:
        start, end = draw.sample(network.place_names, 2)
        own = {name: cost * draw.uniform(0.9, 1.15) for name, cost in costs.items()}
        route = cheapest(network, own, start, end)
        if route:
            trips.append(Trip(f"t{len(trips) + 1}", tuple(route)))
    return trips


def result_of(
    network: Network,
    trips: Sequence[Trip],
    costs: dict[str, int],
    initial: dict[str, int] | None = None,
) -> Result:
    """A result that says of each trip what is true of it."""
    items = []
    for trip in trips:
        start = network.by_name[trip.links[0]].start
        end = network.by_name[trip.links[-1]].end
        best = cheapest(network, costs, start, end)
        assert best is not None
        cost, least = (sum(costs[name] for name in route) for route in (trip.links, best))
        ends = f"from {start} to {end}"
        item = ObservationResult(ends, trip.name, trip.count, cost == least, cost, least)
        if cost > least:
            item = replace(item, rival=tuple(best), rival_cost=least)
        items.append(item)
    optimal = sum(item.count for item in items if item.optimal)
    plans = sum(item.count for item in items)
    value = (
        sum(abs(costs[name] - initial[name]) for name in costs) if initial else sum(costs.values())
    )
    return Result(
        solution="mcf",
        strict=False,
        refined=initial is not None,
        alternatives="all",
        options={},
        plans=plans,
        optimal_plans=optimal,
        upper_bound=min(plans, optimal + 1),
        proved=optimal + 1 > plans,
        believed_optimal=optimal,
        secondary=Secondary(value, 0, False),
        costs=costs,
        observations=tuple(items),
        verified=True,
        seconds={"total": 1.0},
        initial_costs=initial,
    )


def large_town(columns: int, rows: int, trips: int) -> tuple[Network, list[Trip], Result]:
    """A town with many trips, half of them by way of a place that lies off their way."""
    network = grid_town(columns, rows)
    initial = costs_of(network)
    draw = random.Random(3)
    factors = (0.2, 0.45, 0.7, 1, 1, 1, 1, 1, 1.5, 3, 5)
    zones: dict[str, float] = {}
    costs = {}
    for link in network.links:
        zone = "-".join(str(int(part) // 4) for part in link.start[1:].split("-"))
        factor = zones.setdefault(zone, draw.choice(factors))
        costs[link.name] = max(1, round(initial[link.name] * factor))
    starts = draw.sample(network.place_names, min(40, len(network.place_names)))
    trees = {start: _tree(network, costs, start) for start in starts}
    found: list[Trip] = []
    items: list[ObservationResult] = []
    while len(found) < trips:
        start, middle = draw.sample(starts, 2)
        end = draw.choice(network.place_names)
        tree = trees[start]
        if len(found) % 2 or middle not in tree or end == middle:
            route = _traced(network, tree, end)
        else:
            route = _traced(network, tree, middle) + _traced(network, trees[middle], end)
        if not route or end not in tree:
            continue
        name = f"t{len(found) + 1}"
        cost, best = sum(costs[link] for link in route), tree[end][0]
        found.append(Trip(name, tuple(route)))
        items.append(ObservationResult(f"from {start} to {end}", name, 1, cost == best, cost, best))
    optimal = sum(item.optimal is True for item in items)
    return (
        network,
        found,
        replace(
            result_of(network, [], costs, initial),
            observations=tuple(items),
            plans=trips,
            optimal_plans=optimal,
            believed_optimal=optimal,
            upper_bound=trips,
            proved=False,
        ),
    )


def _tree(network: Network, costs: Mapping[str, int], start: str) -> dict[str, tuple[int, str]]:
    """For each place the cost of the cheapest way from the start, and its last link."""
    found: dict[str, tuple[int, str]] = {}
    waiting = [(0, start, "")]
    while waiting:
        cost, here, last = heapq.heappop(waiting)
        if here not in found:
            found[here] = (cost, last)
            for link in network.leaving.get(here, ()):
                heapq.heappush(waiting, (cost + costs[link.name], link.end, link.name))
    return found


def _traced(network: Network, tree: Mapping[str, tuple[int, str]], end: str) -> list[str]:
    route: list[str] = []
    while end in tree and tree[end][1]:
        route.append(tree[end][1])
        end = network.by_name[tree[end][1]].start
    return route[::-1]

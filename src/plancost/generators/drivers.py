"""Trips through a made-up city by drivers who are not quite of one mind.

Each driver has a home, a place of work and a few other places, and goes from one to another, so
ends and whole trips repeat. A driver's costs are the true ones times random factors: one part
stays the same for the driver on each link, the other part is drawn anew for each destination.
Under these costs each trip is optimal. Trips of one driver to one destination come from one tree
of shortest paths. A few trips are detours: they go by way of another place of the driver.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from plancost.generators.city import THOUSANDTHS, City, CityRequest
from plancost.generators.street_plan import Floats, Integers

_TRIPS_OF_A_DRIVER = 20
_OTHER_PLACES = 3
_CANDIDATES = 300
"""So many junctions are looked at when a place is chosen near another."""
_USUAL_WAY_M = 1800.0
"""The chance of a place falls with its distance d as exp(-d / this)."""
_LEAST_WAY_M = 300.0
"""Nobody drives to a place that is nearer, if there are others."""
_JUNCTIONS_OF_A_WORKPLACE = 60
_HOME = 0.6
"""The chance that a driver who is away goes home next."""
_SLOWEST = 12.0
"""In km/h: a way with a lower speed as the crow flies is looked for in the whole city."""


@dataclass(frozen=True)
class DrivenTrip:
    """The links of a trip, in their order."""

    driver: int
    links: Integers
    is_detour: bool


@dataclass(frozen=True)
class _Leg:
    """A trip before its links are known: places by number, and one on the way or None."""

    start: int
    end: int
    via: int | None


def drive(city: City, request: CityRequest) -> Iterator[DrivenTrip]:
    """The trips that are asked for, driver by driver."""
    roads = _Roads(city)
    random = np.random.default_rng([request.seed, 2])
    workplaces = random.integers(
        city.junctions, size=max(3, city.junctions // _JUNCTIONS_OF_A_WORKPLACE)
    )
    number = max(1, round(request.trips / _TRIPS_OF_A_DRIVER))
    counts = np.bincount(np.arange(request.trips) % number, minlength=number)
    for driver in range(number):
        own = np.random.default_rng([request.seed, 3, driver])
        places = _places(city, workplaces, own)
        legs = _legs(len(places), int(counts[driver]), request.detours, own)
        for leg, links in zip(legs, _ways(roads, places, legs, request.noise, own), strict=True):
            yield DrivenTrip(driver, links, leg.via is not None)


def _places(city: City, workplaces: Integers, random: np.random.Generator) -> Integers:
    """Different junctions: home, work, and others."""
    home = int(random.integers(city.junctions))
    chosen = [home, _near(city, home, workplaces, [home], random)]
    for _ in range(_OTHER_PLACES):
        candidates = random.integers(city.junctions, size=_CANDIDATES)
        chosen.append(_near(city, home, candidates, chosen, random))
    return np.array(chosen, dtype=np.int64)


def _near(
    city: City,
    place: int,
    candidates: Integers,
    taken: list[int],
    random: np.random.Generator,
) -> int:
    free = candidates[~np.isin(candidates, taken)]
    if not len(free):
        free = np.setdiff1d(np.arange(city.junctions), taken)
    distance = np.hypot(city.x[free] - city.x[place], city.y[free] - city.y[place])
    if (distance >= _LEAST_WAY_M).any():
        free, distance = free[distance >= _LEAST_WAY_M], distance[distance >= _LEAST_WAY_M]
    weight = np.exp(-(distance - distance.min()) / _USUAL_WAY_M)
    return int(random.choice(free, p=weight / weight.sum()))


def _legs(places: int, count: int, detours: float, random: np.random.Generator) -> list[_Leg]:
    """From place to place, beginning at home; place 0 is home."""
    legs = []
    here = 0
    for _ in range(count):
        others = [place for place in range(places) if place != here]
        goes_home = here != 0 and random.random() < _HOME
        there = 0 if goes_home else int(random.choice(others))
        via = None
        if random.random() < detours:
            via = int(random.choice([place for place in others if place != there]))
        legs.append(_Leg(here, there, via))
        here = there
    return legs


def _ways(
    roads: _Roads,
    places: Integers,
    legs: list[_Leg],
    noise: float,
    random: np.random.Generator,
) -> list[Integers]:
    """The links of each leg."""
    city = roads.city
    taste = random.standard_normal(len(city.hidden))
    hops = [
        [(leg.start, leg.end)] if leg.via is None else [(leg.start, leg.via), (leg.via, leg.end)]
        for leg in legs
    ]
    found: dict[tuple[int, int], Integers] = {}
    for end in sorted({hop[1] for leg in hops for hop in leg}):
        starts = sorted({hop[0] for leg in hops for hop in leg if hop[1] == end})
        today = random.standard_normal(len(city.hidden))
        costs = city.hidden * np.exp(noise * np.sqrt(0.5) * (taste + today))
        ways = roads.ways(places[starts], int(places[end]), costs)
        found.update(zip(((start, end) for start in starts), ways, strict=True))
    return [np.concatenate([found[hop] for hop in leg]) for leg in hops]


class _Roads:
    """The links of a city turned round, so that one search finds the ways to a destination."""

    def __init__(self, city: City) -> None:
        self.city = city
        self._order = np.lexsort((city.starts, city.ends))
        self._tails = city.starts[self._order].astype(np.int32)
        counted = np.bincount(city.ends, minlength=city.junctions)
        self._pointers = np.concatenate([[0], np.cumsum(counted)]).astype(np.int32)

    def ways(self, starts: Integers, end: int, costs: Floats) -> list[Integers]:
        """The links of a cheapest way from each start."""
        city = self.city
        far = np.hypot(city.x[starts] - city.x[end], city.y[starts] - city.y[end]).max()
        limit = THOUSANDTHS * far / (_SLOWEST * 1000 / 60)
        following = self._tree(end, costs, limit)
        if (following[starts] < 0).any():
            following = self._tree(end, costs, np.inf)
        return [city.links_along(_chain(following, int(start), end)) for start in starts]

    def _tree(self, end: int, costs: Floats, limit: float) -> Integers:
        """The next junction on the way to the end; negative where there is none."""
        shape = (self.city.junctions, self.city.junctions)
        graph = csr_array((costs[self._order], self._tails, self._pointers), shape=shape)
        _, following = dijkstra(graph, indices=[end], return_predecessors=True, limit=limit)
        found: Integers = following[0].astype(np.int64)
        return found


def _chain(following: Integers, start: int, end: int) -> Integers:
    junctions = [start]
    while junctions[-1] != end:
        junctions.append(int(following[junctions[-1]]))
    return np.array(junctions, dtype=np.int64)

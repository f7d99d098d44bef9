"""Transport: vehicles of limited capacity take packages to their destinations.

Places, roads with their lengths, and vehicles with their capacities are fixed. Where vehicles and
packages are varies, and where each package has to go.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, pairwise
from math import isqrt

from experiments.worlds.world import Scenario, World, numbered

_CAPACITIES = (2, 3, 4)
_SQUARE = 1000
"""Places lie in a square of this side; a road is as long as it is drawn, in tenths."""
_ROADS_A_PLACE = 1.5
"""Three roads meet at a place on average."""

Point = tuple[int, int]


@dataclass(frozen=True)
class Transport(World):
    """Places in a plane with roads between neighbours."""

    name = "transport"
    places: int = 10
    vehicles: int = 2
    packages: int = 3

    def scenario(self, seed: int, draw: int) -> Scenario:
        """Vehicles and packages anywhere, every package with somewhere to go."""
        varied = self.random(seed, draw)
        places, vehicles = numbered("place", self.places), numbered("vehicle", self.vehicles)
        packages = numbered("package", self.packages)
        objects = {"place": places, "vehicle": vehicles, "package": packages, "amount": _amounts()}
        trips = {package: varied.sample(places, 2) for package in packages}
        state = [f"(at {vehicle} {varied.choice(places)})" for vehicle in vehicles]
        state += [f"(at {package} {start})" for package, (start, _) in trips.items()]
        goal = (f"(at {package} {end})" for package, (_, end) in trips.items())
        return Scenario(objects, self._fixed(seed), tuple(state), tuple(goal))

    def _fixed(self, seed: int) -> tuple[str, ...]:
        """Roads, both ways alike, and what vehicles can carry."""
        fixed = self.random(seed)
        places = numbered("place", self.places)
        points = [(fixed.randrange(_SQUARE), fixed.randrange(_SQUARE)) for _ in places]
        roads = [
            f"(road {places[a]} {places[b]}) (= (length {places[a]} {places[b]}) {length})"
            for one, other, length in _roads(points)
            for a, b in ((one, other), (other, one))
        ]
        vehicles = numbered("vehicle", self.vehicles)
        rooms = [f"(room {name} room{fixed.choice(_CAPACITIES)})" for name in vehicles]
        less = [f"(one-less {less} {more})" for less, more in pairwise(_amounts())]
        return (*less, *roads, *rooms)


def _amounts() -> list[str]:
    return [f"room{number}" for number in range(max(_CAPACITIES) + 1)]


def _roads(points: list[Point]) -> list[tuple[int, int, int]]:
    """Roads as pairs of places with lengths: the shortest that connect all, and then more."""

    def square(pair: tuple[int, int]) -> int:
        (x, y), (v, w) = points[pair[0]], points[pair[1]]
        return (x - v) ** 2 + (y - w) ** 2

    pairs = sorted(combinations(range(len(points)), 2), key=square)
    part = list(range(len(points)))
    chosen = []
    for one, other in pairs:
        if part[one] != part[other]:
            chosen.append((one, other))
            part = [part[one] if name == part[other] else name for name in part]
    others = [pair for pair in pairs if pair not in chosen]
    more = max(0, round(_ROADS_A_PLACE * len(points)) - len(chosen))
    return [(*pair, 1 + isqrt(square(pair)) // 10) for pair in sorted(chosen + others[:more])]

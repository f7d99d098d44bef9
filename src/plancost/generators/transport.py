"""Transport: vehicles of limited capacity take packages to their destinations.

Fixed: places, roads with their lengths, vehicles with their capacities, packages.
Varies: where vehicles and packages are, and where each package has to go.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, pairwise
from math import isqrt

from plancost.generators.world import Scenario, World, numbered, size

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
    summary = "vehicles of limited capacity take packages over roads of different lengths"

    places: int = size(10, 2, "places")
    vehicles: int = size(2, 1, "vehicles")
    packages: int = size(3, 1, "packages")

    def scenario(self, seed: int, draw: int) -> Scenario:
        """Vehicles and packages anywhere, every package with somewhere to go."""
        fixed, varied = self.generator(seed), self.generator(seed, draw)
        places, vehicles = numbered("place", self.places), numbered("vehicle", self.vehicles)
        packages = numbered("package", self.packages)
        amounts = [f"room{number}" for number in range(max(_CAPACITIES) + 1)]
        points = [(fixed.randrange(_SQUARE), fixed.randrange(_SQUARE)) for _ in places]
        roads = [
            f"(road {places[a]} {places[b]}) (= (length {places[a]} {places[b]}) {length})"
            for one, other, length in _roads(points)
            for a, b in ((one, other), (other, one))
        ]
        rooms = [f"(room {name} {amounts[fixed.choice(_CAPACITIES)]})" for name in vehicles]
        trips = {package: varied.sample(places, 2) for package in packages}
        return Scenario(
            {"place": places, "vehicle": vehicles, "package": packages, "amount": amounts},
            [*(f"(one-less {less} {more})" for less, more in pairwise(amounts)), *roads, *rooms],
            [
                *(f"(at {vehicle} {varied.choice(places)})" for vehicle in vehicles),
                *(f"(at {package} {start})" for package, (start, _) in trips.items()),
            ],
            [f"(at {package} {end})" for package, (_, end) in trips.items()],
        )


def _roads(points: list[Point]) -> list[tuple[int, int, int]]:
    """Roads as pairs of places with lengths: the shortest that connect all, and then more."""
    pairs = sorted(combinations(range(len(points)), 2), key=lambda pair: _square(points, pair))
    part = list(range(len(points)))
    chosen = []
    for one, other in pairs:
        if part[one] != part[other]:
            chosen.append((one, other))
            part = [part[one] if name == part[other] else name for name in part]
    others = [pair for pair in pairs if pair not in chosen]
    more = max(0, round(_ROADS_A_PLACE * len(points)) - len(chosen))
    return [
        (one, other, 1 + isqrt(_square(points, (one, other))) // 10)
        for one, other in sorted(chosen + others[:more])
    ]


def _square(points: list[Point], pair: tuple[int, int]) -> int:
    (x, y), (v, w) = points[pair[0]], points[pair[1]]
    return (x - v) ** 2 + (y - w) ** 2

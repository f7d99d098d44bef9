"""Transport: vehicles of limited capacity take packages to their destinations.

Fixed: places, roads with their lengths, vehicles with their capacities, packages.
Varies: where vehicles and packages are, and where each package has to go.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, pairwise
from math import isqrt

from plancost.generators.world import World, numbered, problem_text, size

_DOMAIN = """; Vehicles carry packages on roads; a drive costs the length of the road.
(define (domain transport)
  (:requirements :strips :typing :action-costs)
  (:types place thing amount - object vehicle package - thing)
  (:predicates
    (at ?t - thing ?p - place)
    (inside ?x - package ?v - vehicle)
    (road ?p ?q - place)
    (room ?v - vehicle ?a - amount)
    (one-less ?a ?b - amount))
  (:functions
    (total-cost) - number
    (length ?p ?q - place) - number)

  (:action drive
    :parameters (?v - vehicle ?from ?to - place)
    :precondition (and (at ?v ?from) (road ?from ?to))
    :effect (and (not (at ?v ?from)) (at ?v ?to)
                 (increase (total-cost) (length ?from ?to))))

  (:action pick-up
    :parameters (?v - vehicle ?p - place ?x - package ?after ?before - amount)
    :precondition (and (at ?v ?p) (at ?x ?p) (room ?v ?before) (one-less ?after ?before))
    :effect (and (not (at ?x ?p)) (inside ?x ?v)
                 (not (room ?v ?before)) (room ?v ?after)
                 (increase (total-cost) 1)))

  (:action drop
    :parameters (?v - vehicle ?p - place ?x - package ?before ?after - amount)
    :precondition (and (at ?v ?p) (inside ?x ?v) (room ?v ?before) (one-less ?before ?after))
    :effect (and (not (inside ?x ?v)) (at ?x ?p)
                 (not (room ?v ?before)) (room ?v ?after)
                 (increase (total-cost) 1))))
"""
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

    def domain(self, seed: int) -> str:
        """The same for all seeds."""
        return _DOMAIN

    def problem(self, seed: int, draw: int) -> str:
        """Vehicles and packages anywhere, every package with somewhere to go."""
        fixed, varied = self.fixed(seed), self.varied(seed, draw)
        places, vehicles = numbered("place", self.places), numbered("vehicle", self.vehicles)
        packages = numbered("package", self.packages)
        amounts = [f"room{number}" for number in range(max(_CAPACITIES) + 1)]
        points = [(fixed.randrange(_SQUARE), fixed.randrange(_SQUARE)) for _ in places]
        roads = [
            f"(road {places[a]} {places[b]}) (= (length {places[a]} {places[b]}) {length})"
            for one, other, length in _roads(points)
            for a, b in ((one, other), (other, one))
        ]
        trips = [varied.sample(places, 2) for _ in packages]
        return problem_text(
            self,
            seed,
            draw,
            objects={
                "place": places,
                "vehicle": vehicles,
                "package": packages,
                "amount": amounts,
            },
            fixed=[
                *(f"(one-less {less} {more})" for less, more in pairwise(amounts)),
                *roads,
                *(f"(room {vehicle} {amounts[fixed.choice(_CAPACITIES)]})" for vehicle in vehicles),
            ],
            varied=[
                *(f"(at {vehicle} {varied.choice(places)})" for vehicle in vehicles),
                *(
                    f"(at {package} {start})"
                    for package, (start, _) in zip(packages, trips, strict=True)
                ),
            ],
            goal=[
                f"(at {package} {end})" for package, (_, end) in zip(packages, trips, strict=True)
            ],
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

"""A made-up city and its drivers: links.csv and trips.csv, the same for the same arguments.

    python -m benchmarks.city FOLDER --links 10000 --trips 10000 --goals 300 --seed 1

Junctions lie on a grid that is shaken; some streets are missing, some one-way, every eighth row
and column is a main road. What links truly cost is hidden: metres times factors of the kind of
road and of the link. Every driver adds noise of its own, and drives what is then cheapest.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components, dijkstra

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

BLOCK = 120.0
"""Metres between junctions, before they are shaken."""
TRIPS_A_DRIVER = 50


@dataclass(frozen=True)
class City:
    """Links by number, from junction to junction."""

    places: Floats
    source: Ints
    target: Ints
    main: npt.NDArray[np.bool_]
    hidden: Floats

    @property
    def metres(self) -> Ints:
        """As the crow flies."""
        between = self.places[self.source] - self.places[self.target]
        lengths: Ints = np.rint(np.hypot(between[:, 0], between[:, 1])).astype(np.int64)
        return lengths


def build_city(links: int, random: np.random.Generator) -> City:
    """A city with about so many links, of which every junction can be reached from every other."""
    side = max(3, round((links / 3.4) ** 0.5))
    places = np.indices((side, side)).reshape(2, -1).T * BLOCK
    places = places + random.normal(0, 0.15 * BLOCK, places.shape)
    number = np.arange(side * side).reshape(side, side)
    ways = [(number[:, :-1], number[:, 1:]), (number[:-1, :], number[1:, :])]
    one = np.concatenate([start.ravel() for start, _ in ways])
    other = np.concatenate([end.ravel() for _, end in ways])
    kept = random.random(len(one)) > 0.08
    one, other = one[kept], other[kept]
    both = random.random(len(one)) > 0.1
    source, target = np.concatenate([one, other[both]]), np.concatenate([other, one[both]])
    used = _strong_core(source, target, len(places))
    source, target = source[used], target[used]
    row, column = np.divmod(np.stack([source, target]), side)
    main = ((row % 8 == 0).all(axis=0)) | ((column % 8 == 0).all(axis=0))
    lengths = np.hypot(*(places[source] - places[target]).T)
    hidden = lengths * np.where(main, 0.7, 1.2) * np.exp(random.normal(0, 0.25, len(source)))
    return City(places, source, target, main, hidden)


@dataclass(frozen=True)
class Traffic:
    """How many trips there are, how much drivers differ, and how many places they go to."""

    trips: int
    noise: float
    goals: int | None


def drive(city: City, traffic: Traffic, random: np.random.Generator) -> Iterator[list[int]]:
    """Trips as lists of links; each driver has costs of its own."""
    junctions = np.unique(city.source)
    wanted = len(junctions) if traffic.goals is None else min(traffic.goals, len(junctions))
    goals = random.choice(junctions, wanted, False)
    trips, noise = traffic.trips, traffic.noise
    size = len(city.places)
    link = {(int(a), int(b)): n for n, (a, b) in enumerate(zip(city.source, city.target))}  # noqa: B905
    for first in range(0, trips, TRIPS_A_DRIVER):
        felt = city.hidden * np.exp(random.normal(0, noise, len(city.hidden)))
        graph = csr_array((felt, (city.source, city.target)), shape=(size, size))
        pairs = [_pair(junctions, goals, random) for _ in range(first, trips)[:TRIPS_A_DRIVER]]
        _, before = dijkstra(graph, indices=[a for a, _ in pairs], return_predecessors=True)
        for line, (start, end) in zip(before, pairs, strict=True):
            route = [int(end)]
            while route[-1] != start:
                route.append(int(line[route[-1]]))
            route.reverse()
            yield [link[pair] for pair in pairwise(route)]


def write_city(folder: Path, links: int, traffic: Traffic, seed: int) -> None:
    """Write both tables."""
    random = np.random.default_rng([seed, links, traffic.trips])
    city = build_city(links, random)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "links.csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["link", "from", "to", "metres", "main", "x_from", "y_from", "x_to", "y_to"])
        ends = zip(city.source, city.target, city.metres, city.main, strict=True)
        for number, (source, target, metres, main) in enumerate(ends):
            where = np.rint(np.concatenate([city.places[source], city.places[target]]))
            row = [f"l{number}", f"j{source}", f"j{target}", max(1, metres), int(main)]
            table.writerow([*row, *where.astype(int)])
    with (folder / "trips.csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["trip", "links"])
        for number, trip in enumerate(drive(city, traffic, random)):
            table.writerow([f"trip-{number}", " ".join(f"l{link}" for link in trip)])


def _pair(starts: Ints, goals: Ints, random: np.random.Generator) -> tuple[int, int]:
    """Two different junctions; the second one is a goal."""
    end = int(random.choice(goals))
    start = int(random.choice(starts[starts != end]))
    return start, end


def _strong_core(source: Ints, target: Ints, size: int) -> npt.NDArray[np.bool_]:
    graph = csr_array((np.ones(len(source)), (source, target)), shape=(size, size))
    _, label = connected_components(graph, connection="strong")
    largest = np.bincount(label).argmax()
    inside: npt.NDArray[np.bool_] = (label[source] == largest) & (label[target] == largest)
    return inside


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    for name, default in (("--links", 10_000), ("--trips", 10_000), ("--seed", 0)):
        parser.add_argument(name, type=int, default=default)
    parser.add_argument("--noise", type=float, default=0.1)
    parser.add_argument("--goals", type=int, help="only so many places are gone to")
    asked = parser.parse_args()
    traffic = Traffic(asked.trips, asked.noise, asked.goals)
    write_city(asked.folder, asked.links, traffic, asked.seed)

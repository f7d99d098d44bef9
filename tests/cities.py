"""Small grids of streets with hidden costs, and trips on them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from plancost.case.model import Case
from plancost.case.streets import street_case

Link = dict[str, object]


def grid(side: int) -> list[Link]:
    """Links both ways between neighbours, with coordinates and a made-up length."""
    random = np.random.default_rng(side)
    links: list[Link] = []
    for x in range(side):
        for y in range(side):
            for dx, dy in ((1, 0), (0, 1), (-1, 0), (0, -1)):
                if 0 <= x + dx < side and 0 <= y + dy < side:
                    links.append(
                        {
                            "link": f"l{len(links)}",
                            "from": f"{x},{y}",
                            "to": f"{x + dx},{y + dy}",
                            "metres": int(random.integers(80, 160)),
                            "kind": "main" if x == 1 or y == 1 else "side",
                            "x_from": x,
                            "y_from": y,
                            "x_to": x + dx,
                            "y_to": y + dy,
                        }
                    )
    return links


def case_of(links: Sequence[Link], trips: Sequence[Sequence[int]]) -> Case:
    """Trips as numbers of links."""
    rows = [{name: str(value) for name, value in link.items()} for link in links]
    return street_case(rows, [{"links": [f"l{n}" for n in trip]} for trip in trips])


def ends(links: Sequence[Link]) -> tuple[np.ndarray, np.ndarray, int]:
    """Where links begin and end, and how many places there are."""
    places = {name: n for n, name in enumerate(dict.fromkeys(str(link["from"]) for link in links))}
    start = np.array([places[str(link["from"])] for link in links])
    end = np.array([places[str(link["to"])] for link in links])
    return start, end, len(places)


def cheapest_trips(links: Sequence[Link], costs: np.ndarray, pairs: np.ndarray) -> list[list[int]]:
    """The cheapest trip between each pair of places."""
    start, end, size = ends(links)
    number = {(int(a), int(b)): n for n, (a, b) in enumerate(zip(start, end, strict=True))}
    graph = csr_array((costs, (start, end)), shape=(size, size))
    _, before = dijkstra(graph, return_predecessors=True)
    trips = []
    for one, other in pairs:
        way = [int(other)]
        while way[-1] != one:
            way.append(int(before[one, way[-1]]))
        way.reverse()
        trips.append([number[a, b] for a, b in pairwise(way)])
    return trips


def drawn_trips(
    links: Sequence[Link], costs: np.ndarray, pairs: np.ndarray, random: np.random.Generator
) -> list[list[int]]:
    """Trips as likely as the model says: by a dense factorisation, move by move."""
    start, end, size = ends(links)
    weights = np.zeros((size, size))
    np.add.at(weights, (start, end), np.exp(-costs))
    trips = []
    for one, other in pairs:
        z = np.linalg.solve(np.eye(size) - weights, np.eye(size)[other])
        at, trip = int(one), []
        while True:
            moves = np.flatnonzero(start == at)
            chances = np.exp(-costs[moves]) * z[end[moves]] / z[at]
            taken = random.choice(len(moves) + 1, p=[*chances, max(0.0, 1 - chances.sum())])
            if taken == len(moves):
                break
            trip.append(int(moves[taken]))
            at = int(end[moves[taken]])
        trips.append(trip)
    return trips


def pairs_of(count: int, side: int, random: np.random.Generator) -> np.ndarray:
    """Different places to go from and to."""
    found = random.integers(0, side * side, (4 * count, 2))
    differ = found[:, 0] != found[:, 1]
    return np.asarray(found[differ][:count])

"""Where the places and links of a network are drawn.

Coordinates are those of the network: of its places, or the ends of the shapes of links. A place
without coordinates stands in the middle of its neighbours. Without any coordinates, places are
laid out so that they are as far apart as links are long. All is then scaled to whole numbers,
with x to the right and y downwards, which are short to write and exact enough for a screen.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from plancost.pictures.large_layout import lay_out_large
from plancost.routes.network import Link, Network, Point

EXTENT = 60_000
"""Coordinates go from 0 to this at most."""
_LENGTHS = ("metres", "meters", "length", "distance", "km", "kilometres", "miles", "feet", "m")
_TIMES = ("minutes", "seconds", "time", "travel_time", "duration", "hours")
_DEGREES = 5.0
"""Coordinates that could be degrees and span no more than this are taken for degrees."""
_ROUNDS = 200
_FLATTENED = 0.75
"""Lengths are taken to this power, so that a dense centre is not crowded."""

Cell = tuple[int, int]


@dataclass(frozen=True)
class Positions:
    """Whole numbers for each place, the inner points of curved links, and where they come from."""

    places: tuple[Cell, ...]
    bends: Mapping[int, tuple[Cell, ...]]
    """For each link that is not straight, by its number, the points between its ends."""
    words: str
    """Where the positions come from; empty if they are all given."""


def find_positions(network: Network) -> Positions:
    """The positions of all places and links."""
    known = _known(network)
    words = ""
    if not known:
        known, words = _laid_out(network)
    elif len(known) < len(network.place_names):
        missing = len(network.place_names) - len(known)
        known = _completed(network, known)
        which = "1 place has" if missing == 1 else f"{missing} places have"
        words = f"{which} no coordinates and {'is' if missing == 1 else 'are'} drawn between others"
    shapes = {
        number: link.shape for number, link in enumerate(network.links) if len(link.shape) > 2
    }
    scale = _scale([*known.values(), *(point for shape in shapes.values() for point in shape)])
    places = tuple(scale(known[place]) for place in network.place_names)
    number_of = {place: number for number, place in enumerate(network.place_names)}
    bends = {}
    for number, shape in shapes.items():
        link = network.links[number]
        ends = places[number_of[link.start]], places[number_of[link.end]]
        inner = _without_repeats([scale(point) for point in shape[1:-1]], *ends)
        if inner:
            bends[number] = tuple(inner)
    return Positions(places, bends, words)


def length_column(network: Network) -> str | None:
    """The column that says how long links are, if one does."""
    return _named(network, _LENGTHS)


def _named(network: Network, names: Sequence[str]) -> str | None:
    lower = {column.lower(): column for column in network.columns}
    return next((lower[name] for name in names if name in lower), None)


def _known(network: Network) -> dict[str, Point]:
    found: dict[str, Point] = {}
    for link in network.links:
        if link.shape:
            found.setdefault(link.start, link.shape[0])
            found.setdefault(link.end, link.shape[-1])
    found |= {
        place: network.places[place] for place in network.place_names if place in network.places
    }
    return {place: point for place, point in found.items() if all(map(math.isfinite, point))}


def _laid_out(network: Network) -> tuple[dict[str, Point], str]:
    names = network.place_names
    number = {name: n for n, name in enumerate(names)}
    column = _named(network, _LENGTHS) or _named(network, _TIMES)
    lengths = [_length(link, column) for link in network.links]
    typical = sorted(lengths)[len(lengths) // 2] if lengths else 1.0
    least = (typical or max(lengths, default=1.0) or 1.0) * 0.05
    edges = [(number[link.start], number[link.end]) for link in network.links]
    flattened = [max(length, least) ** _FLATTENED for length in lengths]
    places = lay_out_large(len(names), edges, flattened)
    by_what = "links alike" if column is None else f"the {column} of links"
    return dict(zip(names, places, strict=True)), (
        f"the network has no coordinates: places are laid out by {by_what}, so the map shows what "
        "is next to what and not where it is"
    )


def _length(link: Link, column: str | None) -> float:
    return 1.0 if column is None else float(link.numbers[column])


def _completed(network: Network, known: Mapping[str, Point]) -> dict[str, Point]:
    """Places without coordinates in the middle of their neighbours, again and again."""
    neighbours: dict[str, list[str]] = {}
    for link in network.links:
        for one, two in ((link.start, link.end), (link.end, link.start)):
            if one not in known:
                neighbours.setdefault(one, []).append(two)
    count = len(known)
    middle = tuple(sum(point[axis] for point in known.values()) / count for axis in (0, 1))
    found: dict[str, Point] = dict(known)
    for _ in range(_ROUNDS):
        for place, others in neighbours.items():
            points = [found[other] for other in others if other in found and other != place]
            if points:
                found[place] = (
                    sum(point[0] for point in points) / len(points),
                    sum(point[1] for point in points) / len(points),
                )
    return {place: found.get(place, (middle[0], middle[1])) for place in network.place_names}


@dataclass(frozen=True)
class _Scale:
    """From coordinates to whole numbers."""

    left: float
    top: float
    across: float
    down: float

    def __call__(self, point: Point) -> Cell:
        return (
            round((point[0] - self.left) * self.across),
            round((self.top - point[1]) * self.down),
        )


def _scale(points: Sequence[Point]) -> _Scale:
    if not points:
        return _Scale(0, 0, 1, 1)
    xs, ys = [x for x, _ in points], [y for _, y in points]
    left, right, bottom, top = min(xs), max(xs), min(ys), max(ys)
    shrunk = 1.0
    degrees = max(abs(left), abs(right)) <= 180 and max(abs(bottom), abs(top)) <= 90
    if degrees and max(right - left, top - bottom) <= _DEGREES:
        shrunk = math.cos(math.radians((top + bottom) / 2))
    extent = max((right - left) * shrunk, top - bottom) or 1.0
    return _Scale(left, top, EXTENT / extent * shrunk, EXTENT / extent)


def _without_repeats(cells: Sequence[Cell], first: Cell, last: Cell) -> list[Cell]:
    found: list[Cell] = []
    for cell in cells:
        if cell != (found[-1] if found else first):
            found.append(cell)
    while found and found[-1] == last:
        found.pop()
    return found

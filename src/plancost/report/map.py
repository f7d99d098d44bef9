"""Where places and ways are drawn, as whole numbers for the script.

Coordinates are those of streets, or numbers in names, or a layout. They are scaled to whole
numbers, x to the right and y downwards, which are short to write and exact enough for a screen.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from plancost.case.links import LENGTHS, column_of, numbers_of
from plancost.case.model import Case
from plancost.report.layout import Floats, from_names, lay_out
from plancost.report.terrain import Terrain

_EXTENT = 30_000
"""Coordinates go from 0 to this at most."""
_LANE, _ARROW = 0.045, 0.035
"""How far the two directions of a street are from its middle, and the size of arrows, as parts of
the typical length of ways, which is no more than if they covered the map as a grid."""
_DEGREES = 5.0
"""Coordinates that could be degrees and span no more than this are taken for degrees."""
_TIMES = ("minutes", "seconds", "time", "travel_time", "duration", "hours")
_FLATTENED = 0.6
_LONGEST = 8
"""In layouts lengths are at most so many typical ones and taken to this power, so that a dense
centre is not crowded."""
_MOST_LAID_OUT = 20_000
_ROUNDS = 100

Shapes = Sequence[Sequence[tuple[float, float]]]


def map_data(case: Case, terrain: Terrain) -> dict[str, Any] | None:
    """All that the script needs to draw it; None if there are too many places to lay out."""
    shapes: Shapes = () if case.streets is None else case.streets.shapes
    found = _positions(case, terrain, shapes)
    if found is None:
        return None
    positions, note = found
    points = [positions, *(np.array(shape) for shape in shapes if len(shape) > 2)]
    low, high = np.concatenate(points).min(axis=0), np.concatenate(points).max(axis=0)
    width = _width(low, high)
    extent = max(float((high - low)[0]) * width, float((high - low)[1])) or 1.0

    def scaled(where: Floats) -> Floats:
        return np.asarray((where - [low[0], high[1]]) * [width, -1.0] * (_EXTENT / extent))

    places = scaled(positions)
    middle = [list(shape[1:-1]) for shape in shapes] or [[]] * len(terrain.ways)
    lines = [
        np.vstack([places[start], *scaled(np.array(bends).reshape(-1, 2)), places[end]])
        for (start, end), bends in zip(terrain.ways, middle, strict=True)
    ]
    lengths = [float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum()) for line in lines]
    typical = min(float(np.median(lengths)) or _EXTENT, 2 * _EXTENT / len(lines) ** 0.5)
    pairs = set(terrain.ways)
    lanes = [_LANE * typical * ((end, start) in pairs) for start, end in terrain.ways]
    beside = [_beside(line, lane) for line, lane in zip(lines, lanes, strict=True)]
    whole = np.concatenate(beside)
    corner = whole.min(axis=0)
    way: dict[int, int] = {}
    for number, actions in enumerate(terrain.actions):
        for action in actions:
            way.setdefault(action, number)
    return {
        "places": list(terrain.places),
        "x": _whole(places[:, 0]),
        "y": _whole(places[:, 1]),
        "view": _whole(np.concatenate([corner, np.maximum(whole.max(axis=0) - corner, 1.0)])),
        "typical": round(typical),
        "from": [start for start, _ in terrain.ways],
        "to": [end for _, end in terrain.ways],
        "points": [_whole(line.ravel()) for line in beside],
        "arrows": [_arrow(line, _ARROW * typical) for line in beside],
        "actions": [list(actions) for actions in terrain.actions],
        "way": [way.get(action, -1) for action in range(len(case.actions))],
        "notes": [text for text in (note, terrain.note) if text],
    }


def _whole(numbers: Floats) -> list[int]:
    return [round(number) for number in numbers.tolist()]


def _beside(line: Floats, distance: float) -> Floats:
    """The line moved to the right of its way, so that two directions lie side by side."""
    if not distance:
        return line
    along = np.gradient(line, axis=0)
    size = np.maximum(np.linalg.norm(along, axis=1), 1e-9)[:, None]
    return np.asarray(line + distance * np.column_stack([-along[:, 1], along[:, 0]]) / size)


def _arrow(line: Floats, size: float) -> str:
    """A small triangle that says which way a line leads; nothing if it has no length."""
    one, two = line[-2:]
    length = float(np.linalg.norm(two - one))
    if length < size:
        return ""
    along = (two - one) / length * size
    across = 0.6 * np.array([-along[1], along[0]])
    tip = 0.4 * one + 0.6 * two
    corners = np.concatenate([tip + along, tip - along + across, tip - along - across])
    return f"M{','.join(map(str, _whole(corners)))}z"


def _positions(case: Case, terrain: Terrain, shapes: Shapes) -> tuple[Floats, str] | None:
    """Where places are, and what there is to say about that."""
    known: dict[int, tuple[float, float]] = {}
    for (start, end), shape in zip(terrain.ways, shapes, strict=False):
        if shape:
            known.setdefault(start, shape[0])
            known.setdefault(end, shape[-1])
    if known:
        return _completed(terrain, known)
    named = None if terrain.routes else from_names(terrain.places, terrain.ways)
    if named is not None:
        return named, ""
    if len(terrain.places) > _MOST_LAID_OUT:
        return None
    lengths, words = None, ""
    column = case.streets and column_of(case.streets, (*LENGTHS, *_TIMES))
    if case.streets is not None and column and (given := numbers_of(case.streets, column)):
        most = _LONGEST * float(np.median(given))
        lengths, words = [min(length, most) ** _FLATTENED for length in given], f" by {column}"
    note = f"There are no coordinates: places are laid out{words}, so that neighbours are near."
    return lay_out(len(terrain.places), terrain.ways, lengths), note


def _completed(terrain: Terrain, known: Mapping[int, tuple[float, float]]) -> tuple[Floats, str]:
    """Places without coordinates in the middle of their neighbours, again and again."""
    count = len(terrain.places)
    places = np.array(list(known))
    where = np.full((count, 2), np.array(list(known.values())).mean(axis=0))
    where[places] = list(known.values())
    missing = count - len(known)
    if not missing:
        return where, ""
    ends = np.concatenate([np.array(terrain.ways), np.array(terrain.ways)[:, ::-1]])
    degree = np.maximum(1, np.bincount(ends[:, 0], minlength=count))
    for _ in range(_ROUNDS):
        sums = [np.bincount(ends[:, 0], where[ends[:, 1], axis], count) for axis in (0, 1)]
        middle = np.array(sums).T / degree[:, None]
        middle[places] = where[places]
        where = middle
    return where, f"Places without coordinates ({missing}) are drawn between their neighbours."


def _width(low: Floats, high: Floats) -> float:
    """How long a unit of x is in units of y: less than 1 if they are degrees of one region."""
    are_degrees = max(map(abs, (low[0], high[0]))) <= 180 and max(map(abs, (low[1], high[1]))) <= 90
    if not are_degrees or max(high - low) > _DEGREES:
        return 1.0
    return math.cos(math.radians(float(low[1] + high[1]) / 2))

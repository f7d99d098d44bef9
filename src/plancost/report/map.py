"""Where places and ways are drawn, as whole numbers for the script.

Coordinates are those of streets, or numbers in names, or a layout. They are scaled to whole
numbers, x to the right and y downwards, which are short to write and exact enough for a screen.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from plancost.case.model import Case, StreetTable
from plancost.case.values import decimal
from plancost.report.layout import Floats, from_names, lay_out
from plancost.report.terrain import Terrain

_EXTENT = 30_000
"""Coordinates go from 0 to this at most."""
_DEGREES = 5.0
"""Coordinates that could be degrees and span no more than this are taken for degrees."""
_LENGTHS = ("metres", "meters", "length", "distance", "km", "miles", "feet")
_TIMES = ("minutes", "seconds", "time", "travel_time", "duration", "hours")
_FLATTENED = 0.75
"""Lengths are taken to this power in layouts, so that a dense centre is not crowded."""
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

    def scaled(where: Floats) -> list[list[int]]:
        shifted = (where - [low[0], high[1]]) * np.array([width, -1.0]) * (_EXTENT / extent)
        return np.rint(shifted).astype(int).tolist()

    places = scaled(positions)
    way: dict[int, int] = {}
    for number, actions in enumerate(terrain.actions):
        for action in actions:
            way.setdefault(action, number)
    return {
        "places": list(terrain.places),
        "x": [x for x, _ in places],
        "y": [y for _, y in places],
        "from": [start for start, _ in terrain.ways],
        "to": [end for _, end in terrain.ways],
        "bends": {
            number: scaled(np.array(shape[1:-1]))
            for number, shape in enumerate(shapes)
            if len(shape) > 2
        },
        "actions": [list(actions) for actions in terrain.actions],
        "way": [way.get(action, -1) for action in range(len(case.actions))],
        "notes": [text for text in (note, terrain.note) if text],
    }


def column_of_lengths(table: StreetTable) -> str | None:
    """The column that says how long links are, if one does."""
    return _named(table, _LENGTHS)


def numbers_of(table: StreetTable, column: str) -> list[float] | None:
    """The numbers of a column, all above 0; None if it has others."""
    place = table.columns.index(column)
    found = [decimal(row[place]) for row in table.rows]
    known = [float(value) for value in found if value is not None and value > 0]
    return known if len(known) == len(found) else None


def _named(table: StreetTable, names: Sequence[str]) -> str | None:
    lower = {column.lower(): column for column in table.columns}
    return next((lower[name] for name in names if name in lower), None)


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
    column = case.streets and (_named(case.streets, _LENGTHS) or _named(case.streets, _TIMES))
    if case.streets is not None and column and (given := numbers_of(case.streets, column)):
        lengths, words = [length**_FLATTENED for length in given], f" by {column}"
    note = f"There are no coordinates: places are laid out{words}, so that neighbours are near."
    return lay_out(len(terrain.places), terrain.ways, lengths), note


def _completed(
    terrain: Terrain, known: Mapping[int, tuple[float, float]]
) -> tuple[Floats, str]:
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
    return where, f"{missing} places without coordinates are drawn between their neighbours."


def _width(low: Floats, high: Floats) -> float:
    """How long a unit of x is in units of y: less than 1 if they are degrees of one region."""
    are_degrees = max(map(abs, (low[0], high[0]))) <= 180 and max(map(abs, (low[1], high[1]))) <= 90
    if not are_degrees or max(high - low) > _DEGREES:
        return 1.0
    return math.cos(math.radians(float(low[1] + high[1]) / 2))

"""Where places are: from a file, from numeric values in the problem, or from their names."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from plancost.errors import InputError
from plancost.files.input_files import CsvRow, csv_rows, read_text
from plancost.observations.pddl import Problem

Position = tuple[float, float]

_NUMBER = re.compile(r"\d+")
_PAIRS = (
    ("longitude", "latitude"),
    ("lon", "lat"),
    ("east", "north"),
    ("x", "y"),
)
"""Names, or parts of names, of two functions with the coordinates of places."""
_NEAR = 2
"""Names are read as coordinates if half of the edges are no longer than this."""


def read_coordinates(path: Path) -> dict[str, Position]:
    """Read a CSV file with the columns ``place,x,y``."""
    columns, rows = csv_rows(read_text(path, "these coordinates"), path)
    if not {"place", "x", "y"} <= set(columns):
        raise InputError("expected the columns place,x,y in the first line", path, 1)
    found: dict[str, Position] = {}
    for line, row in rows:
        place = str(row["place"]).strip().lower()
        position = _position(row, path, line)
        if found.setdefault(place, position) != position:
            raise InputError(f"'{place}' has two positions; give it one", path, line)
    return found


def _position(row: CsvRow, path: Path, line: int) -> Position:
    try:
        x, y = float(row["x"] or ""), float(row["y"] or "")
    except ValueError:
        x = y = math.nan
    if not (math.isfinite(x) and math.isfinite(y)):
        raise InputError(f"'{row['place']}' needs two numbers x and y", path, line)
    return x, y


def from_file(places: Sequence[str], path: Path) -> list[Position]:
    """The coordinates of all places from a file."""
    given = read_coordinates(path)
    missing = [place for place in places if place.lower() not in given]
    if missing:
        more = f" and {len(missing) - 1} more places" if len(missing) > 1 else ""
        raise InputError(f"there are no coordinates of {missing[0]}{more} in it", path)
    return [given[place.lower()] for place in places]


def from_values(places: Sequence[str], problems: Iterable[Problem]) -> list[Position] | None:
    """Coordinates such as ``(= (x n1) 3) (= (y n1) 4)``, if every place has both."""
    values: dict[str, dict[str, float]] = {}
    for problem in problems:
        for term, value in problem.init_values.items():
            if len(term) == 2:
                values.setdefault(term[0], {})[term[1]] = float(value)
    for first, second in _PAIRS:
        for name, across in values.items():
            up = values.get(_replaced(name, first, second), {})
            if name != _replaced(name, first, second) and all(
                place in across and place in up for place in places
            ):
                return [(across[place], up[place]) for place in places]
    return None


def _replaced(name: str, first: str, second: str) -> str:
    """The name of the other function: ``pos-x`` gives ``pos-y``."""
    head, found, tail = name.rpartition(first)
    return f"{head}{second}{tail}" if found else name


def from_names(places: Sequence[str], ways: Iterable[tuple[int, int]]) -> list[Position] | None:
    """Coordinates in names such as ``c2-3``, ``loc-x2-y3`` or ``p_1_4``.

    All names must be the same except for their numbers, two of which vary. Most edges must lead
    to places nearby; otherwise the numbers mean something else.
    """
    if len({_NUMBER.sub("#", place) for place in places}) != 1 or len(places) < 2:
        return None
    numbers = [[int(word) for word in _NUMBER.findall(place)] for place in places]
    varying = [
        position
        for position in range(len(numbers[0]))
        if len({found[position] for found in numbers}) > 1
    ]
    if len(varying) != 2:
        return None
    across, up, upwards = _directions(places[0], *varying)
    found = [(float(item[across]), float(upwards * item[up])) for item in numbers]
    if len(set(found)) < len(found):
        return None
    far = sorted(
        max(abs(found[a][0] - found[b][0]), abs(found[a][1] - found[b][1])) for a, b in ways
    )
    return found if far and far[len(far) // 2] <= _NEAR else None


def _directions(name: str, first: int, second: int) -> tuple[int, int, int]:
    """Which number is x, which is y, and whether y grows upwards (1) or downwards (-1).

    ``y`` before ``x`` and rows before columns are recognised; rows count downwards.
    """
    before = _NUMBER.split(name)
    one, other = (re.sub(r"[^a-z]", "", before[n].lower()) for n in (first, second))
    if one.endswith("y") and other.endswith("x"):
        return second, first, 1
    if one.endswith(("row", "r")) and other.endswith(("col", "column", "c")):
        return second, first, -1
    if one.endswith(("col", "column", "c")) and other.endswith(("row", "r")):
        return first, second, -1
    return first, second, 1

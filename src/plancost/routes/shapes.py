"""Where streets run: coordinates of their ends, and lines as well-known text (WKT)."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from plancost.routes.network import Point
from plancost.routes.numbers import coordinate

_LINE = re.compile(r"\s*linestring\s*(?:z|m|zm)?\s*\((?P<points>[^()]*)\)\s*", re.IGNORECASE)
ENDS = ("x_from", "y_from", "x_to", "y_to")
GEOMETRY = "geometry"


def line_in(text: str) -> tuple[Point, ...] | None:
    """The points of ``LINESTRING (x y, x y, ...)``; None: it is no such line."""
    match = _LINE.fullmatch(text)
    if match is None:
        return None
    found = []
    for words in match["points"].split(","):
        numbers = [coordinate(word) for word in words.split()]
        if len(numbers) < 2 or numbers[0] is None or numbers[1] is None:
            return None
        found.append((numbers[0], numbers[1]))
    return tuple(found) if len(found) > 1 else None


def line_text(points: tuple[Point, ...]) -> str:
    """The same as text."""
    return f"LINESTRING ({', '.join(f'{x!r} {y!r}' for x, y in points)})"


def ends_in(fields: Mapping[str, str]) -> tuple[Point, Point] | None:
    """The points of both ends from `ENDS`; None: there are none, or they are no numbers."""
    numbers = [coordinate(fields.get(name, "")) for name in ENDS]
    if any(number is None or not math.isfinite(number) for number in numbers):
        return None
    x_from, y_from, x_to, y_to = (number or 0.0 for number in numbers)
    return (x_from, y_from), (x_to, y_to)

"""A street network as its table says it: links between places, and where they run.

Whatever links come from (CSV, mappings, graphs) is a table of texts first. Links and places have
numbers, in the order in which the table names them, so that names never need to be parsed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from plancost.case.tables import Row, read_table
from plancost.case.values import shown
from plancost.errors import InputError

Point = tuple[float, float]
Table = Path | str | Iterable[Mapping[str, Any]]
"""A CSV file, or its rows as mappings."""

_LINE = re.compile(r"\s*linestring\s*(?:z|m|zm)?\s*\((?P<points>[^()]*)\)\s*", re.IGNORECASE)
_ENDS = ("x_from", "y_from", "x_to", "y_to")


@dataclass(frozen=True, eq=False)
class Links:
    """The links of a network by number, and what is written of them."""

    source: str
    """What messages call the table."""
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    names: tuple[str, ...]
    places: tuple[str, ...]
    starts: tuple[int, ...]
    """Of each link the number of its place."""
    ends: tuple[int, ...]
    shapes: tuple[tuple[Point, ...], ...]
    """As in `StreetTable`."""
    nodes: Mapping[Hashable, str]
    """If they come from a graph: what its nodes are called here."""
    edges: Mapping[Hashable, int]
    """If they come from a graph: the links that its edges are, ``(u, v)`` and ``(u, v, key)``."""

    @cached_property
    def number(self) -> Mapping[str, int]:
        """The numbers of links by name."""
        return {name: number for number, name in enumerate(self.names)}

    @cached_property
    def place_number(self) -> Mapping[str, int]:
        """The numbers of places by name."""
        return {name: number for number, name in enumerate(self.places)}

    @cached_property
    def between(self) -> Mapping[tuple[int, int], Sequence[int]]:
        """The links from one place to another."""
        found: dict[tuple[int, int], list[int]] = {}
        for link, way in enumerate(zip(self.starts, self.ends, strict=True)):
            found.setdefault(way, []).append(link)
        return found

    @cached_property
    def separator(self) -> str | None:
        """What stands between links in a text: see `_separator`."""
        return _separator(self.names)

    @cached_property
    def place_separator(self) -> str | None:
        """The same between places."""
        return _separator(self.places)


def links_of(
    rows: Sequence[Row],
    source: str,
    points: Mapping[str, Point],
    *,
    nodes: Mapping[Hashable, str] | None = None,
    edges: Mapping[Hashable, int] | None = None,
) -> Links:
    """The network that rows with the columns link, from, to describe."""
    places: dict[str, int] = {}
    lines: dict[str, int] = {}
    for row in rows:
        first = lines.setdefault(row["link"], row.line)
        if first != row.line:
            message = f"the link {shown(row['link'])} is listed in line {first} already"
            raise InputError(message, source, row.line)
        for column in ("from", "to"):
            places.setdefault(row[column], len(places))
    shapes = tuple(_shape(row, points, source) for row in rows)
    return Links(
        source,
        tuple(rows[0]),
        tuple(tuple(row.values()) for row in rows),
        tuple(lines),
        tuple(places),
        tuple(places[row["from"]] for row in rows),
        tuple(places[row["to"]] for row in rows),
        shapes if any(shapes) else (),
        nodes or {},
        edges or {},
    )


def read_rows(table: Table, what: str, required: Sequence[str]) -> tuple[str, list[Row]]:
    """The rows of a table and what messages call it: its file, or `what` it has."""
    if isinstance(table, Path | str):
        return str(table), read_table(Path(table), required)
    given = list(table) if isinstance(table, Iterable) else [table]
    if not given or not all(isinstance(values, Mapping) for values in given):
        raise InputError(f"{what} must be a file or mappings, not {shown(table)}")
    columns = list(dict.fromkeys(name for values in given for name in values))
    rows = []
    for line, values in enumerate(given, start=1):
        missing = next((name for name in required if not text_of(values.get(name))), None)
        if missing is not None:
            raise InputError(f"this row has no {missing}", what, line)
        rows.append(Row(line, list(map(str, columns)), [text_of(values.get(n)) for n in columns]))
    return what, rows


def read_nodes(table: Table) -> dict[str, Point]:
    """Where places are, by a table with the columns node, x, y."""
    source, rows = read_rows(table, "nodes", ("node", "x", "y"))
    found: dict[str, Point] = {}
    for row in rows:
        point = _point(row["x"], row["y"])
        if point is None or row["node"] in found:
            why = "x and y must be numbers" if point is None else "it is listed twice"
            raise InputError(f"the node {shown(row['node'])}: {why}", source, row.line)
        found[row["node"]] = point
    return found


def text_of(value: object) -> str:
    """A value as text; nothing for None and NaN, which stand for a missing value."""
    is_missing = value is None or (isinstance(value, float) and math.isnan(value))
    return "" if is_missing else str(value).strip()


def coordinate(text: str) -> float | None:
    """A finite number; None: it is none."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def distinct(names: Sequence[str], taken: Collection[str] = ()) -> list[str]:
    """The same names, with a number where one has come before or is taken."""
    plain, used = {*names, *taken}, set(taken)
    found = []
    for name in names:
        unique, number = name or "#1", 2
        while unique in used or (unique != name and unique in plain):
            unique, number = f"{name}#{number}", number + 1
        used.add(unique)
        found.append(unique)
    return found


def _separator(names: Sequence[str]) -> str | None:
    """A semicolon where names have blanks, a blank where they have semicolons; None: both do."""
    if any(len(name.split()) > 1 for name in names):
        return ";"
    return " " if any(";" in name for name in names) else None


def _shape(row: Row, points: Mapping[str, Point], source: str) -> tuple[Point, ...]:
    """Where a link runs: its geometry, or else straight between its ends; () if unknown."""
    found: tuple[Point | None, ...] = (points.get(row["from"]), points.get(row["to"]))
    ends = [row.get(name, "") for name in _ENDS]
    if row.get("geometry"):
        match = _LINE.fullmatch(row["geometry"])
        pairs = [part.split()[:2] for part in match["points"].split(",")] if match else []
        found = tuple(_point(*pair) if len(pair) == 2 else None for pair in pairs)
        expected = "the geometry must be LINESTRING (x y, x y, ...)"
    elif any(ends):
        found = _point(*ends[:2]), _point(*ends[2:])
        expected = f"{','.join(_ENDS)} must be four numbers"
    elif None in found:
        return ()
    known = tuple(point for point in found if point is not None)
    if len(known) < max(2, len(found)):
        raise InputError(f"the link {shown(row['link'])}: {expected}", source, row.line)
    return known


def _point(x_text: str, y_text: str) -> Point | None:
    x, y = coordinate(x_text), coordinate(y_text)
    return None if x is None or y is None else (x, y)

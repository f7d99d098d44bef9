"""A street network as its table says it: links between places, and where they run.

Whatever links come from (CSV, mappings, graphs) is a table of texts first. Links and places have
numbers, in the order in which the table names them, so that names never need to be parsed.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from plancost.case.model import StreetTable
from plancost.case.tables import AnyTable, Table, read_table
from plancost.case.values import at, shown
from plancost.errors import InputError

Point = tuple[float, float]
_ENDS = ("x_from", "y_from", "x_to", "y_to")


@dataclass(frozen=True, eq=False)
class Links:
    """The links of a network by number, and what is written of them."""

    source: str
    """What messages call the table."""
    table: StreetTable
    number: Mapping[str, int]
    """The numbers of links by name."""
    places: Mapping[str, int]
    """The numbers of places by name."""
    starts: tuple[int, ...]
    """Of each link the number of its place."""
    ends: tuple[int, ...]
    nodes: Mapping[Hashable, str] = field(default_factory=dict)
    """If they come from a graph of networkx: what its nodes are called here."""
    edges: Mapping[Hashable, str] = field(default_factory=dict)
    """The same of its edges, ``(u, v)`` or in a multigraph ``(u, v, key)``."""

    @cached_property
    def between(self) -> Mapping[tuple[int, int], Sequence[int]]:
        """The links from one place to another."""
        found: dict[tuple[int, int], list[int]] = {}
        for link, ends in enumerate(zip(self.starts, self.ends, strict=True)):
            found.setdefault(ends, []).append(link)
        return found


def links_of(table: Table, points: Mapping[str, Point]) -> Links:
    """The network that a table with the columns link, from, to describes."""
    number: dict[str, int] = {}
    places: dict[str, int] = {}
    shapes = []
    for line, row in table.rows:
        with at(table.source, line, f"link {shown(row['link'])}: "):
            if row["link"] in number:
                raise InputError("another link has this name")
            shapes.append(_shape(row, points))
        number[row["link"]] = len(number)
        for column in ("from", "to"):
            places.setdefault(row[column], len(places))
    texts = tuple(tuple(row.values()) for _, row in table.rows)
    return Links(
        table.source,
        StreetTable(table.columns, texts, tuple(shapes) if any(shapes) else ()),
        number,
        places,
        tuple(places[row["from"]] for _, row in table.rows),
        tuple(places[row["to"]] for _, row in table.rows),
    )


def read_nodes(nodes: AnyTable) -> dict[str, Point]:
    """Where places are, by a table with the columns node, x, y."""
    table = read_table(nodes, "nodes", ("node", "x", "y"))
    found: dict[str, Point] = {}
    for line, row in table.rows:
        try:
            found[row["node"]] = finite(row["x"]), finite(row["y"])
        except ValueError as error:
            message = f"the node {shown(row['node'])}: x and y must be numbers"
            raise InputError(message, table.source, line) from error
    return found


def finite(text: str) -> float:
    """A finite number; ValueError if it is none."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def distinct(names: Iterable[str], taken: Collection[str] = ()) -> list[str]:
    """The same names, with a number where one has come before or is taken."""
    names = list(names)
    plain, used = {*names, *taken}, set(taken)
    found = []
    for name in names:
        unique, number = name, 1
        while unique in used or (number > 1 and unique in plain):
            number += 1
            unique = f"{name}#{number}"
        used.add(unique)
        found.append(unique)
    return found


def _shape(row: Mapping[str, str], points: Mapping[str, Point]) -> tuple[Point, ...]:
    """Where a link runs: its geometry, or else straight between its ends; () if unknown."""
    geometry, ends = row.get("geometry"), [row.get(name, "") for name in _ENDS]
    try:
        if geometry:
            inside = geometry[geometry.index("(") + 1 : geometry.rindex(")")]
            return _line(part.split()[:2] for part in inside.split(","))
        if any(ends):
            return _line((ends[:2], ends[2:]))
    except ValueError as error:
        way = f"LINESTRING (x y, x y, ...), or numbers in {','.join(_ENDS)}"
        raise InputError(f"where it runs must be {way}") from error
    known = tuple(points[row[end]] for end in ("from", "to") if row[end] in points)
    return known if len(known) == 2 else ()


def _line(pairs: Iterable[Sequence[str]]) -> tuple[Point, ...]:
    """Points; ValueError unless there are two at least, all of finite numbers."""
    first, second, *more = ((finite(x), finite(y)) for x, y in pairs)
    return first, second, *more

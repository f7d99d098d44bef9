"""Street networks from files: CSV with the columns link,from,to, or GraphML.

All other columns are numbers of the link (minutes, metres), but for ``street`` (what people call
it), ``x_from,y_from,x_to,y_to`` (where its ends are) and ``geometry`` (a WKT line). A second table
``node,x,y`` may say where places are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from plancost.errors import InputError
from plancost.files.input_files import read_text
from plancost.routes.csv_files import Row, Table, read_table
from plancost.routes.graphml import network_in_graphml
from plancost.routes.invalid import Invalid
from plancost.routes.network import Link, Network, Point
from plancost.routes.numbers import coordinate, number_in
from plancost.routes.shapes import ENDS, GEOMETRY, ends_in, line_in
from plancost.system.values import PathLike, as_path, path_or_none

_NAMES = ("link", "from", "to")
_STREET = "street"
_GRAPHML = (".graphml", ".xml")
_MOST_SHOWN = 40


def read_network(
    path: PathLike,
    *,
    nodes: PathLike | None = None,
    needed: Sequence[str] = (),
    invalid: Invalid | None = None,
) -> Network:
    """Read a street network.

    Args:
        path: A CSV file of links, or GraphML.
        nodes: A CSV file with the coordinates of places.
        needed: The numbers that every link must have, none of them negative.
        invalid: Where to list what does not fit; None: it is an error.

    Returns:
        The links and places.

    Raises:
        InputError: A file cannot be read, or something in it does not fit.
    """
    path, nodes = as_path(path, "path"), path_or_none(nodes, "nodes")
    invalid = invalid or Invalid()
    if path.suffix.lower() in _GRAPHML:
        found = network_in_graphml(read_text(path, "this network"), path)
        network = _with_numbers(found, path, needed, invalid)
    else:
        network = _read_csv(path, needed, invalid)
    invalid.require(network.links, "links", path, 0)
    if nodes is None:
        return network
    places = {**network.places, **_read_nodes(nodes, invalid)}
    return Network(network.links, places, network.source)


@dataclass
class _Reading:
    """What the rows of a table have said so far."""

    path: Path
    needed: Sequence[str]
    numbers: Sequence[str]
    invalid: Invalid
    line_of: dict[str, int] = field(default_factory=dict)
    places: dict[str, Point] = field(default_factory=dict)

    def link(self, row: Row, line: int) -> Link | None:
        """The link of a row; None if it does not fit."""
        name, start, end = (row[column] for column in _NAMES)
        if name in self.line_of:
            self.wrong(f"the link {name} is listed in line {self.line_of[name]} already", line)
            return None
        values = {column: number_in(row.get(column, "")) for column in self.numbers}
        numbers = {column: value for column, value in values.items() if value is not None}
        complaint = _complaint(name, row, self.needed)
        shape = line_in(row[GEOMETRY]) if row.get(GEOMETRY) else ()
        ends = ends_in(row)
        if shape is None:
            complaint = f"the geometry of link {name} is not LINESTRING (x y, x y, ...)"
        elif ends is None and any(row.get(column) for column in ENDS):
            complaint = f"{','.join(ENDS)} of link {name} are not four numbers"
        if complaint is not None or shape is None:
            self.wrong(complaint or "", line)
            return None
        self.line_of[name] = line
        points = ends or ((shape[0], shape[-1]) if shape else ())
        for place, point in zip((start, end), points, strict=False):
            self.places.setdefault(place, point)
        return Link(name, start, end, numbers, shape, line, row.get(_STREET, ""))

    def wrong(self, message: str, line: int) -> None:
        self.invalid.found(message, self.path, line)


def _complaint(name: str, row: Row, needed: Iterable[str]) -> str | None:
    """What is wrong with the numbers of a link that must be there."""
    for column in needed:
        if not row.get(column):
            return f"link {name} has no {column}"
        value = number_in(row[column])
        if value is None:
            hint = (
                " (write a point, not a comma)" if number_in(row[column].replace(",", ".")) else ""
            )
            return (
                f"the {column} of link {name} must be a number, not '{_shown(row[column])}'{hint}"
            )
        if value < 0:
            return f"the {column} of link {name} must not be negative, but is {row[column]}"
    return None


def _read_csv(path: Path, needed: Sequence[str], invalid: Invalid) -> Network:
    table = read_table(path, "these links", _NAMES, invalid)
    _check_columns(table, path, needed)
    numbers = [name for name in table.columns if name not in (*_NAMES, *ENDS, GEOMETRY, _STREET)]
    reading = _Reading(path, needed, numbers, invalid)
    links = [reading.link(row, line) for line, row in table.rows]
    return Network(tuple(link for link in links if link is not None), reading.places, str(path))


def _check_columns(table: Table, path: Path, needed: Iterable[str]) -> None:
    for column in needed:
        if column not in table.columns or column in _NAMES:
            others = ", ".join(name for name in table.columns if name not in _NAMES)
            hint = f"it has {others}" if others else "it has no numbers"
            raise InputError(f"there is no column '{_shown(column)}' in this file; {hint}", path, 1)


def _with_numbers(network: Network, path: Path, needed: Sequence[str], invalid: Invalid) -> Network:
    """The links of a network that have all numbers that are needed."""
    kept = []
    for link in network.links:
        row = {column: str(float(value)) for column, value in link.numbers.items()}
        complaint = _complaint(link.name, row, needed)
        if complaint is None:
            kept.append(link)
        else:
            invalid.found(complaint, path, None)
    return Network(tuple(kept), network.places, network.source)


def _read_nodes(path: Path, invalid: Invalid) -> dict[str, Point]:
    table = read_table(path, "these places", ("node", "x", "y"), invalid)
    found: dict[str, Point] = {}
    for line, row in table.rows:
        x, y = coordinate(row["x"]), coordinate(row["y"])
        if x is None or y is None:
            invalid.found(f"x and y of node {row['node']} must be numbers", path, line)
        elif row["node"] in found:
            invalid.found(f"the node {row['node']} is listed twice", path, line)
        else:
            found[row["node"]] = (x, y)
    return found


def _shown(text: str) -> str:
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}..."

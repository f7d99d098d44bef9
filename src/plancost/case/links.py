"""Street networks: links between places, and where they run, by tables or graphs.

Whatever links come from (CSV, mappings, GraphML as OSMnx and networkx save it, graphs of networkx)
is a table of texts first. Links and places have numbers, in the order in which the table names
them, so that names never need to be parsed. Links of graphs are called ``u-v`` after their ends,
parallel ones ``u-v#2`` and so on; an edge of an undirected graph is two links.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import numpy.typing as npt

from plancost.case.model import StreetTable
from plancost.case.tables import AnyTable, Table, read_table
from plancost.errors import InputError
from plancost.files import read_text
from plancost.values import at, decimal, distinct, shown

Point = tuple[float, float]
_GRAPHML = (".graphml", ".xml")
LENGTHS = ("metres", "meters", "length", "distance", "km", "miles", "feet")
"""Columns that say how long links are."""
_LARGEST_REGION = 10.0
"""Degrees: coordinates that spread more are no degrees."""
_ENDS = ("x_from", "y_from", "x_to", "y_to")
_Data = Mapping[Any, Any]
_Edge = tuple[tuple[Any, ...], _Data]
"""Its ends and perhaps its key, and what is known of it."""


@dataclass(frozen=True, eq=False)
class Links:
    """The links of a network by number, and what is written of them."""

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
    edges: Mapping[tuple[Any, ...], str] = field(default_factory=dict)
    """The same of its edges, ``(u, v)`` or in a multigraph ``(u, v, key)``."""

    @cached_property
    def between(self) -> Mapping[tuple[int, int], Sequence[int]]:
        """The links from one place to another; of parallel ones the shortest, if that is known."""
        found: dict[tuple[int, int], list[int]] = defaultdict(list)
        for link, ends in enumerate(zip(self.starts, self.ends, strict=True)):
            found[ends].append(link)
        _, lengths = numbers_of(self.table, LENGTHS)
        if lengths:
            return {ends: [min(own, key=lengths.__getitem__)] for ends, own in found.items()}
        return found


def numbers_of(
    table: StreetTable | None, names: Sequence[str]
) -> tuple[str, list[float]] | tuple[None, None]:
    """The column that has the first of these names, and its numbers, all above 0; None if there is
    no such column, or it has others.
    """
    columns = () if table is None else table.columns
    lower = {column.lower(): column for column in columns}
    column = next((lower[name] for name in names if name in lower), None)
    if table is None or column is None:
        return None, None
    found = [decimal(text) for text in table.column(column)]
    known = [float(value) for value in found if value is not None and value > 0]
    return (column, known) if len(known) == len(found) else (None, None)


def width_of_x(points: npt.NDArray[np.float64]) -> float:
    """How long a unit of x is in units of y: less than 1 if they are degrees of one region."""
    low, high = points.min(axis=0), points.max(axis=0)
    x, y = np.maximum(np.abs(low), np.abs(high))
    are_degrees = x <= 180 and y <= 90 and (high - low).max() <= _LARGEST_REGION
    return math.cos(math.radians(float(points[:, 1].mean()))) if are_degrees else 1.0


def is_graph(value: object) -> bool:
    """Whether this is a graph of networkx."""
    return hasattr(value, "edges") and hasattr(value, "nodes")


def read_links(links: Any, nodes: AnyTable | None) -> Links:
    """The network of a CSV or GraphML file, of mappings or of a graph of networkx.

    `nodes`, a table with the columns node, x, y, says where places are.
    """
    points = {} if nodes is None else _points(nodes)
    if is_graph(links):
        keys = {"keys": True} if links.is_multigraph() else {}
        edges = [(tuple(edge), data) for *edge, data in links.edges(data=True, **keys)]
        known = dict(links.nodes(data=True))
        return _of_graph(known, edges, links.is_directed(), "the graph", points)
    if isinstance(links, Path | str) and Path(links).suffix.lower() in _GRAPHML:
        return _of_graph(*_graphml(Path(links)), str(links), points)
    table = read_table(links, "links", ("link", "from", "to"), near=("geometry", *_ENDS))
    return _of_table(table, points)


def _of_table(table: Table, points: Mapping[str, Point]) -> Links:
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
    texts = tuple(tuple(map(str, row.values())) for _, row in table.rows)
    known, lines = tuple(shapes) if any(shapes) else (), tuple(line for line, _ in table.rows)
    streets = StreetTable(table.columns, texts, known, source=table.source, lines=lines)
    starts, ends = (tuple(places[row[end]] for _, row in table.rows) for end in ("from", "to"))
    return Links(streets, number, places, starts, ends)


def _points(nodes: AnyTable) -> dict[str, Point]:
    table = read_table(nodes, "nodes", ("node", "x", "y"))
    found: dict[str, Point] = {}
    for line, row in table.rows:
        point = _point((row["x"], row["y"]))
        if point is None:
            message = f"the node {shown(row['node'])}: x and y must be numbers"
            raise InputError(message, table.source, line)
        found[row["node"]] = point
    return found


def _shape(row: Mapping[str, str], points: Mapping[str, Point]) -> tuple[Point, ...]:
    """Where a link runs: its geometry, or else straight between its ends; () if unknown."""
    geometry, ends = str(row.get("geometry", "")), [row.get(name, "") for name in _ENDS]
    if geometry:
        inside = geometry.partition("(")[2].rpartition(")")[0]
        line = [_point(part.split()[:2]) for part in inside.split(",")]
    elif any(ends):
        line = [_point(ends[:2]), _point(ends[2:])]
    else:
        line = [points.get(row["from"]), points.get(row["to"])]
        if None in line:
            return ()
    shape = tuple(point for point in line if point is not None)
    if len(shape) < max(2, len(line)):
        way = f"LINESTRING (x y, x y, ...), or numbers in {','.join(_ENDS)}"
        raise InputError(f"where it runs must be {way}")
    return shape


def _point(words: Iterable[Any]) -> Point | None:
    """Two finite numbers; None if they are something else."""
    try:
        x, y = map(float, words)
    except (TypeError, ValueError):
        return None
    return (x, y) if math.isfinite(x) and math.isfinite(y) else None


def _graphml(path: Path) -> tuple[dict[str, _Data], list[_Edge], bool]:
    """Nodes and edges with what is known of them, and whether edges have a direction."""
    try:
        root = ElementTree.fromstring(read_text(path))
        names = {key.get("id"): key.get("attr.name", "") for key in root.iterfind(".//{*}key")}
        nodes = {node.attrib["id"]: _data(node, names) for node in root.iterfind(".//{*}node")}
        edges: list[_Edge] = [
            ((edge.attrib["source"], edge.attrib["target"]), _data(edge, names))
            for edge in root.iterfind(".//{*}edge")
        ]
    except ElementTree.ParseError as error:
        raise InputError(f"this is not GraphML ({error.msg})", path, error.position[0]) from error
    except KeyError as error:
        raise InputError(f"{error} is missing in this GraphML", path) from error
    return nodes, edges, root.find("{*}graph[@edgedefault='undirected']") is None


def _data(element: ElementTree.Element, names: Mapping[str | None, str]) -> _Data:
    items = [(names[item.attrib["key"]], item.text) for item in element.iterfind("{*}data")]
    return {name: text for name, text in items if name}


def _of_graph(
    nodes: Mapping[Any, _Data],
    edges: Sequence[_Edge],
    is_directed: bool,
    source: str,
    points: Mapping[str, Point],
) -> Links:
    if not is_directed:
        edges = [way for edge in edges for way in _both_ways(edge)]
    if not edges:
        raise InputError("there are no links", source)
    listed = list(dict.fromkeys((*nodes, *(node for edge, _ in edges for node in edge[:2]))))
    texts = (str(node).strip() or "-" for node in listed)
    called = dict(zip(listed, distinct(texts), strict=True))
    names = distinct(f"{called[edge[0]]}-{called[edge[1]]}" for edge, _ in edges)
    rows = []
    for name, (edge, data) in zip(names, edges, strict=True):
        own = {"link": name, "from": called[edge[0]], "to": called[edge[1]]}
        rows.append({**own, **{str(word): value for word, value in data.items()}, **own})
    known = {called[node]: _point((own.get("x"), own.get("y"))) for node, own in nodes.items()}
    placed = {name: point for name, point in known.items() if point is not None}
    found = _of_table(read_table(rows, source, ("link", "from", "to")), {**placed, **points})
    edge_names = {edge: name for name, (edge, _) in zip(names, edges, strict=True)}
    return replace(found, nodes=called, edges=edge_names)


def _both_ways(edge: _Edge) -> Sequence[_Edge]:
    """An edge and the way back, which has no line of its own."""
    (start, end, *key), data = edge
    back = {name: value for name, value in data.items() if name != "geometry"}
    return [edge] if start == end else [edge, ((end, start, *key), back)]

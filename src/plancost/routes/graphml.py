"""Street networks as graphs: GraphML, as OSMnx and networkx save it.

A link is called ``u-v`` after its ends, and ``u-v-key`` if there are several between the same
two. An edge of an undirected graph is two links, one in each direction.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from plancost.errors import InputError
from plancost.routes.network import Link, Network, Point
from plancost.routes.numbers import coordinate, exact
from plancost.routes.shapes import GEOMETRY, line_in

if TYPE_CHECKING:
    from fractions import Fraction

_NO_MEASURES = frozenset({"osmid", "u", "v", "key", "id", "ref", "x", "y"})
"""Attributes that may look like numbers and are names."""


@dataclass(frozen=True)
class Edge:
    """An edge as a graph has it."""

    start: str
    end: str
    key: str
    data: Mapping[str, Any]


@dataclass
class _Graph:
    """What a GraphML file holds."""

    is_directed: bool = True
    nodes: dict[str, dict[str, str]] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    """What the keys of the file stand for."""


def network_in_graphml(text: str, path: Path) -> Network:
    """The network in the text of a GraphML file; `path` is for messages."""
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise InputError("this file declares a document type, which GraphML does not need", path)
    graph = _Graph()
    try:
        for element in _elements(text):
            _take(graph, element, path)
    except ElementTree.ParseError as error:
        line = error.position[0] if error.position else None
        raise InputError(f"this is not GraphML ({error.msg})", path, line) from error
    return network_of(graph.nodes, graph.edges, is_directed=graph.is_directed, source=str(path))


def _elements(text: str) -> Iterator[ElementTree.Element]:
    """Keys, nodes and edges as they end, and the graph as it begins."""
    data = io.BytesIO(text.encode("utf-8", "surrogatepass"))
    for event, element in ElementTree.iterparse(data, events=("start", "end")):
        name = _plain(element.tag)
        if (event == "start") == (name == "graph"):
            yield element
        if event == "end" and name in ("node", "edge"):
            element.clear()


def _plain(tag: str) -> str:
    """A tag without its namespace."""
    return tag.rpartition("}")[2]


def _take(graph: _Graph, element: ElementTree.Element, path: Path) -> None:
    """Add what an element says."""
    name = _plain(element.tag)
    if name == "graph":
        graph.is_directed = element.get("edgedefault", "directed") != "undirected"
    elif name == "key":
        graph.names[element.get("id", "")] = element.get("attr.name", "")
    elif name == "node":
        graph.nodes[_attribute(element, "id", path)] = _data(graph, element)
    elif name == "edge":
        data = _data(graph, element)
        start, end = _attribute(element, "source", path), _attribute(element, "target", path)
        key = element.get("id") or data.get("key") or str(len(graph.edges))
        graph.edges.append(Edge(start, end, key, data))


def _attribute(element: ElementTree.Element, name: str, path: Path) -> str:
    found = element.get(name)
    if not found:
        raise InputError(f"a {_plain(element.tag)} of this GraphML has no {name}", path)
    return found


def _data(graph: _Graph, element: ElementTree.Element) -> dict[str, str]:
    return {
        graph.names.get(child.get("key", ""), ""): (child.text or "").strip()
        for child in element
        if _plain(child.tag) == "data"
    }


def network_of(
    nodes: Mapping[str, Mapping[str, Any]],
    edges: Iterable[Edge],
    *,
    is_directed: bool,
    source: str,
) -> Network:
    """The network of a graph: its nodes with their attributes, and its edges."""
    places = {node: point for node, data in nodes.items() if (point := _point(data)) is not None}
    ways: list[tuple[Edge, bool]] = []
    for edge in edges:
        ways.append((edge, False))
        if not is_directed and edge.start != edge.end:
            ways.append((Edge(edge.end, edge.start, edge.key, edge.data), True))
    taken: set[str] = set()
    links = []
    for edge, is_back in ways:
        shape = _shape(edge.data.get(GEOMETRY))
        shape = shape[::-1] if is_back else shape
        name, street = _name(edge, taken), edge.data.get("name")
        link = Link(name, edge.start, edge.end, _numbers(edge.data), shape)
        links.append(replace(link, street=street) if isinstance(street, str) else link)
    return Network(tuple(links), places, source)


def _name(edge: Edge, taken: set[str]) -> str:
    """A name that no other link has; it is added to `taken`."""
    plain = f"{edge.start}-{edge.end}"
    named = (plain, f"{plain}-{edge.key}")
    name = next((name for name in named if name not in taken), "")
    number = 2
    while not name or name in taken:
        name, number = f"{plain}-{edge.key}#{number}", number + 1
    taken.add(name)
    return name


def _numbers(data: Mapping[str, Any]) -> dict[str, Fraction]:
    found = {}
    for column, value in data.items():
        number = None if column in _NO_MEASURES else exact(value)
        if number is not None:
            found[str(column).lower()] = number
    return found


def _point(data: Mapping[str, Any]) -> Point | None:
    x, y = (coordinate(str(data.get(name, ""))) for name in ("x", "y"))
    return None if x is None or y is None else (x, y)


def _shape(value: object) -> tuple[Point, ...]:
    """Points of a line as text, or of a geometry whose text is one."""
    return () if value is None else line_in(str(value)) or ()

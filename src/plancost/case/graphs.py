"""Street networks as graphs: GraphML as OSMnx and networkx save it, and graphs of networkx.

A link is called ``u-v`` after its ends, parallel ones ``u-v#2`` and so on. An edge of an
undirected graph is two links.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from plancost.case.links import Links, Point, distinct, finite, links_of
from plancost.case.tables import read_table, read_text, text_of
from plancost.errors import InputError

_Data = Mapping[Any, Any]
_Edge = tuple[tuple[Any, ...], _Data]
"""Its ends and perhaps its key, and what is known of it."""


def links_in_graph(graph: Any, points: Mapping[str, Point]) -> Links:
    """The links of a graph of networkx, directed or not, with parallel edges or without."""
    keys = {"keys": True} if graph.is_multigraph() else {}
    edges = [(tuple(edge), data) for *edge, data in graph.edges(data=True, **keys)]
    return _links(dict(graph.nodes(data=True)), edges, graph.is_directed(), "the graph", points)


def links_in_graphml(path: Path, points: Mapping[str, Point]) -> Links:
    """The links of a GraphML file."""
    try:
        root = ElementTree.fromstring(read_text(path))
        names = {key.get("id"): key.get("attr.name", "") for key in root.iterfind(".//{*}key")}
        nodes = {node.attrib["id"]: _data(node, names) for node in root.iterfind(".//{*}node")}
        edges: list[_Edge] = [
            ((edge.attrib["source"], edge.attrib["target"], edge.get("id")), _data(edge, names))
            for edge in root.iterfind(".//{*}edge")
        ]
    except ElementTree.ParseError as error:
        raise InputError(f"this is not GraphML ({error.msg})", path, error.position[0]) from error
    except KeyError as error:
        raise InputError(f"{error} is missing in this GraphML", path) from error
    graph = root.find("{*}graph")
    is_directed = graph is None or graph.get("edgedefault") != "undirected"
    return _links(nodes, edges, is_directed, str(path), points)


def _data(element: ElementTree.Element, names: Mapping[str | None, str]) -> _Data:
    items = [(names[item.attrib["key"]], item.text) for item in element.iterfind("{*}data")]
    return {name: text for name, text in items if name}


def _links(
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
    called = dict(zip(listed, distinct(map(str, listed)), strict=True))
    names = distinct(f"{called[edge[0]]}-{called[edge[1]]}" for edge, _ in edges)
    rows = []
    for name, ((start, end, *key), data) in zip(names, edges, strict=True):
        own = {"link": name, "from": called[start], "to": called[end], "key": [*key, None][0]}
        rows.append({**own, **{str(word): value for word, value in data.items()}, **own})
    known = {called[node]: point for node, data in nodes.items() if (point := _place(data))}
    table = read_table(rows, source, ("link", "from", "to"))
    found = links_of(table, {**known, **points})
    edge_names: dict[Hashable, str] = dict(zip((edge for edge, _ in edges), names, strict=True))
    return replace(found, nodes=called, edges=edge_names)


def _both_ways(edge: _Edge) -> Sequence[_Edge]:
    """An edge and the way back, which has no line of its own."""
    (start, end, *key), data = edge
    back = {name: value for name, value in data.items() if name != "geometry"}
    return [edge] if start == end else [edge, ((end, start, *key), back)]


def _place(data: _Data) -> Point | None:
    try:
        return finite(text_of(data.get("x"))), finite(text_of(data.get("y")))
    except ValueError:
        return None

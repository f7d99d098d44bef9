"""Street networks as graphs: GraphML as OSMnx and networkx save it, and graphs of networkx.

A link is called ``u-v`` after its ends, parallel ones ``u-v#2`` and so on. An edge of an
undirected graph is two links.
"""

from __future__ import annotations

import io
from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from plancost.case.links import Links, Point, coordinate, distinct, links_of, text_of
from plancost.case.tables import Row, read_text
from plancost.errors import InputError

_Data = Mapping[Any, Any]
_Edge = tuple[Hashable, Hashable, Hashable, _Data]
"""Its ends, its key, and what is known of it."""

_OWN = ("link", "from", "to", "key")


def links_in_graph(graph: Any, points: Mapping[str, Point]) -> Links:
    """The links of a graph of networkx, directed or not, with parallel edges or without."""
    if graph.is_multigraph():
        edges: list[_Edge] = list(graph.edges(keys=True, data=True))
    else:
        edges = [(start, end, 0, data) for start, end, data in graph.edges(data=True)]
    return _links(dict(graph.nodes(data=True)), edges, graph.is_directed(), "the graph", points)


def links_in_graphml(path: Path, points: Mapping[str, Point]) -> Links:
    """The links of a GraphML file."""
    text = read_text(path)
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise InputError("this file declares a document type, which GraphML does not need", path)
    names: dict[str | None, str] = {}
    nodes: dict[Hashable, _Data] = {}
    edges: list[_Edge] = []
    is_directed = True
    try:
        for _, element in ElementTree.iterparse(io.BytesIO(text.encode())):
            tag = element.tag.rpartition("}")[2]
            if tag == "key":
                names[element.get("id")] = element.get("attr.name", "")
            elif tag == "graph":
                is_directed = element.get("edgedefault") != "undirected"
            elif tag in ("node", "edge"):
                data = {names.get(item.get("key"), ""): item.text for item in element}
                of = element.attrib
                if tag == "node":
                    nodes[of["id"]] = data
                else:
                    edges.append((of["source"], of["target"], of.get("id", data.get("key")), data))
                element.clear()
    except ElementTree.ParseError as error:
        raise InputError(f"this is not GraphML ({error.msg})", path, error.position[0]) from error
    except KeyError as error:
        raise InputError(f"a node or an edge of this GraphML has no {error}", path) from error
    return _links(nodes, edges, is_directed, str(path), points)


def _links(
    nodes: Mapping[Hashable, _Data],
    edges: Sequence[_Edge],
    is_directed: bool,
    source: str,
    points: Mapping[str, Point],
) -> Links:
    if not is_directed:
        edges = [way for edge in edges for way in _both_ways(edge)]
    if not edges:
        raise InputError("there are no links", source)
    listed = list(dict.fromkeys((*nodes, *(node for edge in edges for node in edge[:2]))))
    called = dict(zip(listed, distinct(list(map(str, listed))), strict=True))
    known = {called[node]: point for node, data in nodes.items() if (point := _place(data))}
    names = distinct([f"{called[start]}-{called[end]}" for start, end, *_ in edges])
    attributes = dict.fromkeys(name for *_, data in edges for name in data if name)
    further = {str(name): name for name in attributes if str(name) not in _OWN}
    rows = []
    number_of: dict[Hashable, int] = {}
    parallel = set()
    for number, (name, (start, end, key, data)) in enumerate(zip(names, edges, strict=True)):
        texts = [text_of(data.get(attribute)) for attribute in further.values()]
        own = (name, called[start], called[end], text_of(key))
        rows.append(Row(number + 1, (*_OWN, *further), (*own, *texts)))
        if (start, end) in number_of:
            parallel.add((start, end))
        number_of[start, end] = number_of[start, end, key] = number
    single = {edge: number for edge, number in number_of.items() if edge not in parallel}
    return links_of(rows, source, {**known, **points}, nodes=called, edges=single)


def _both_ways(edge: _Edge) -> Sequence[_Edge]:
    """An edge and the way back, which has no line of its own."""
    start, end, key, data = edge
    back = {name: value for name, value in data.items() if name != "geometry"}
    return [edge] if start == end else [edge, (end, start, key, back)]


def _place(data: _Data) -> Point | None:
    x, y = coordinate(text_of(data.get("x"))), coordinate(text_of(data.get("y")))
    return None if x is None or y is None else (x, y)

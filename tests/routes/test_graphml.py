"""Networks out of graphs: networkx and GraphML, as OSMnx saves it."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import pytest

from plancost.errors import InputError
from plancost.interfaces.street_networks import network_from_graph
from plancost.routes.graphml import network_in_graphml
from plancost.routes.read_links import read_network
from plancost.routes.shapes import line_text

if TYPE_CHECKING:
    Graph = nx.Graph[Any]
    MultiGraph = nx.MultiDiGraph[Any]


def osm() -> MultiGraph:
    """Like OSMnx: every value is a text when it is saved."""
    graph: MultiGraph = nx.MultiDiGraph(crs="epsg:4326")
    graph.add_node(101, x="15.4", y="60.5", street_count="3")
    graph.add_node(102, x="15.5", y="60.6", street_count="3")
    shape = line_text(((15.4, 60.5), (15.45, 60.5), (15.5, 60.6)))
    data = {"osmid": "7", "length": "12.5", "oneway": "False", "name": "Storgatan"}
    graph.add_edge(101, 102, 0, **data, travel_time="3.25", geometry=shape)
    graph.add_edge(101, 102, 1, osmid="8", length="20", travel_time="5")
    graph.add_edge(102, 101, 0, osmid="7", length="12.5", travel_time="3.25")
    return graph


def test_as_osmnx_saves_it(tmp_path: Path) -> None:
    path = tmp_path / "town.graphml"
    nx.write_graphml(osm(), path)
    network = read_network(path, needed=("travel_time",))
    assert [link.name for link in network.links] == ["101-102", "101-102-1", "102-101"]
    first = network.by_name["101-102"]
    assert first.numbers == {"length": Fraction(25, 2), "travel_time": Fraction(13, 4)}
    assert (first.street, first.shape[1]) == ("Storgatan", (15.45, 60.5))
    assert network.places == {"101": (15.4, 60.5), "102": (15.5, 60.6)}
    assert network.columns == ("length", "travel_time")
    with pytest.raises(InputError, match=r"town\.graphml: link 101-102 has no minutes"):
        read_network(path, needed=("minutes",))


def test_a_graph_in_memory_is_the_same(tmp_path: Path) -> None:
    path = tmp_path / "town.graphml"
    nx.write_graphml(osm(), path)
    assert network_from_graph(osm(), str(path)) == network_in_graphml(path.read_text(), path)
    graph: Graph = nx.DiGraph()
    graph.add_edge("a", "b", minutes=np.float64(0.1), metres=np.int64(7), lit=True)
    (link,) = network_from_graph(graph).links
    assert link.numbers == {"minutes": Fraction(1, 10), "metres": Fraction(7)}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<graphml>", "this is not GraphML"),
        ("<!DOCTYPE a [<!ENTITY b 'c'>]><graphml/>", "declares a document type"),
        ("<graphml><graph><edge source='a'/></graph></graphml>", "a edge of this GraphML has no t"),
        ("<graphml><graph><node/></graph></graphml>", "a node of this GraphML has no id"),
    ],
)
def test_what_is_no_graph(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        network_in_graphml(text, Path("x.graphml"))

"""Networks out of networkx graphs; tests/routes/test_graphml.py compares them with files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.errors import InputError, UsageError
from plancost.interfaces.street_networks import network_from_graph

if TYPE_CHECKING:
    Graph = nx.Graph[Any]
    MultiGraph = nx.MultiDiGraph[Any]


def test_an_undirected_edge_is_two_links() -> None:
    graph: Graph = nx.Graph()
    graph.add_edge("a", "b", geometry="LINESTRING (0 0, 1 1, 2 1)")
    graph.add_edge("a", "a")
    one, back, loop = network_from_graph(graph).links
    assert (one.name, back.name, loop.name) == ("a-b", "b-a", "a-a")
    assert one.shape == back.shape[::-1] == ((0, 0), (1, 1), (2, 1))


def test_nodes_that_read_the_same() -> None:
    graph: Graph = nx.DiGraph([(1, "1")])
    with pytest.raises(InputError, match="two nodes of this graph have one name as text"):
        network_from_graph(graph)


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["a", "b", "a-b", "b-a"]),
            st.sampled_from(["a", "b", "a-b"]),
            st.sampled_from(["0", "1", "b", "b-0"]),
        ),
        max_size=20,
    )
)
def test_no_two_links_have_one_name(edges: list[tuple[str, str, str]]) -> None:
    graph: MultiGraph = nx.MultiDiGraph()
    for start, end, key in edges:
        graph.add_edge(start, end, key)
    network = network_from_graph(graph)  # which refuses a name that is there twice
    assert len(network.by_name) == graph.number_of_edges()


def test_what_is_no_graph() -> None:
    with pytest.raises(UsageError, match=r"^graph must be a graph of networkx, not None$"):
        network_from_graph(None)  # type: ignore[arg-type]

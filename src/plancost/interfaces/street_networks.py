"""Street networks out of networkx graphs, such as those of OSMnx.

    from plancost.interfaces.street_networks import network_from_graph

    network = network_from_graph(osmnx.graph_from_place("Borlänge"))

`plancost.learn_routes` learns from trips on it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plancost.errors import InputError
from plancost.interfaces.graphs import check_is_graph
from plancost.routes.graphml import Edge, network_of
from plancost.routes.network import Network

if TYPE_CHECKING:
    import networkx as nx


def network_from_graph(graph: nx.Graph[Any], source: str = "the graph") -> Network:
    """The network of a graph, as if it were read from GraphML.

    Nodes are called by their texts, and links ``u-v`` after their ends, ``u-v-key`` if there are
    several between the same two. An edge of an undirected graph is two links. Attributes that are
    numbers (also those of numpy) are numbers of links, ``x`` and ``y`` of nodes their coordinates.

    Args:
        graph: A graph of networkx, such as one of OSMnx.
        source: What messages call it.

    Returns:
        The links and places.

    Raises:
        InputError: Two nodes have the same text, or an attribute does not fit.
        UsageError: This is no graph.
    """
    check_is_graph(graph)
    words = {node: str(node) for node in graph.nodes}
    if len(set(words.values())) < len(words):
        raise InputError("two nodes of this graph have one name as text; rename them")
    nodes = {words[node]: data for node, data in graph.nodes(data=True)}
    some: Any = graph  # only multigraphs have keys
    if graph.is_multigraph():
        listed = some.edges(keys=True, data=True)
    else:
        listed = ((a, b, 0, data) for a, b, data in some.edges(data=True))
    edges = [Edge(words[a], words[b], str(key), data) for a, b, key, data in listed]
    return network_of(nodes, edges, is_directed=graph.is_directed(), source=source)

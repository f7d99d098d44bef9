"""Graphs as networkx and OSMnx make them: cases of them, and costs for their routers."""

from __future__ import annotations

import itertools
import random
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import plancost

KINDS = [nx.DiGraph, nx.Graph, nx.MultiDiGraph, nx.MultiGraph]
NAMES: list[Any] = ["a", " a", "a-b", "", 3, "3", (1, 2), 7.5, frozenset("ab"), "nan"]


def city(kind: Any, seed: int) -> Any:
    """A graph with nodes of all kinds, and attributes as OSMnx has them."""
    draws = random.Random(seed)
    nodes = draws.sample(NAMES, 8)
    graph = kind(crs="epsg:4326")
    for number, node in enumerate(nodes):
        graph.add_node(node, x=np.float64(number % 3), y=number // 3)
    ends = [(draws.choice(nodes), draws.choice(nodes)) for _ in range(30)]
    for start, end in [*zip(nodes, [*nodes[1:], nodes[0]], strict=True), *ends]:
        graph.add_edge(
            start,
            end,
            osmid=draws.choice([4, [5, 6]]),
            highway=draws.choice(["primary", ["primary", "service"]]),
            lanes=draws.choice([None, np.int64(2), float("nan")]),
            length=np.float32(draws.randint(1, 40)) / 4,
        )
    return graph


def edges(graph: Any) -> list[tuple[Any, ...]]:
    """All that can be driven along."""
    keys = {"keys": True} if graph.is_multigraph() else {}
    return list(graph.to_directed().edges(**keys))


def walks(graph: Any, seed: int) -> list[list[tuple[Any, ...]]]:
    """Trips that are shortest under hidden lengths, by their edges."""
    draws = random.Random(seed)
    hidden = graph.to_directed()
    for edge in edges(hidden):
        hidden.edges[edge]["hidden"] = draws.randint(1, 9)
    found = []
    for _ in range(8):
        start, end = draws.sample(list(graph), 2)
        path = nx.shortest_path(hidden, start, end, "hidden")
        steps: list[tuple[Any, ...]] = list(itertools.pairwise(path))
        if graph.is_multigraph():
            ways = [{key: d["hidden"] for key, d in hidden[u][v].items()} for u, v in steps]
            steps = [
                (*ends, min(way, key=lambda k: way[k]))
                for ends, way in zip(steps, ways, strict=True)
            ]
        found.append(steps)
    return found


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(5))
def test_routers_find_the_trips(kind: Any, seed: int) -> None:
    graph = city(kind, seed)
    trips = walks(graph, seed)
    result = plancost.learn(plancost.street_case(graph, trips))
    priced = plancost.with_costs(graph, result, attribute="learned")
    assert len(result.costs) == len(edges(graph)) == priced.number_of_edges()
    assert result.optimal_plans == len(trips)  # the hidden lengths are costs that do it
    for trip in trips:
        cost = sum(priced.edges[edge]["learned"] for edge in trip)
        assert cost == nx.shortest_path_length(priced, trip[0][0], trip[-1][1], "learned")
    assert not nx.get_edge_attributes(graph, "learned")
    if graph.is_directed():
        assert plancost.with_costs(graph, result.costs, in_place=True) is graph
        found = nx.get_edge_attributes(graph, "cost")
        assert found == nx.get_edge_attributes(priced, "learned")


def test_between_nodes_the_shortest_of_parallel_edges_is_meant() -> None:
    graph = nx.MultiDiGraph([(1, 2, "long", {"length": 7.5}), (1, 2, "short", {"length": 7.25})])
    plans = [seen.actions for seen in plancost.street_case(graph, [[1, 2]]).observations]
    by_key = plancost.street_case(graph, [[(1, 2, "short")], [(1, 2, "long")]]).observations
    assert plans == [by_key[0].actions] != [by_key[1].actions]


WRONG: list[tuple[Any, str]] = [
    ([[{}]], "no link {}"),
    ([["a", []]], r"no place \(\)"),
    ([["a", "z"]], "no place 'z'"),
    ([["c", "a"]], "no link from 'c' to 'a'"),
    ([["a", "b"]], "2 links from 'a' to 'b'"),
]


@pytest.mark.parametrize(("trips", "said"), WRONG)
def test_wrong_trips_on_graphs(trips: Any, said: str) -> None:
    graph = nx.MultiDiGraph([("a", "b"), ("a", "b"), ("b", "c")])
    with pytest.raises(plancost.InputError, match=f"^trips:1: trip '1': .*{said}"):
        plancost.street_case(graph, trips)


def test_costs_that_do_not_fit() -> None:
    cross = nx.Graph([(0, 1), (1, 2), (1, 3), (1, 4)])
    where = {0: (-1, 0), 1: (0, 0), 2: (1, 0), 3: (0, 1), 4: (0, -1)}
    nx.set_node_attributes(cross, {n: {"x": x, "y": y} for n, (x, y) in where.items()})
    case = plancost.street_case(cross, [[0, 1, 2], [0, 1, 3]])
    plain, turned = plancost.learn(case), plancost.learn(case, features=["turns"])
    trips = [{"nodes": [0, 1], "group": name} for name in ("ann", "bob")]
    groups = plancost.learn(plancost.street_case(cross, trips))
    wrong: list[tuple[Any, Any, dict[str, Any], str]] = [
        (cross, turned, {}, "without the feature turns"),
        (cross, plain, {"in_place": True}, "take the copy"),
        (cross, {"0-1": 2}, {}, "another graph"),
        (cross, {"0-1": 2.5}, {}, "whole number"),
        (cross, groups, {}, "has groups"),
        ([cross], plain, {}, "graph of networkx"),
    ]
    for target, costs, options, said in wrong:
        with pytest.raises(plancost.InputError, match=said):
            plancost.with_costs(target, costs, **options)


OSMNX = """<?xml version='1.0' encoding='utf-8'?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d9" for="edge" attr.name="length" attr.type="string" />
  <key id="d6" for="edge" attr.name="highway" attr.type="string" />
  <key id="d16" for="edge" attr.name="geometry" attr.type="string" />
  <key id="d3" for="node" attr.name="x" attr.type="string" />
  <key id="d2" for="node" attr.name="y" attr.type="string" />
  <key id="d0" for="graph" attr.name="crs" attr.type="string" />
  <graph edgedefault="directed">
    <node id="1000"><data key="d2">52.001</data><data key="d3">13.001</data></node>
    <node id="1001"><data key="d2">52.002</data><data key="d3">13.001</data></node>
    <edge source="1000" target="1001" id="0"><data key="d9">111.25</data>
      <data key="d6">['primary', 'residential']</data></edge>
    <edge source="1000" target="1001" id="1"><data key="d9">98.5</data>
      <data key="d16">LINESTRING (13.001 52.001, 13.0012 52.0015, 13.001 52.002)</data></edge>
    <data key="d0">epsg:4326</data>
  </graph>
</graphml>"""


def test_graphml_as_osmnx_writes_it(tmp_path: Path) -> None:
    file = tmp_path / "town.graphml"
    file.write_text(OSMNX, encoding="utf-8")
    case = plancost.street_case(file, [{"trip": "x", "nodes": [1000, 1001]}])
    assert [case.actions[n] for n in case.observations[0].actions] == ["1000-1001#2"]
    assert case.streets is not None and [len(line) for line in case.streets.shapes] == [2, 3]
    graph = nx.read_graphml(file, node_type=int, force_multigraph=True)
    priced = plancost.with_costs(graph, plancost.learn(case))
    assert priced.edges[1000, 1001, 1]["cost"] == 1

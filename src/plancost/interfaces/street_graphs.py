"""Costs of the edges of a networkx graph, from routes that were taken on it.

    import networkx as nx
    from plancost.interfaces.street_graphs import learn_edge_costs

    streets = nx.DiGraph([("a", "b"), ("b", "d"), ("a", "c"), ("c", "d"), ("a", "d")])
    learned = learn_edge_costs(streets, [["a", "b", "d"]])
    learned.result.optimal_plans, streets.edges["a", "d"]["learned_cost"]

No PDDL and no planner is involved: a route is a plan, a street an action, and cheaper
routes are found by shortest-path search on the graph itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plancost.api.learn import learn
from plancost.errors import InputError
from plancost.learning.problem.options import LearnOptions
from plancost.observations.files import checked_count
from plancost.observations.road_map import Road, RoadMap, case_from_routes
from plancost.results.result import Result
from plancost.system.progress import Progress, no_progress

if TYPE_CHECKING:
    import networkx as nx

Node = Hashable
Edge = tuple[Node, Node]


@dataclass(frozen=True)
class EdgeCosts:
    """Learned costs of edges. Route n is observation n of `result`."""

    costs: dict[Edge, int]
    """By edge, as the graph itself names it; edges between the same two nodes share a cost."""
    optimal: tuple[bool | None, ...]
    """For each route whether it is a cheapest one; None where the check could not finish."""
    result: Result
    """All else that is known, as `plancost.learn` returns it."""


def learn_edge_costs(
    graph: nx.Graph[Any],
    routes: Iterable[Sequence[Node]],
    *,
    counts: Sequence[int] | None = None,
    initial: str | None = None,
    attribute: str | None = "learned_cost",
    options: LearnOptions = LearnOptions(),  # noqa: B008 (frozen)
    progress: Progress = no_progress,
) -> EdgeCosts:
    """Learn one cost for each edge so that most routes are cheapest ones between their ends.

    A route is a list of nodes. `counts` says how often each was seen. `initial` is the name of
    an edge attribute with whole numbers from 0 on that costs should stay close to. The costs are
    written to the graph as the edge attribute `attribute`, unless that is None.

    An edge of an undirected graph has one cost for both directions. Parallel edges are one
    street, and loops are left out, since no cheapest route uses them.
    """
    places = list(graph.nodes)
    number = {node: position for position, node in enumerate(places)}
    roads = _roads(graph, number)
    road_map = RoadMap(_texts(places), tuple(roads.values()))
    walks = [_numbers(route, number, which) for which, route in enumerate(routes, start=1)]
    case = case_from_routes(road_map, walks, _checked(counts, len(walks)))
    given = None if initial is None else _initial_costs(graph, roads, initial)
    result = learn(case, options, initial_costs=given, progress=progress)
    costs = {edge: result.costs[road.name] for edge, road in roads.items()}
    if attribute is not None:
        _write(graph, costs, attribute)
    return EdgeCosts(costs, tuple(item.optimal for item in result.observations), result)


def _roads(graph: nx.Graph[Any], number: Mapping[Node, int]) -> dict[Edge, Road]:
    """The roads of a graph, each under the edge that it stands for."""
    two_way = not graph.is_directed()
    texts = _texts(list(number))
    found: dict[Edge, Road] = {}
    for start, end in graph.edges():
        here, there = number[start], number[end]
        if here == there or (start, end) in found or (two_way and (end, start) in found):
            continue
        found[start, end] = Road(f"(go {texts[here]} {texts[there]})", here, there, two_way)
    return found


def _texts(nodes: Sequence[Node]) -> tuple[str, ...]:
    """Nodes in words; those that would read the same get their number."""
    words = [str(node) for node in nodes]
    often = Counter(words)
    return tuple(
        f"{word}#{position}" if often[word] > 1 else word for position, word in enumerate(words)
    )


def _numbers(route: Sequence[Node], number: Mapping[Node, int], which: int) -> list[int]:
    for node in route:
        if node not in number:
            raise InputError(f"route {which} passes {node!r}, which is not a node of the graph")
    return [number[node] for node in route]


def _checked(counts: Sequence[int] | None, routes: int) -> Sequence[int] | None:
    if counts is None:
        return None
    if len(counts) != routes:
        raise InputError(f"there are {len(counts)} counts for {routes} routes")
    return [
        checked_count(count, Path(f"route {which}")) for which, count in enumerate(counts, start=1)
    ]


def _initial_costs(
    graph: nx.Graph[Any], roads: Mapping[Edge, Road], attribute: str
) -> dict[str, int]:
    found: dict[str, int] = {}
    for start, end, data in graph.edges(data=True):
        value = data.get(attribute)
        road = roads.get((start, end)) or roads.get((end, start))
        if road is None or start == end:
            continue
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise InputError(
                f"the edge from {start!r} to {end!r} has no whole number from 0 on as its "
                f"'{attribute}', but {value!r}"
            )
        found[road.name] = min(value, found.get(road.name, value))
    return found


def _write(graph: nx.Graph[Any], costs: Mapping[Edge, int], attribute: str) -> None:
    for start, end, data in graph.edges(data=True):
        cost = costs.get((start, end))
        if cost is None and not graph.is_directed():
            cost = costs.get((end, start))
        if cost is not None:
            data[attribute] = cost

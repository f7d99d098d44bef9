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

import math
import re
from collections import Counter
from collections.abc import Container, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from plancost.api.learn import learn
from plancost.errors import InputError, UsageError
from plancost.interfaces.graphs import check_is_graph
from plancost.learning.problem.keywords import learn_options
from plancost.learning.problem.options import LearnOptions
from plancost.observations.files import ObservedFile, checked_count
from plancost.observations.road_map import Road, RoadMap, Route, case_from_routes, plan_between
from plancost.results.result import Result
from plancost.routes.scale import Scaled, in_units
from plancost.system.progress import Progress
from plancost.system.values import real_number, shown, whole_number

if TYPE_CHECKING:
    import networkx as nx

Node = Hashable
Edge = tuple[Node, Node]
_Value = TypeVar("_Value")

_NOT_IN_WORDS = re.compile(r"[^\w.-]+")
_LONGEST_WORD = 60


@dataclass(frozen=True)
class EdgeCosts:
    """Learned costs of edges. `result` calls the n-th route ``route n``."""

    costs: dict[Edge, int]
    """By edge, as the graph itself names it; edges between the same two nodes share a cost."""
    actions: dict[Edge, str]
    """What `result` calls each edge, such as ``(go a b)``; no two have one name."""
    optimal: tuple[bool | None, ...]
    """For each route whether it is a cheapest one; None where the check could not finish, and for
    a route that the option `drop` leaves out."""
    result: Result
    """All else that is known, as `plancost.learn` returns it."""
    scale: int = 1
    """How many units of cost are 1 of the initial attribute, where that has fractions."""


def learn_edge_costs(
    graph: nx.Graph[Any],
    routes: Iterable[Iterable[Node]],
    *,
    counts: Iterable[int] | None = None,
    initial: str | None = None,
    attribute: str | None = "learned_cost",
    options: LearnOptions | None = None,
    progress: Progress | bool = False,
    **keywords: Any,  # noqa: ANN401 (of any option)
) -> EdgeCosts:
    """Learn one cost for each edge so that most routes are cheapest ones between their ends.

    An edge of an undirected graph has one cost for both directions. Parallel edges are one
    street. Nodes may be anything that the graph takes: two nodes are never mixed up, however
    alike they look in writing.

    Args:
        graph: A graph of networkx, directed or not, with or without parallel edges.
        routes: Each a list of nodes.
        counts: How often each route was seen; None: once.
        initial: The edge attribute with numbers of at least 0 that costs should stay close to;
            where some have fractions, costs are in smaller units (see `EdgeCosts.scale`).
        attribute: The edge attribute that the costs are written to; None: the graph stays as it is.
        options: What to learn and how; None: the defaults.
        progress: True: show a bar on a terminal or in a notebook; or a function that is called with
            what is being done and how far it is.
        keywords: Single options, such as ``time_limit_s=60``.

    Returns:
        The cost of each edge, which routes are optimal, and the result.

    Raises:
        InputError: A route is none on this graph, or an edge lacks the initial number.
        UsageError: The options are wrong, or something given is not of its kind.
    """
    check_is_graph(graph)
    _check_names(initial=initial, attribute=attribute)
    options = _one_cost_each(learn_options(options, keywords))
    number = {node: position for position, node in enumerate(graph.nodes)}
    words = node_words(list(number))
    roads = _roads(graph, number, words)
    road_map = RoadMap(words, tuple(roads.values()))
    listed = _listed(routes, "routes must be lists of nodes")
    walks = [_numbers(route, number, which) for which, route in enumerate(listed, start=1)]
    known = None if initial is None else _initial_costs(graph, roads, initial)
    observed = _routes(road_map, walks, _checked(counts, len(walks)))
    case = case_from_routes(road_map, observed, () if known is None else known.notes)
    given = None if known is None else known.units
    result = learn(case, options, initial_costs=given, progress=progress)
    costs = {edge: result.costs[road.name] for edge, road in roads.items()}
    if attribute is not None:
        _write(graph, costs, attribute)
    actions = {edge: road.name for edge, road in roads.items()}
    of_route = {item.plan: item.optimal for item in result.observations}
    optimal = tuple(of_route.get(_route_name(which)) for which in range(1, len(walks) + 1))
    return EdgeCosts(costs, actions, optimal, result, 1 if known is None else known.scale)


def _routes(
    road_map: RoadMap, walks: Sequence[Sequence[int]], counts: Sequence[int]
) -> list[Route]:
    """Walks from place to place as sequences of roads."""
    names = {way: road.name for road in road_map.roads for way in road.ways}
    found = []
    for which, (walk, count) in enumerate(zip(walks, counts, strict=True), start=1):
        plan = plan_between(road_map, names, walk, which)
        start, end = road_map.places[walk[0]], road_map.places[walk[-1]]
        source = ObservedFile(Path(f"from {start} to {end}"), Path(_route_name(which)), count)
        found.append(Route(walk[0], plan, source))
    return found


def _roads(
    graph: nx.Graph[Any], number: Mapping[Node, int], words: Sequence[str]
) -> dict[Edge, Road]:
    """The roads of a graph, each under the edge that it stands for."""
    two_way = not graph.is_directed()
    found: dict[Edge, Road] = {}
    for start, end in graph.edges():
        here, there = number[start], number[end]
        if (start, end) not in found and not (two_way and (end, start) in found):
            name = f"(go {words[here]} {words[there]})"
            found[start, end] = Road.between(name, here, there, two_way=two_way)
    return found


def node_words(nodes: Sequence[Node]) -> tuple[str, ...]:
    """A word for each node, and no word for two.

    Words are as in the names of actions: in lower case, without blanks and parentheses. Nodes
    that would read the same get their number after ``#``, which no other word has.
    """
    words = [_word(node) for node in nodes]
    often = Counter(words)
    return tuple(
        word if often[word] == 1 else f"{word}#{position}" for position, word in enumerate(words)
    )


def _word(node: Node) -> str:
    parts = _NOT_IN_WORDS.sub(" ", str(node).lower()).split()
    return "-".join(parts)[:_LONGEST_WORD] or "node"


def _route_name(which: int) -> str:
    return f"route {which}"


def _check_names(**names: object) -> None:
    """Names of edge attributes may be whatever a graph takes."""
    for parameter, name in names.items():
        if not _is_hashable(name):
            raise UsageError(f"{parameter} must name an edge attribute, not be {shown(name)}")


def _one_cost_each(options: LearnOptions) -> LearnOptions:
    if options.groups is not None and options.groups > 1:
        raise UsageError("an edge has one cost for all routes here, so groups must be 1")
    return options


def _listed(values: Iterable[_Value], expected: str) -> list[_Value]:
    if not isinstance(values, Iterable):
        raise UsageError(f"{expected}, not {shown(values)}")
    return list(values)


def _numbers(route: Iterable[Node], number: Mapping[Node, int], which: int) -> list[int]:
    nodes = _listed(route, f"route {which} must be a list of nodes")
    for node in nodes:
        if not _is_known(node, number):
            raise InputError(f"route {which} passes {node!r}, which is not a node of the graph")
    return [number[node] for node in nodes]


def _is_known(node: object, number: Mapping[Node, int]) -> bool:
    return _is_hashable(node) and node in number


def _is_hashable(value: object) -> bool:
    try:
        hash(value)
    except TypeError:  # a list, or a tuple with a list
        return False
    return True


def _checked(given: Iterable[int] | None, routes: int) -> Sequence[int]:
    if given is None:
        return [1] * routes
    counts = _listed(given, "counts must be a list with a number for each route")
    if len(counts) != routes:
        raise InputError(f"there are {len(counts)} counts for {routes} routes")
    return [
        checked_count(count, Path(_route_name(which)))
        for which, count in enumerate(counts, start=1)
    ]


def _initial_costs(graph: nx.Graph[Any], roads: Mapping[Edge, Road], attribute: str) -> Scaled:
    """The numbers of an attribute, in units if some have fractions."""
    found: dict[str, Fraction] = {}
    for start, end, data in graph.edges(data=True):
        if attribute not in data:
            raise InputError(
                f"the edge from {start!r} to {end!r} has no attribute '{attribute}', only "
                f"{', '.join(map(str, data)) or 'none at all'}"
            )
        value = _fraction(data[attribute])
        if value is None or value < 0:
            raise InputError(
                f"the edge from {start!r} to {end!r} has {data[attribute]!r} as its "
                f"'{attribute}', which is no number of at least 0"
            )
        name = roads[_edge(start, end, roads)].name
        found[name] = min(value, found.get(name, value))
    if all(value.denominator == 1 for value in found.values()):
        return Scaled(1, {name: int(value) for name, value in found.items()}, ())
    return in_units(found, attribute)


def _fraction(value: object) -> Fraction | None:
    """A number exactly as it is written; None if it is none, or infinite."""
    whole, real = whole_number(value), real_number(value)
    if whole is not None:
        return Fraction(whole)
    if isinstance(value, Fraction):
        return value
    return None if real is None or math.isinf(real) else Fraction(repr(real))


def _write(graph: nx.Graph[Any], costs: Mapping[Edge, int], attribute: str) -> None:
    for start, end, data in graph.edges(data=True):
        data[attribute] = costs[_edge(start, end, costs)]


def _edge(start: Node, end: Node, known: Container[Edge]) -> Edge:
    """An edge as it is known; parallel edges of an undirected graph may be turned round."""
    return (start, end) if (start, end) in known else (end, start)

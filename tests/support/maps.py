"""Random small maps with routes on them, whose tasks share one state graph."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from hypothesis import reject
from hypothesis import strategies as st

from plancost.learning.problem.concept import Concept
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Run
from plancost.learning.separation.on_graphs import GraphSeparator
from plancost.observations.road_map import Road, RoadMap, case_from_routes
from plancost.observations.road_map import Route as DrivenRoute
from plancost.oracles.graph_oracle import TaskGraph
from plancost.system.clock import Deadline

Route = tuple[int, ...]


def simple_routes(road_map: RoadMap) -> list[Route]:
    """All ways through a map that visit no place twice."""
    ways: dict[int, list[int]] = {}
    for start, end in (way for road in road_map.roads for way in road.ways):
        ways.setdefault(start, []).append(end)

    def extended(route: Route) -> Iterator[Route]:
        for place in ways.get(route[-1], ()):
            if place not in route:
                yield (*route, place)
                yield from extended((*route, place))

    return [route for place in range(len(road_map.places)) for route in extended((place,))]


@st.composite
def road_maps(draw: st.DrawFn) -> tuple[RoadMap, list[Route]]:
    """A map of up to six places, and some routes on it."""
    size = draw(st.integers(3, 6))
    pairs = [(a, b) for a in range(size) for b in range(size) if a != b]
    chosen = draw(st.lists(st.sampled_from(pairs), min_size=3, max_size=12, unique=True))
    roads = [Road.between(f"(go {a} {b})", a, b) for a, b in chosen]
    road_map = RoadMap(tuple(f"p{place}" for place in range(size)), tuple(roads))
    known = simple_routes(road_map)
    if not known:
        reject()
    return road_map, draw(st.lists(st.sampled_from(known), min_size=1, max_size=8))


def task_of(road_map: RoadMap, routes: list[Route], concept: Concept) -> LearningTask:
    """The learning task of routes on a map."""
    names = {way: road.name for road in road_map.roads for way in road.ways}
    driven = [
        DrivenRoute(route[0], tuple(names[way] for way in itertools.pairwise(route)))
        for route in routes
    ]
    return LearningTask(case_from_routes(road_map, driven), concept, None)


def separator_of(task: LearningTask) -> GraphSeparator:
    """A separator on the state graphs of all actions, which has been asked nothing yet."""
    run = Run.of(task.case, LearnOptions(concept=task.concept))
    built = run.oracles.graphs.graphs(None, Deadline())
    graphs = {number: graph for number, graph in built.items() if isinstance(graph, TaskGraph)}
    return GraphSeparator(task, graphs)

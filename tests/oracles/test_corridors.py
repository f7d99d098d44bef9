"""Corridors have every state of a way with so many steps, and distances in them are right."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.learning.problem.concept import Concept
from plancost.observations.road_map import Road, RoadMap
from plancost.oracles.corridors import Corridors
from plancost.oracles.shortest_paths import PricedGraph
from plancost.oracles.state_graph import StateGraph
from support.maps import Route, road_maps, separator_of, simple_routes, task_of


def graph_of(road_map: RoadMap, routes: list[Route]) -> StateGraph:
    paths = separator_of(task_of(road_map, routes, Concept())).paths()
    ((graph, _),) = paths.by_graph()
    return graph


@settings(max_examples=60, deadline=None)
@given(road_maps(), st.data())
def test_no_way_leaves_its_corridor(
    example: tuple[RoadMap, list[Route]], data: st.DataObject
) -> None:
    road_map, routes = example
    graph = graph_of(road_map, routes)
    start, goal = np.array([routes[0][0]]), np.array([routes[0][-1]])
    ways = [way for way in simple_routes(road_map) if (way[0], way[-1]) == (start[0], goal[0])]
    found = Corridors(graph)
    for steps in data.draw(st.lists(st.integers(1, 8), min_size=1, max_size=4)):
        corridor = found.between(start, goal, steps)
        if corridor is None:
            continue
        for way in ways:
            if len(way) - 1 <= steps:
                assert corridor.inside[list(way)].all()


@settings(max_examples=60, deadline=None)
@given(road_maps(), st.data())
def test_what_is_cheap_enough_costs_the_same_in_a_corridor(
    example: tuple[RoadMap, list[Route]], data: st.DataObject
) -> None:
    graph = graph_of(*example)
    route = example[1][0]
    start, goal = np.array([route[0]]), np.array([route[-1]])
    costs = np.array([data.draw(st.integers(1, 4)) for _ in graph.action_names])
    limit = data.draw(st.integers(1, 20))
    everything = PricedGraph(graph, costs)
    whole = everything.distances(goal)
    corridor = Corridors(graph).between(start, goal, limit / costs.min())
    narrow = PricedGraph(graph, costs, corridor).distances(goal)
    assert np.all(narrow >= whole)
    passed = everything.distances_from(start) + whole <= limit
    assert np.array_equal(narrow[passed], whole[passed])


def test_a_corridor_of_most_states_is_none() -> None:
    """On a street with ten places, driven both ways."""
    ends = [(place, place + 1) for place in range(9)]
    roads = tuple(Road.between(f"(go {a} {b})", a, b, two_way=True) for a, b in ends)
    street = RoadMap(tuple(f"p{place}" for place in range(10)), roads)
    found = Corridors(graph_of(street, [(0, 1)]))
    start, goal = np.array([0]), np.array([1])
    assert found.between(start, goal, 100) is None
    narrow = found.between(start, goal, 1)
    assert narrow is not None
    assert narrow.inside.sum() == 2
    assert found.between(start, goal, 1) is narrow, "it is kept"
    wider = found.between(start, goal, 6)
    assert wider is not None
    assert wider.inside.sum() == 4, "two places further there and back"


def test_corridors_of_many_goals_take_no_more_than_the_graph() -> None:
    ends = [(place, place + 1) for place in range(9)]
    roads = tuple(Road.between(f"(go {a} {b})", a, b, two_way=True) for a, b in ends)
    street = RoadMap(tuple(f"p{place}" for place in range(10)), roads)
    found = Corridors(graph_of(street, [(0, 1)]))
    made = [
        found.between(np.array([place]), np.array([place + 1]), steps)
        for steps in (1, 5, 1)
        for place in range(9)
    ]
    assert any(corridor is not None for corridor in made)
    assert made[-1] is None, "there is no room for the last goal"
    assert found._left >= 0

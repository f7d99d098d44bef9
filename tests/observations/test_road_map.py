"""Maps: what is refused because it would be taken for something else."""

from __future__ import annotations

import pytest

from plancost.observations.parts import joined
from plancost.observations.road_map import Road, RoadMap, case_from_routes
from plancost.oracles.graph_limits import GraphLimits
from plancost.oracles.state_graph import StateGraph, build_state_graph, groups
from plancost.system.clock import Deadline

ONE = Road("(go a b)", 0, 1)


@pytest.mark.parametrize(
    ("places", "roads", "message"),
    [
        (("a", "a"), (), "two places of a map are called 'a'"),
        (("a", "b"), (ONE, Road("(go a b)", 1, 0)), r"two roads of a map are called '\(go a b\)'"),
        (("a", "b"), (ONE, Road("(fly a b)", 0, 1)), r"two ways of a map are called \(0, 1\)"),
        (("a", "b"), (ONE, Road("(x)", 1, 0, two_way=True)), "two ways"),
        (("A", "b"), (), "the place 'A' is not one word in lower case"),
        (("a b", "c"), (), "the place 'a b' is not one word"),
        (("", "c"), (), "the place '' is not one word"),
        (("a,b", "c"), (), "the place 'a,b' is not one word"),
        (("a", "b"), (Road("(Go a b)", 0, 1),), "is not spelled as actions are"),
        (("a", "b"), (Road("go a b", 0, 1),), "is not spelled as actions are"),
        (("a", "b"), (Road("(go (a) b)", 0, 1),), "is not spelled as actions are"),
    ],
)
def test_one_name_for_one_thing(
    places: tuple[str, ...], roads: tuple[Road, ...], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        RoadMap(places, roads)


def test_maps_that_differ_are_two_worlds() -> None:
    there, back = RoadMap(("a", "b"), (ONE,)), RoadMap(("a", "b"), (Road("(go b a)", 1, 0),))
    cases = [case_from_routes(there, [[0, 1]]), case_from_routes(back, [[1, 0]])]
    assert groups(None, joined(cases).tasks) == [[0], [1]]
    again = case_from_routes(RoadMap(("a", "b"), (ONE,)), [[0, 1]])
    assert again.tasks[0].world == cases[0].tasks[0].world


def test_a_road_back_to_its_own_place_is_idle() -> None:
    loop = Road("(go a a)", 0, 0, two_way=True)
    case = case_from_routes(RoadMap(("a", "b"), (loop, ONE)), [[0, 0, 1]])
    assert case.actions == ("(go a a)", "(go a b)")
    assert case.observations[0].visits_a_state_twice
    graph = build_state_graph(None, case.tasks, None, GraphLimits(), Deadline())
    assert isinstance(graph, StateGraph)
    assert (graph.source.tolist(), graph.target.tolist(), graph.idle.tolist()) == ([0], [1], [0])

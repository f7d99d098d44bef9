"""Maps: what is refused because it would be taken for something else, and their state graphs."""

from __future__ import annotations

import pytest

from plancost.api.learn import learn
from plancost.errors import InputError
from plancost.observations.parts import joined
from plancost.observations.road_map import Road, RoadMap, Route, case_from_routes, plan_between
from plancost.oracles.graph_limits import GraphLimits
from plancost.oracles.state_graph import StateGraph, build_state_graph, groups
from plancost.system.clock import Deadline

ONE = Road.between("(go a b)", 0, 1)


@pytest.mark.parametrize(
    ("places", "roads", "message"),
    [
        (("a", "a"), (), "two places of a map are called 'a'"),
        (("a", "b"), (ONE, Road.between(ONE.name, 1, 0)), r"two roads of a map are called"),
        (("", "c"), (), "a place or a road of a map has no name"),
        (("a", "b"), (Road.between("", 0, 1),), "a place or a road of a map has no name"),
        (("a", "b", "c"), (Road("x", ((0, 1), (0, 2))),), "leads from one place to several"),
    ],
)
def test_one_name_for_one_thing(
    places: tuple[str, ...], roads: tuple[Road, ...], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        RoadMap(places, roads)


def test_maps_that_differ_are_two_worlds() -> None:
    back = Road.between("(go b a)", 1, 0)
    cases = [
        case_from_routes(RoadMap(("a", "b"), (road,)), [Route(start, (road.name,))])
        for start, road in enumerate((ONE, back))
    ]
    assert groups(None, joined(cases).tasks) == [[0], [1]]
    again = case_from_routes(RoadMap(("a", "b"), (ONE,)), [Route(0, (ONE.name,))])
    assert again.tasks[0].world == cases[0].tasks[0].world


def test_a_road_back_to_its_own_place_is_idle() -> None:
    loop = Road.between("(go a a)", 0, 0, two_way=True)
    route = Route(0, (loop.name, ONE.name))
    case = case_from_routes(RoadMap(("a", "b"), (loop, ONE)), [route])
    assert case.actions == ("(go a a)", "(go a b)")
    assert case.observations[0].visits_a_state_twice
    graph = build_state_graph(None, case.tasks, None, GraphLimits(), Deadline())
    assert isinstance(graph, StateGraph)
    assert (graph.source.tolist(), graph.target.tolist(), graph.idle.tolist()) == ([0], [1], [0])


def test_parallel_roads_have_costs_of_their_own() -> None:
    """Whatever names they have: nothing is folded or cut."""
    names = ("Main St", "main st", "(x)")
    roads = tuple(Road.between(name, 0, 1) for name in names)
    case = case_from_routes(RoadMap(("A", "a"), roads), [Route(0, ("main st",))] * 2)
    result = learn(case, initial_costs={"Main St": 5, "main st": 7, "(x)": 9})
    assert (result.optimal_plans, result.secondary.value) == (2, 2)
    assert result.costs["(x)"] == 9
    assert result.costs["main st"] <= result.costs["Main St"]


def test_what_cannot_be_driven() -> None:
    one = RoadMap(("a", "b"), (ONE,))
    for route, message in (
        (Route(1, (ONE.name,)), r"step 1 of route 1 takes \(go a b\), which cannot be used at b"),
        (Route(0, ("x",)), "step 1 of route 1 takes x"),
        (Route(0, ()), "route 1 has no road"),
    ):
        with pytest.raises(InputError, match=message):
            case_from_routes(one, [route])
    with pytest.raises(InputError, match="goes from b to a, where there is no road"):
        plan_between(one, {(0, 1): ONE.name}, [0, 1, 0], 1)


def test_several_places_may_be_one_destination() -> None:
    """Two ways into b: 1 and 2 count as b, 3 only as itself."""
    roads = (
        Road("in", ((0, 1),)),
        Road("other", ((0, 2),)),
        Road("on", ((1, 3), (2, 3), (0, 3))),
    )
    town = RoadMap(("a", "b", "b'", "c"), roads, (0, 1, 1, 3))
    routes = [Route(0, ("in",)), Route(0, ("other",)), Route(0, ("other", "on"))]
    case = case_from_routes(town, routes)
    assert [item.task for item in case.observations] == [0, 0, 1]
    graph = build_state_graph(None, case.tasks, None, GraphLimits(), Deadline())
    assert isinstance(graph, StateGraph)
    assert [goals.tolist() for goals in graph.goals] == [[1, 2], [3]]
    result = learn(case)
    assert (result.optimal_plans, result.upper_bound) == (2, 2)

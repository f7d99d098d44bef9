"""Which cases have a map, and what is on it."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings

from conftest import BLOCKS, TABLE_1, WriteGraphCase
from plancost.errors import InputError, UsageError
from plancost.observations.case import Case, load_case
from plancost.observations.planfile import Plan
from plancost.observations.replay import replay
from plancost.pictures.maps import Placed, find_map, scene_of
from plancost.pictures.scene import MOST_COLOURS, Route, Scene, lanes
from plancost.pictures.terrain import find_movement
from support.small_tasks import cases

EXAMPLE = Path(__file__).parents[2] / "examples" / "avoid-the-centre"

DELIVERY = """(define (domain delivery)
  (:requirements :strips :typing)
  (:types van place parcel)
  (:predicates (at ?v - van ?p - place) (lies ?k - parcel ?p - place) (in ?k - parcel ?v - van)
               (road ?a ?b - place))
  (:action drive :parameters (?v - van ?a ?b - place)
    :precondition (and (at ?v ?a) (road ?a ?b)) :effect (and (not (at ?v ?a)) (at ?v ?b)))
  (:action load :parameters (?v - van ?k - parcel ?p - place)
    :precondition (and (at ?v ?p) (lies ?k ?p)) :effect (and (not (lies ?k ?p)) (in ?k ?v)))
  (:action drop :parameters (?v - van ?k - parcel ?p - place)
    :precondition (and (at ?v ?p) (in ?k ?v)) :effect (and (not (in ?k ?v)) (lies ?k ?p))))
"""


def delivery(folder: Path, places: list[str], vans: str, plan: str) -> Case:
    """Places in a row; a parcel at the first must be at the last."""
    roads = " ".join(f"(road {a} {b}) (road {b} {a})" for a, b in pairwise(places))
    folder.mkdir()
    (folder / "domain.pddl").write_text(DELIVERY)
    at = " ".join(f"(at {van} {places[0]})" for van in vans.split())
    (folder / "p.pddl").write_text(
        f"(define (problem p) (:domain delivery) (:objects {' '.join(places)} - place {vans} - van "
        f"k - parcel) (:init {at} (lies k {places[0]}) {roads}) (:goal (lies k {places[-1]})))"
    )
    (folder / "p.plan").write_text(plan)
    return load_case(folder)


def ones(case: Case) -> dict[str, int]:
    return dict.fromkeys(case.actions, 1)


def test_the_example_is_a_grid() -> None:
    case = load_case(EXAMPLE)
    found = find_map(case)
    assert found is not None and found.placed is Placed.NAMES and not found.of_states
    costs = ones(case) | {"(drive car x1y2 x2y2)": 3}
    scene = scene_of(found, case, costs)
    where = {(point.x, point.y): point.name for point in scene.points}
    assert where == {(x, y): f"x{x}y{y}" for x in range(5) for y in range(5)}
    assert len(scene.arrows) == 80 and len(scene.streets) == 40
    (expensive,) = scene.expensive_arrows
    assert expensive.actions == (("(drive car x1y2 x2y2)", 3),)
    assert [scene.points[n].name for n in (expensive.source, expensive.target)] == ["x1y2", "x2y2"]
    route = scene.routes[3]
    assert (route.number, route.name) == (4, "visitor.plan")
    names = [scene.points[stop].name for stop in route.stops]
    assert names == ["x4y3", "x4y2", "x4y1", "x4y0", "x3y0", "x2y0", "x1y0", "x1y1"]


def test_only_some_plans() -> None:
    case = load_case(EXAMPLE)
    found = find_map(case)
    assert found is not None
    scene = scene_of(found, case, ones(case), plans=[2, 4])
    assert [route.number for route in scene.routes] == [2, 4]
    with pytest.raises(UsageError, match=r"plans: there is no plan 5; there are 4"):
        scene_of(found, case, ones(case), plans=[5])
    with pytest.raises(InputError, match=r"there is no cost of \(drive car "):
        scene_of(found, case, {})


def test_places_without_coordinates_are_laid_out(table_1: Path, tmp_path: Path) -> None:
    case = load_case(table_1)
    found = find_map(case)
    assert found is not None and found.placed is Placed.LAYOUT and not found.of_states
    assert scene_of(found, case, ones(case)).names_shown
    file = tmp_path / "places.csv"
    file.write_text("place,x,y\n" + "".join(f"{n},{i},{i * i}\n" for i, n in enumerate("abcdef")))
    found = find_map(case, file)
    assert found is not None and found.placed is Placed.FILE
    assert dict(zip(found.terrain.places, found.positions, strict=True))["c"] == (2, 4)
    file.write_text("place,x,y\na,0,0\n")
    with pytest.raises(InputError, match="no coordinates of b"):
        find_map(case, file)


def test_values_in_the_problem(write_graph_case: WriteGraphCase) -> None:
    folder = write_graph_case(TABLE_1, ["abd"])
    domain = folder / "domain.pddl"
    functions = "(:functions (x ?n - node) (y ?n - node) "
    domain.write_text(domain.read_text().replace("(:functions ", functions))
    values = " ".join(f"(= (x {n}) {3 * i}) (= (y {n}) {i % 2})" for i, n in enumerate("abcdef"))
    problem = folder / "p1.pddl"
    problem.write_text(
        problem.read_text().replace("(= (total-cost) 0)", f"{values} (= (total-cost) 0)")
    )
    found = find_map(load_case(folder))
    assert found is not None and found.placed is Placed.VALUES
    assert dict(zip(found.terrain.places, found.positions, strict=True))["f"] == (15, 1)


def test_one_van_that_also_loads(tmp_path: Path) -> None:
    plan = "(load v k a)\n(drive v a b)\n(drive v b c)\n(drop v k c)\n"
    case = delivery(tmp_path / "one", ["a", "b", "c"], "v", plan)
    found = find_map(case)
    assert found is not None and not found.of_states and found.placed is Placed.LAYOUT
    scene = scene_of(found, case, ones(case))
    assert [scene.points[stop].name for stop in scene.routes[0].stops] == ["a", "b", "c"]
    assert "Only the steps that move are drawn." in scene.notes


def test_two_vans_are_no_map_of_one_thing_that_moves(tmp_path: Path) -> None:
    plan = "(load v k a)\n(drive v a b)\n(drive w a b)\n(drop v k b)\n"
    case = delivery(tmp_path / "two", ["a", "b"], "v w", plan)
    assert find_movement(case) is None
    found = find_map(case)
    assert found is not None and found.of_states  # 2 x 2 x 4 states can be drawn
    assert len(found.positions) == 16
    assert any("(in k v)" in facts for facts in found.terrain.places)
    again = find_map(case, tmp_path / "unread.csv")
    assert again is not None and "coordinates are not used" in again.notes[-1]
    places = [f"p{n}" for n in range(8)]
    drives = "".join(f"(drive v {a} {b})\n" for a, b in pairwise(places))
    plan = f"(load v k p0)\n(drive w p0 p1)\n{drives}(drop v k p7)\n"
    case = delivery(tmp_path / "large", places, "v w", plan)
    assert find_map(case) is None


def test_blocks_are_drawn_as_states(tmp_path: Path) -> None:
    (tmp_path / "domain.pddl").write_text(BLOCKS)
    (tmp_path / "p.pddl").write_text(
        "(define (problem p) (:domain blocks) (:objects a b) (:init (on-table a) (on b a) "
        "(clear b) (hand-empty)) (:goal (and (on-table b) (on a b))))"
    )
    (tmp_path / "p.plan").write_text("(unstack b a)\n(putdown b)\n(pickup a)\n(stack a b)\n")
    case = load_case(tmp_path)
    found = find_map(case)
    assert found is not None and found.of_states
    scene = scene_of(found, case, ones(case))
    assert len(scene.points) == 5 and len(scene.routes[0].stops) == 5
    assert scene.points[scene.routes[0].stops[-1]].note.find("(on a b)") >= 0


@settings(deadline=None, max_examples=60)
@given(cases())
def test_routes_follow_the_ways(drawn: tuple[Case, list[list[Plan]]]) -> None:
    """Whatever map is found: a route is made of ways whose actions the plan has."""
    case, _ = drawn
    found = find_map(case)
    if found is None:
        return
    for observation in case.observations:
        stops = found.terrain.route(observation.task, observation.plan)
        for a, b in pairwise(stops):
            assert set(found.terrain.ways[a, b]) & set(observation.plan)
        states = replay(case.tasks[observation.task].sas, observation.plan).states
        assert 1 <= len(set(stops)) <= len(set(states))  # what does not matter is left out


def test_routes_that_share_a_way_have_different_lanes() -> None:
    routes = [Route(1, "a", (0, 1, 2)), Route(2, "b", (2, 1)), Route(3, "c", (5, 6))]
    shifts = lanes(routes)
    assert shifts[0] != shifts[1] and shifts[2] == shifts[0]
    assert lanes([]) == [] and lanes(routes[:1]) == [0]


def test_routes_without_a_colour_are_counted() -> None:
    routes = tuple(Route(n, f"r{n}", (0, 1), count=2) for n in range(1, MOST_COLOURS + 4))
    scene = Scene((), (), routes)
    assert len(scene.coloured) == MOST_COLOURS
    assert scene.uses == {(0, 1): 6}

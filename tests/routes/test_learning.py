"""Costs of links from trips, against brute force."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.errors import InputError, UsageError
from plancost.learning.problem.options import LearnOptions, OracleName
from plancost.results.reading import read_result
from plancost.routes.costs import LearnedRoutes
from plancost.routes.learning import RouteOptions, learn_routes
from plancost.routes.network import Link, Network, Trip
from plancost.routes.prediction import RouteCosts, score_trips
from plancost.routes.turns import STRAIGHT, Turns
from support.small_networks import (
    draw_trips,
    most_that_can_be_cheapest,
    small_networks,
    small_turns,
)

seeds = st.lists(st.integers(0, 999), min_size=1, max_size=4)


@pytest.mark.parametrize("with_turns", [False, True])
@settings(deadline=None, max_examples=40)
@given(data=st.data())
def test_most_trips_are_cheapest(data: st.DataObject, *, with_turns: bool) -> None:
    network = data.draw(small_networks())
    turns = data.draw(small_turns(network)) if with_turns else None
    trips = draw_trips(network, data.draw(seeds), turns)
    if not trips:
        return
    result = learn_routes(network, trips, RouteOptions(turns=turns))
    assert result.proved
    assert result.optimal_plans == most_that_can_be_cheapest(network, trips, turns)
    names = {link.name for link in network.links if not link.is_loop}
    assert names <= result.costs.keys() <= names | set(turns.names if turns else ())
    costs = replace(LearnedRoutes.of(result), turns=turns).group(None)
    scores = [score for score, _ in score_trips(network, costs, trips)]
    assert [score.optimal for score in scores] == [item.optimal for item in result.observations]
    for score, item in zip(scores, result.observations, strict=True):
        assert (score.cost, score.predicted.cost) == (item.cost, item.optimal_cost)


def town(**minutes: str) -> Network:
    """Two streets from a to c: by b, and directly."""
    ends = {"Ab": ("a", "b"), "ab": ("b", "c"), "long": ("a", "c")}
    links = (Link(name, *ends[name], {"minutes": Fraction(text)}) for name, text in minutes.items())
    return Network(tuple(links))


def test_refined_minutes_stay_close(tmp_path: Path) -> None:
    network = town(Ab="0.125", ab="0", long="0.5")
    trips = [Trip("1", ("long",), 2, line=2), Trip("2", ("Ab", "ab"), line=3)]
    result = learn_routes(network, trips, RouteOptions("minutes"), source=Path("trips.csv"))
    assert result.options["initial"] == "minutes"
    assert result.options["scale"] == 8
    assert result.initial_costs == {"Ab": 1, "ab": 1, "long": 4}
    assert (result.optimal_plans, result.secondary.value) == (3, 2)
    assert [(item.plan, item.problem, item.line) for item in result.observations] == [
        ("1", "from a to c", 2),
        ("2", "from a to c", 3),
    ]
    assert any("1 of 3 links have 0 minutes" in note for note in result.notes)
    result.write(tmp_path / "r.json")
    again = read_result(tmp_path / "r.json")
    assert again.costs == result.costs
    assert again.trips == result.trips
    assert again.observations == result.observations
    coarse = learn_routes(network, trips, RouteOptions("minutes", scale=2))
    assert coarse.initial_costs == {"Ab": 1, "ab": 1, "long": 1}


def test_parallel_links_and_names_as_they_are() -> None:
    links = (Link("A 1", "x", "y"), Link("a 1", "x", "y"), Link("(a 1)", "x", "y"))
    trips = [Trip("t", ("a 1",)), Trip("u//v", ("(a 1)",))]
    result = learn_routes(Network(links), trips, RouteOptions())
    assert result.costs.keys() == {"A 1", "a 1", "(a 1)"}
    assert result.optimal_plans == 2
    assert result.observations[1].plan == "u||v"
    strict = RouteOptions(learning=LearnOptions(concept="scf"))  # type: ignore[arg-type]
    assert learn_routes(Network(links), trips, strict).optimal_plans == 1


def test_trips_that_visit_a_place_twice() -> None:
    links = [("1", "a", "b"), ("2", "b", "c"), ("3", "c", "b"), ("4", "b", "d"), ("5", "b", "b")]
    network = Network(tuple(Link(*names) for names in links))
    trips = [Trip("t", ("1", "2", "3", "4"), 2), Trip("u", ("1", "5", "4"))]
    whole = learn_routes(network, trips)
    assert (whole.plans, whole.optimal_plans) == (3, 1)
    assert whole.trips is not None
    assert (whole.trips.trips, whole.trips.optimal_trips, whole.trips.split_trips) == (3, 1, 0)
    assert any("1 of 2 trips visit a place twice" in note for note in whole.notes)
    assert any("1 link is left out" in note for note in whole.notes)
    cut = learn_routes(network, trips, RouteOptions(split=True))
    assert (cut.plans, cut.optimal_plans) == (5, 5)
    assert cut.trips is not None
    assert (cut.trips.trips, cut.trips.optimal_trips, cut.trips.split_trips) == (3, 3, 2)
    assert cut.trips.cuts == {"c": 2}
    assert [item.plan for item in cut.observations] == ["t part 1 of 2", "t part 2 of 2", "u"]
    assert "1 trips visit a place twice and were cut into 2 parts" in cut.notes


def test_groups_have_costs_of_their_own() -> None:
    network = town(Ab="1", ab="1", long="1")
    trips = [
        Trip("1", ("Ab", "ab"), group="bus"),
        Trip("2", ("long",), group="car"),
        Trip("3", ("Ab", "ab"), group="bus"),
    ]
    strict = LearnOptions(concept="scf")  # type: ignore[arg-type]
    result = learn_routes(network, trips, RouteOptions(learning=strict))
    assert {group.name: group.optimal_plans for group in result.groups} == {"bus": 2, "car": 1}
    learned = LearnedRoutes.of(result)
    assert learned.group("bus") != learned.group("car")
    with pytest.raises(InputError, match="there is no group 'x'; choose one of bus, car"):
        learned.group("x")


def test_turns_explain_what_links_cannot() -> None:
    """Two trips cross the same junction; which is cheapest depends on where one turns."""
    names = [("1", "a", "m"), ("2", "m", "c"), ("3", "a", "b"), ("4", "b", "c")]
    network = Network(tuple(Link(*name) for name in names))
    turns = Turns({("1", "2"): "left"}, given={"left": Fraction(3)})
    result = learn_routes(network, [Trip("t", ("3", "4"))], RouteOptions(turns=turns))
    assert result.costs.keys() == {"1", "2", "3", "4", "turn:left"}
    assert result.options["turns"] == "coordinates"
    with pytest.raises(InputError, match="a link must not be called turn:left"):
        extra = Network((*network.links, Link("turn:left", "a", "b")))
        learn_routes(extra, [Trip("t", ("3",))], RouteOptions(turns=turns))
    costs = RouteCosts({"1": 1, "2": 1, "3": 1, "4": 2, "turn:left": 3}, turns=turns)
    ((score, _),) = score_trips(network, costs, [Trip("t", ("1", "2"))])
    assert (score.cost, score.predicted.links) == (5, ("3", "4"))


def test_wrong_questions() -> None:
    network = town(Ab="1", ab="1", long="1")
    with pytest.raises(UsageError, match="scale goes with initial"):
        RouteOptions(scale=3)
    with pytest.raises(UsageError, match="not by a planner"):
        RouteOptions(learning=LearnOptions(oracle=OracleName.SYMK))
    with pytest.raises(InputError, match="link Ab has no metres"):
        learn_routes(network, [Trip("1", ("long",))], RouteOptions("metres"))
    with pytest.raises(InputError, match="there is no trip"):
        learn_routes(network, [], RouteOptions())
    wrong = Network((Link("1", "a", "b", {"minutes": Fraction(-1)}),))
    with pytest.raises(InputError, match="must not be negative"):
        learn_routes(wrong, [Trip("1", ("1",))], RouteOptions("minutes"))


@settings(deadline=None, max_examples=20)
@given(data=st.data())
def test_costs_of_all_turns_lose_no_trip(data: st.DataObject) -> None:
    """If every turn has a class, equal costs of all classes are the model without turns."""
    network = data.draw(small_networks())
    some = data.draw(small_turns(network))
    classes = {
        (before.name, after.name): some.classes.get((before.name, after.name), STRAIGHT)
        for before in network.links
        for after in network.leaving.get(before.end, ())
    }
    trips = draw_trips(network, data.draw(seeds), None)
    if not trips:
        return
    with_turns = learn_routes(network, trips, RouteOptions(turns=Turns(classes)))
    without = learn_routes(network, trips, RouteOptions())
    assert with_turns.proved
    assert without.proved
    assert with_turns.optimal_plans >= without.optimal_plans


def test_dropped_trips_are_not_counted() -> None:
    network = town(Ab="1", ab="1", long="1")
    trips = [
        Trip("x", ("Ab", "ab"), 3, line=2),
        Trip("y", ("long",), line=3),
        Trip("z", ("Ab",), line=4),
    ]
    result = learn_routes(network, trips, drop=("y",))
    assert [(item.plan, item.line) for item in result.observations] == [("x", 2), ("z", 4)]
    assert result.trips is not None
    assert (result.trips.trips, result.trips.optimal_trips) == (4, 4)
    grouped = [replace(trip, group=name) for trip, name in zip(trips, "ghg", strict=True)]
    result = learn_routes(network, grouped, drop=("x",))
    assert [(item.plan, item.line) for item in result.observations] == [("y", 3), ("z", 4)]


def test_dropped_parts_of_trips() -> None:
    links = [("1", "a", "b"), ("2", "b", "c"), ("3", "c", "b"), ("4", "b", "d"), ("5", "a", "b")]
    network = Network(tuple(Link(*names) for names in links))
    back = ("2", "3")
    trips = [Trip("t", ("1", *back, "4"), 2), Trip("u", ("5",)), Trip("v", back)]
    cut = learn_routes(network, trips, split=True, drop=("t part 1 of 2", "u"))
    names = ["t part 2 of 2", "v part 1 of 2", "v part 2 of 2"]
    assert [item.plan for item in cut.observations] == names
    assert cut.trips is not None
    assert (cut.trips.trips, cut.trips.optimal_trips, cut.trips.cuts) == (3, 3, {"c": 3})
    assert "2 trips visit a place twice and were cut into 4 parts" in cut.notes
    whole = learn_routes(network, trips, drop=("t",))
    assert any("1 of 2 trips visit a place twice" in note for note in whole.notes)
    assert whole.trips is not None
    assert (whole.trips.trips, whole.trips.optimal_trips) == (2, 1)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"trips": None}, "trips must be several Trip.* not None"),
        ({"trips": [("x", ("long",))]}, r"trips must be several Trip.* not \('x'"),
        ({"network": None}, "network must be a Network.* not None"),
        ({"network": "links.csv"}, r"such as read_network\(path\), not 'links.csv'"),
        ({"initial": "minutes", "scale": 2.5}, "scale takes a whole number of at least 1, not 2.5"),
        ({"initial": 5}, "initial takes the name of a column, not 5"),
        ({"turns": "coordinates"}, "turns must be Turns"),
        ({"learning": None}, "learning must be LearnOptions"),
    ],
)
def test_what_callers_give_is_checked(words: dict[str, Any], message: str) -> None:
    given: dict[str, Any] = {"network": town(Ab="1", ab="1"), "trips": [Trip("x", ("Ab",))]}
    with pytest.raises(UsageError, match=message):
        learn_routes(**(given | words))


def test_any_iterable_of_trips() -> None:
    trips = (Trip(name, ("long",)) for name in "xy")
    assert learn_routes(town(Ab="1", ab="1", long="1"), trips).plans == 2


def test_a_forbidden_turn_is_named() -> None:
    turns = Turns({}, frozenset({("Ab", "ab")}))
    with pytest.raises(InputError, match="trip x turns from link Ab into ab, which is forbidden"):
        learn_routes(town(Ab="1", ab="1"), [Trip("x", ("Ab", "ab"))], turns=turns)

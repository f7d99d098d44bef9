"""What the map shows of trips."""

from __future__ import annotations

from dataclasses import replace

import pytest

from plancost.errors import InputError
from plancost.routes.network import Link, Network, Trip
from plancost.routes.page import shown as module
from plancost.routes.page.shown import find_shown
from plancost.routes.turns import Turns
from support.towns import cheapest, costs_of, grid_town, random_trips, result_of

LINKS = (Link("ab", "a", "b"), Link("bc", "b", "c"), Link("ac", "a", "c"), Link("cc", "c", "c"))
NETWORK = Network((*LINKS, Link("cd", "c", "d")), source="links.csv")
COSTS = {"ab": 1, "bc": 1, "ac": 3, "cd": 5}
TRIPS = (Trip("one", ("ab", "bc", "cc")), Trip("two", ("ac", "cd")), Trip("three", ("cd",)))


def test_verdicts_costs_and_alternatives() -> None:
    found = find_shown(result_of(NETWORK, TRIPS[1:], COSTS), NETWORK, TRIPS)
    one, two, three = found.trips
    assert (one.optimal, one.cost, one.best, one.item) == (True, 2, 2, None)
    assert one.alternative is not None and one.alternative.links == (2,)
    assert (two.optimal, two.cost, two.best) == (False, 8, 7)
    assert two.alternative is not None and two.alternative.links == (0, 1, 3)
    assert three.optimal and three.alternative is None
    assert [link.name for link in found.network.links] == ["ab", "bc", "ac", "cd"]
    assert found.least is not None and found.least.tolist() == [0, 0, 2, 0]
    assert found.undetermined == ()


def test_a_result_that_must_be_strict() -> None:
    costs = {**COSTS, "ac": 2}
    told = replace(result_of(NETWORK, TRIPS[1:], costs), observations=())
    found = find_shown(replace(told, strict=True), NETWORK, TRIPS)
    assert [item.optimal for item in found.trips] == [False, False, True]
    assert [item.optimal for item in find_shown(told, NETWORK, TRIPS).trips] == [True] * 3


def test_what_does_not_belong_together() -> None:
    told = result_of(NETWORK, TRIPS[1:], COSTS)
    less = {name: cost for name, cost in COSTS.items() if name != "cd"}
    with pytest.raises(InputError, match=r"link cd of links\.csv has no cost"):
        find_shown(replace(told, costs=less), NETWORK, TRIPS)
    with pytest.raises(InputError, match="there is no link xy, which trip four uses"):
        find_shown(told, NETWORK, [Trip("four", ("xy",))])
    with pytest.raises(InputError, match="trip two costs 9 under these costs and not 8"):
        find_shown(replace(told, costs={**COSTS, "cd": 6}), NETWORK, TRIPS)
    with pytest.raises(InputError, match=r"^links\.csv: there is no link to draw"):
        find_shown(told, Network(LINKS[3:], source="links.csv"), [])


def test_a_slash_in_the_name_of_a_trip() -> None:
    told = result_of(NETWORK, [Trip("1|2", ("ac", "cd"))], COSTS)
    (found,) = find_shown(told, NETWORK, [Trip("1/2", ("ac", "cd"))]).trips
    assert found.item is told.observations[0]


def test_turns_are_part_of_the_cost() -> None:
    turns = Turns({("ab", "bc"): "left", ("bc", "cd"): "right"})
    costs = {**COSTS, "turn:left": 2, "turn:right": 7}
    told = replace(result_of(NETWORK, [], costs), costs=costs)
    one, two, three = find_shown(told, NETWORK, TRIPS, turns).trips
    assert (one.optimal, one.cost, one.best) == (False, 4, 3)
    assert one.alternative is not None and one.alternative.links == (2,)
    assert (two.optimal, two.cost) == (True, 8)
    assert two.alternative is not None
    assert (two.alternative.links, two.alternative.cost) == ((0, 1, 3), 16)
    assert three.optimal


def test_what_is_too_large_to_search_is_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_WORK", 3)
    found = find_shown(result_of(NETWORK, TRIPS[1:], COSTS), NETWORK, TRIPS)
    assert [item.optimal for item in found.trips] == [None, False, True]
    assert found.least is None and found.undetermined == ()


def test_verdicts_of_a_whole_town() -> None:
    town = grid_town(9, 8)
    costs = costs_of(town)
    trips = random_trips(town, costs, 60)
    told = result_of(town, trips, costs)
    searched = find_shown(replace(told, observations=()), town, trips)
    assert [item.optimal for item in searched.trips] == [item.optimal for item in told.observations]
    assert {item.optimal for item in searched.trips} == {True, False}
    for item in searched.trips:
        assert item.alternative is not None
        names = [searched.network.links[link].name for link in item.alternative.links]
        assert tuple(names) != item.trip.links
        if not item.optimal:
            start = town.by_name[names[0]].start
            end = town.by_name[names[-1]].end
            best = cheapest(town, costs, start, end)
            assert best is not None
            assert item.alternative.cost == sum(costs[name] for name in best)

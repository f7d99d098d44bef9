"""Held-out trips: every method in one table."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from plancost.errors import UsageError
from plancost.learning.problem.concept import Concept, Solution
from plancost.learning.problem.options import LearnOptions
from plancost.routes.evaluation import RouteEvaluateOptions, evaluate_routes, folds
from plancost.routes.learning import RouteOptions
from plancost.routes.methods import Found, Unavailable, find_costs
from plancost.routes.network import Link, Network, Trip

# People drive 1 and 2, although 3 takes less time.
NETWORK = Network(
    tuple(
        Link(name, start, end, {"minutes": Fraction(minutes)})
        for name, start, end, minutes in [
            ("1", "a", "b", 2),
            ("2", "b", "c", 2),
            ("3", "a", "c", 3),
            ("4", "c", "d", 1),
        ]
    )
)
TRIPS = [Trip(str(number), ("1", "2", "4"), group="g") for number in range(10)]


def test_all_methods() -> None:
    options = RouteEvaluateOptions(2, routes=RouteOptions("minutes"))
    found = evaluate_routes(NETWORK, TRIPS, options)
    by_name = {item.method: item for item in found.summaries}
    assert list(by_name) == [
        "unit",
        "minutes",
        "maxent",
        "ours",
        "refined",
        "likely",
        "likely-refined",
    ]
    for name, share in (
        ("minutes", 0.0),
        ("maxent", 1.0),
        ("refined", 1.0),
        ("likely", 1.0),
        ("likely-refined", 1.0),
    ):
        held_out = by_name[name].held_out
        assert held_out is not None
        assert (held_out.trips, held_out.optimal) == (10, share)
    assert by_name["unit"].to_json()["held_out_optimal"] == 0.0
    assert len(found.rows()) == 70
    assert found.to_json()["methods"][1]["method"] == "minutes"
    assert found.notes == ()
    table = found.table()
    assert [row[0] for row in table.rows] == list(by_name)
    assert "| refined | 1.000 |" in table.markdown()


def test_every_group_is_learned_and_predicted_by_itself() -> None:
    other = [Trip(f"o{number}", ("3", "4"), group="h") for number in range(10)]
    trips = [*TRIPS, *other]

    def optimal(groups: int | None) -> tuple[float, float]:
        learning = LearnOptions(concept=Concept(Solution.SCF), groups=groups)
        routes = RouteOptions("minutes", learning=learning)
        options = RouteEvaluateOptions(2, ("minutes", "refined"), routes=routes)
        found = evaluate_routes(NETWORK, trips, options)
        assert len(found.rows()) == 40
        shares = [item.held_out for item in found.summaries]
        assert all(item is not None and item.trips == 20 for item in shares)
        one, two = (item.exact for item in shares if item is not None)
        return one, two

    assert optimal(None) == (0.5, 1.0)
    assert optimal(1)[1] < 1.0
    with pytest.raises(UsageError, match="or groups=1"):
        optimal(2)


def test_a_group_of_one_trip_is_predicted_by_the_costs_of_all() -> None:
    lonely = Trip("l", ("1", "2", "4"), group="lonely")
    options = RouteEvaluateOptions(2, ("refined",), routes=RouteOptions("minutes"))
    found = evaluate_routes(NETWORK, [*TRIPS, lonely], options)
    assert [row["optimal"] for row in found.rows() if row["trip"] == "l"] == [1]
    assert found.notes == (
        "trips of lonely were predicted by the costs of all trips: no trip of the group was "
        "learned from",
    )


def test_folds_hold_out_every_trip_once() -> None:
    held = [trip.name for _, test in folds(TRIPS, 3, seed=1) for trip in test]
    assert sorted(held) == sorted(trip.name for trip in TRIPS)
    for train, test in folds(TRIPS, 3, seed=1):
        assert {trip.name for trip in train}.isdisjoint({trip.name for trip in test})
        assert len(train) + len(test) == 10
    assert list(folds(TRIPS, 3, seed=1)) == list(folds(TRIPS, 3, seed=1))


def test_what_cannot_be_measured_is_said() -> None:
    short = RouteOptions(learning=LearnOptions(time_limit_s=1e-6))
    assert isinstance(find_costs("maxent", NETWORK, TRIPS, short), Unavailable)
    options = RouteEvaluateOptions(2, ("maxent:4",), routes=short)
    (summary,) = evaluate_routes(NETWORK, TRIPS, options).summaries
    assert summary.held_out is None
    assert summary.reason == "maximum entropy did not end within the time limit"


@pytest.mark.parametrize(
    ("methods", "message"),
    [
        (
            ("best",),
            "unknown method 'best'; known are unit, maxent, ours, refined, likely, ",
        ),
        (("maxent:x",), "unknown method 'maxent:x'"),
        (("likely:2",), "unknown method 'likely:2'"),
        (("likely-refined:0",), "the method likely-refined needs initial=COLUMN"),
        (("refined",), "the method refined needs initial=COLUMN"),
    ],
)
def test_wrong_methods(methods: tuple[str, ...], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        evaluate_routes(NETWORK, TRIPS, RouteEvaluateOptions(2, methods))
    with pytest.raises(UsageError, match="folds takes"):
        RouteEvaluateOptions(1)
    with pytest.raises(UsageError, match="there are only 10 trips for 11 folds"):
        evaluate_routes(NETWORK, TRIPS, RouteEvaluateOptions(11))


@pytest.mark.parametrize(("limit", "least", "most"), [((0.2, 0.4), 4, 8), (0.3, 6, 6)])
def test_bounds_mean_the_same_for_all_methods(limit: object, least: int, most: int) -> None:
    """They are in minutes, here 20 units, also for methods that do not start from minutes."""
    halves = {"minutes": Fraction(1, 4)}
    network = Network(tuple(replace(link, numbers=halves) for link in NETWORK.links))
    options = RouteOptions("minutes", limits={"1": limit})  # type: ignore[arg-type]
    trips = [Trip("x", ("1", "2", "4"))]
    for method, scale in (("ours", None), ("refined", 20), ("likely:0", None)):
        found = find_costs(method, network, trips, options)
        assert isinstance(found, Found)
        assert found.result is not None
        assert found.result.options.get("scale") == scale
        assert least <= found.costs.costs["1"] <= most


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"folds": "3"}, "folds takes a whole number of at least 2, not '3'"),
        ({"folds": 2.5}, "folds takes a whole number of at least 2, not 2.5"),
        ({"folds": None}, "folds takes a whole number of at least 2, not None"),
        ({"methods": (5,)}, "methods takes names"),
        ({"methods": 5}, "methods takes names"),
        ({"routes": None}, "routes must be RouteOptions"),
        ({"trips": None}, "trips must be several Trip"),
        ({"network": None}, "network must be a Network"),
    ],
)
def test_what_callers_give_is_checked(words: dict[str, Any], message: str) -> None:
    given: dict[str, Any] = {"network": NETWORK, "trips": TRIPS, "folds": 2, "methods": "unit"}
    with pytest.raises(UsageError, match=message):
        evaluate_routes(**(given | words))
    assert [item.method for item in evaluate_routes(**given).summaries] == ["unit"]

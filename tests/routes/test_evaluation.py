"""Held-out trips: every method in one table."""

from __future__ import annotations

from fractions import Fraction

import pytest

from plancost.errors import UsageError
from plancost.learning.problem.options import LearnOptions
from plancost.routes.evaluation import RouteEvaluateOptions, evaluate_routes, folds
from plancost.routes.learning import RouteOptions
from plancost.routes.methods import Unavailable, find_costs
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
    assert found.notes == (
        "the group column is not used: one cost function is learned for all trips",
    )
    table = found.table()
    assert [row[0] for row in table.rows] == list(by_name)
    assert "| refined | 1.000 |" in table.markdown()


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
        (("likely-refined:0",), "the method likely-refined needs --initial COLUMN"),
        (("refined",), "the method refined needs --initial COLUMN"),
    ],
)
def test_wrong_methods(methods: tuple[str, ...], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        evaluate_routes(NETWORK, TRIPS, RouteEvaluateOptions(2, methods))
    with pytest.raises(UsageError, match="--folds takes"):
        RouteEvaluateOptions(1)
    with pytest.raises(UsageError, match="there are only 10 trips for 11 folds"):
        evaluate_routes(NETWORK, TRIPS, RouteEvaluateOptions(11))

"""Predicted routes as rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from plancost.errors import InputError
from plancost.routes.costs import LearnedRoutes
from plancost.routes.network import Link, Network, Trip
from plancost.routes.prediction_tables import Predictions
from plancost.routes.read_pairs import Pair

NETWORK = Network((Link("1", "a", "b"), Link("2", "b", "c"), Link("3 x", "a", "c")))
COSTS = {"1": 1, "2": 1, "3 x": 3}


def test_rows_of_pairs() -> None:
    pairs = [Pair("a", "c", 2), Pair("c", "a", 3)]
    found = Predictions.of_pairs(NETWORK, LearnedRoutes(COSTS), pairs, 2)
    assert found.rows() == [
        {"from": "a", "to": "c", "rank": 1, "cost": 2, "links": "1; 2"},
        {"from": "a", "to": "c", "rank": 2, "cost": 3, "links": "3 x"},
    ]
    assert found.notes(Path("p.csv")) == ["p.csv:3: there is no route from c to a"]
    assert found.summary().rows == (("2", "2"),)
    assert list(found.to_json()) == ["routes"]


def test_each_trip_by_the_costs_of_its_group() -> None:
    groups = {"slow": COSTS, "fast": {"1": 9, "2": 9, "3 x": 3}}
    learned = LearnedRoutes(COSTS, groups)
    trips = [Trip("t", ("1", "2"), 2, "slow"), Trip("u", ("1", "2"), 1, "fast")]
    found = Predictions.of_trips(NETWORK, learned, trips)
    assert [(row["trip"], row["driven_cost"], row["optimal"]) for row in found.rows()] == [
        ("t", 2, 1),
        ("u", 18, 0),
    ]
    assert found.shares is not None
    assert found.shares.trips == 3
    assert found.shares.exact == pytest.approx(2 / 3)
    assert found.summary().rows == (("3", "0.667", "0.667", "0.667"),)
    alike = Predictions.of_trips(NETWORK, learned, trips, group="slow")
    assert [row["optimal"] for row in alike.rows()] == [1, 1]
    with pytest.raises(InputError, match="a trip has no group; choose one of slow, fast"):
        Predictions.of_trips(NETWORK, learned, [Trip("t", ("1", "2"))])

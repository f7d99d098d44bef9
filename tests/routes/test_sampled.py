"""Routes under samples of street costs, against brute force over all routes."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.errors import InputError, UsageError
from plancost.results.samples import Samples
from plancost.routes.costs import LearnedRoutes
from plancost.routes.network import Link, Network
from plancost.routes.prediction import predict_routes
from plancost.routes.prediction_tables import Predictions
from plancost.routes.read_pairs import Pair
from plancost.routes.sampled import SampledRoutes, ask_routes
from plancost.system.clock import Deadline
from support.small_networks import PLACES, actions_of, routes_between, small_networks, small_turns


@pytest.mark.parametrize("with_turns", [False, True])
@settings(max_examples=40)
@given(data=st.data())
def test_as_brute_force_says(data: st.DataObject, *, with_turns: bool) -> None:
    network = data.draw(small_networks())
    turns = data.draw(small_turns(network)) if with_turns else None
    links = [link.name for link in network.links if not link.is_loop]
    names = [*links, *(turns.names if turns else ())]
    row = st.lists(st.integers(1, 9), min_size=len(names), max_size=len(names))
    rows = np.array(data.draw(st.lists(row, min_size=1, max_size=3)), dtype=float)
    costs = LearnedRoutes(dict.fromkeys(names, 2), turns=turns)
    known = set(network.place_names)
    pairs = [Pair(a, b) for a, b in product(PLACES, PLACES) if a != b and {a, b} <= known]
    routes = predict_routes(network, costs.group(None), pairs, 2)
    sampled = SampledRoutes(network, costs, routes, Samples(tuple(names), rows))
    chances = sampled.chances(sampled.outlooks(Deadline()))
    place = {name: column for column, name in enumerate(names)}

    def cost(route: tuple[str, ...]) -> np.ndarray:
        counts = actions_of(route, turns)
        each = [often * rows[:, place[name]] for name, often in counts.items()]
        return np.asarray(np.sum(each, axis=0))

    for pair, own, found in zip(pairs, routes, chances, strict=True):
        everything = [cost(route) for route in routes_between(network, pair.start, pair.end, turns)]
        for route, chance in zip(own, found, strict=True):
            assert chance is not None
            least = np.min(everything, axis=0)
            assert chance.probability == np.mean(cost(route.links) == least)
            regret = np.mean(cost(route.links) / least)
            assert chance.expected_regret == pytest.approx(regret, rel=1e-4)


SQUARE = Network(
    tuple(Link(f"{a}{b}", a, b) for a, b in (("a", "b"), ("b", "d"), ("a", "c"), ("c", "d")))
)
NAMES = ("ab", "bd", "ac", "cd")
COSTS = LearnedRoutes(dict(zip(NAMES, (2, 2, 3, 2), strict=True)))
DRAWN = Samples(NAMES, np.array([[1.0, 1, 2, 1], [1, 1, 3, 1], [4, 1, 2, 1]]))


def test_predictions_with_probabilities() -> None:
    pairs = [Pair("a", "d"), Pair("a", "a"), Pair("d", "a")]
    found = Predictions.of_pairs(SQUARE, COSTS, pairs, 2).with_samples(COSTS, DRAWN)
    rows = [(row["links"], row["probability"]) for row in found.rows()]
    assert rows[:2] == [("ab bd", 0.666667), ("ac cd", 0.333333)]
    assert all(probability is None for _, probability in rows[2:])
    assert found.rows()[0]["expected_regret"] == pytest.approx((1 + 1 + 5 / 3) / 3, abs=1e-4)


def test_which_pair_to_ask_for() -> None:
    pairs = [Pair("a", "b"), Pair("a", "d"), Pair("d", "a")]
    found = ask_routes(SQUARE, COSTS, pairs, DRAWN)
    assert [task.name for task in found.tasks] == ["from a to d", "from a to b"]
    assert [task.score for task in found.tasks] == pytest.approx([1.0, 0.0])
    assert found.notes == ("1 pairs have no route, or need none",)
    assert [task.name for task in ask_routes(SQUARE, COSTS, pairs, DRAWN, 1).tasks] == [
        "from a to d"
    ]


def test_what_does_not_fit() -> None:
    with pytest.raises(InputError, match="no route between any"):
        ask_routes(SQUARE, COSTS, [Pair("d", "a")], DRAWN)
    with pytest.raises(InputError, match="another result"):
        ask_routes(SQUARE, LearnedRoutes({**COSTS.costs, "x": 1}), [Pair("a", "d")], DRAWN)
    grouped = LearnedRoutes(COSTS.costs, {"one": COSTS.costs})
    with pytest.raises(UsageError, match="groups"):
        SampledRoutes(SQUARE, grouped, [], DRAWN)
    larger = Network((*SQUARE.links, Link("da", "d", "a")))
    routes = predict_routes(SQUARE, COSTS.group(None), [Pair("a", "d")])
    with pytest.raises(InputError, match="da has no cost in the samples"):
        SampledRoutes(larger, COSTS, routes, DRAWN)

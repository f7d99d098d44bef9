"""The choice `likely` from files to result: both ends of the path, and what is in between."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.api.learn import learn
from plancost.errors import UsageError
from plancost.learning.problem.concept import Concept, Solution
from plancost.learning.problem.options import Choose, LearnOptions
from plancost.observations.case import Case
from plancost.observations.planfile import Plan, plan_cost
from plancost.routes.learning import RouteOptions, learn_routes
from plancost.routes.maxent import LinkEntropy
from plancost.routes.network import Link, Network, Trip
from support.small_networks import draw_trips, small_networks
from support.small_tasks import cases

LIKELY = LearnOptions(choose=Choose.LIKELY)


@settings(deadline=None, max_examples=10)
@given(found=cases(), weight=st.sampled_from([None, 0.0, 0.5, 1.0]))
def test_what_is_said_to_be_optimal_is(
    found: tuple[Case, list[list[Plan]]], weight: float | None
) -> None:
    case, plans = found
    least = learn(case)
    result = learn(case, replace(LIKELY, optimality_weight=weight))
    assert result.verified
    assert result.choice is not None
    assert result.upper_bound == least.upper_bound
    assert result.optimal_plans == result.believed_optimal
    for observation, item in zip(case.observations, result.observations, strict=True):
        costs = [plan_cost(plan, result.costs) for plan in plans[observation.task]]
        assert item.optimal == (plan_cost(observation.plan, result.costs) == min(costs))
    ends = {
        point["weight"]: point["optimal_plans"]
        for point in result.choice["path"]
        if "optimal_plans" in point
    }
    assert ends[result.choice["optimality_weight"]] == result.optimal_plans
    assert ends[1] == least.optimal_plans
    if weight == 1:
        assert result.optimal_plans == least.optimal_plans


@settings(deadline=None, max_examples=10)
@given(network=small_networks(), seeds=st.lists(st.integers(0, 999), min_size=1, max_size=4))
def test_at_0_costs_are_those_of_maximum_entropy(network: Network, seeds: list[int]) -> None:
    trips = draw_trips(network, seeds)
    if not trips:
        return
    options = RouteOptions(learning=replace(LIKELY, optimality_weight=0.0))
    result = learn_routes(network, trips, options)
    assert result.choice is not None
    expected = LinkEntropy(network, trips, spread=result.choice["spread"]).learn()
    assert expected is not None
    for name, cost in expected.items():
        assert result.costs[name] == pytest.approx(cost, abs=20)
    assert result.tie_break == result.costs


TOWN = Network((Link("1", "a", "b"), Link("2", "b", "c"), Link("3", "a", "c"), Link("4", "c", "a")))


def test_the_weight_decides_whether_a_rare_trip_is_optimal() -> None:
    trips = [Trip("often", ("1", "2"), 9), Trip("rarely", ("3",))]
    shares = []
    for weight in (0.0, 1.0):
        options = RouteOptions(learning=replace(LIKELY, optimality_weight=weight))
        shares.append(learn_routes(TOWN, trips, options).optimal_plans)
    assert shares == [9, 10]


def test_a_weight_goes_with_likely_costs() -> None:
    with pytest.raises(UsageError, match="goes with choose='likely'"):
        LearnOptions(optimality_weight=0.5)
    with pytest.raises(UsageError, match="goes with solution='mcf' or scf"):
        replace(LIKELY, concept=Concept(Solution.ICF))
    with pytest.raises(UsageError, match="from 0 to 1"):
        replace(LIKELY, optimality_weight=1.5)


@pytest.mark.parametrize(
    "more", [{"max_cost": 5}, {"suboptimality": "1.5"}], ids=["bounds", "suboptimality"]
)
def test_what_does_not_go_with_likely_costs_is_said(more: dict[str, Any]) -> None:
    options = RouteOptions(learning=replace(LIKELY, **more))
    result = learn_routes(TOWN, [Trip("x", ("1", "2"))], options)
    assert result.choice is None
    assert any("do not go with likelihood" in note for note in result.notes)


def test_initial_costs_are_the_centre_of_the_prior() -> None:
    """A link that is never driven keeps its part of the initial cost, in the same unit."""
    minutes = {"1": 10, "2": 10, "3": 30, "4": 500}
    links = (
        Link(link.name, link.start, link.end, {"minutes": Fraction(minutes[link.name])})
        for link in TOWN.links
    )
    trips = [Trip("by b", ("1", "2"), 20), Trip("directly", ("3",), 5)]
    options = RouteOptions("minutes", learning=replace(LIKELY, optimality_weight=0.0))
    result = learn_routes(Network(tuple(links)), trips, options)
    assert result.choice is not None
    assert result.refined
    assert result.costs["4"] > result.costs["3"] > result.costs["1"] + result.costs["2"]

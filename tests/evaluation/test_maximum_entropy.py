"""Maximum-entropy IRL against enumerated paths and finite differences on tiny graphs."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.evaluation.maximum_entropy import (
    LEAST_COST,
    SPREADS,
    Journey,
    MaximumEntropy,
    fits,
    learn_with_best_spread,
    whole_costs,
)
from plancost.oracles.state_graph import StateGraph
from plancost.system.clock import Deadline


def graph_of(
    edges: list[tuple[int, int, str]], tasks: list[tuple[int, list[int]]], states: int
) -> StateGraph:
    """A state graph from ``(source, target, action)`` and ``(initial, goal states)``."""
    names = tuple(sorted({name for _, _, name in edges}))
    number = {name: position for position, name in enumerate(names)}
    ordered = sorted((source, number[name], target) for source, target, name in edges)
    return StateGraph(
        names,
        states,
        np.array([source for source, _, _ in ordered], dtype=np.int32),
        np.array([target for _, _, target in ordered], dtype=np.int32),
        np.array([action for _, action, _ in ordered], dtype=np.int32),
        tuple(start for start, _ in tasks),
        tuple(np.array(goal, dtype=np.int64) for _, goal in tasks),
        np.array([], dtype=np.int64),
    )


def paths(graph: StateGraph, start: int, goal: set[int], most: int) -> list[tuple[int, ...]]:
    """All ways (as actions) that end where they first reach the goal, by enumeration."""
    if start in goal:
        return [()]
    if most == 0:
        return []
    first, stop = graph.first_transition[start : start + 2]
    return [
        (int(graph.action[step]), *rest)
        for step in range(int(first), int(stop))
        for rest in paths(graph, int(graph.target[step]), goal, most - 1)
    ]


@st.composite
def graphs_with_plans(draw: st.DrawFn) -> tuple[StateGraph, list[Journey]]:
    """Up to four states, five transitions (parallel ones and shared labels too), two tasks."""
    pairs = [(a, b) for a in range(4) for b in range(4) if a != b]
    edges = {}
    for source, target in draw(st.lists(st.sampled_from(pairs), min_size=2, max_size=5)):
        name = f"({draw(st.sampled_from('abc'))})"
        edges[source, name] = (source, target, name)
    starts = draw(st.lists(st.sampled_from(pairs), min_size=1, max_size=2))
    tasks = [(start, sorted({goal, draw(st.integers(0, 3))} - {start})) for start, goal in starts]
    graph = graph_of(list(edges.values()), tasks, 4)
    journeys = []
    for task, (start, goal) in enumerate(tasks):
        ways = paths(graph, start, set(goal), 5)
        for way in draw(st.lists(st.sampled_from(ways), max_size=2)) if ways else []:
            names = tuple(graph.action_names[action] for action in way)
            journeys.append(Journey(task, names, draw(st.integers(1, 3))))
    return graph, journeys


@settings(max_examples=60, deadline=None)
@given(graphs_with_plans(), st.data())
def test_likelihood_and_gradient(
    found: tuple[StateGraph, list[Journey]], data: st.DataObject
) -> None:
    graph, journeys = found
    spread = data.draw(st.sampled_from([0.5, 1.0, 3.0]))
    model = MaximumEntropy([(graph, journeys)], spread)
    size = len(model.actions)
    assert model.horizon == 10
    costs = np.array(data.draw(st.lists(st.floats(0.2, 3), min_size=size, max_size=size)))
    value, gradient = model.log_likelihood(costs)
    expected = -0.5 * float((((costs - model.usual_cost) / spread) ** 2).sum())
    occurrences = np.zeros(size)
    for journey in journeys:
        ways = paths(
            graph, graph.initial[journey.task], set(graph.goals[journey.task].tolist()), 10
        )
        weights = np.array([math.exp(-sum(costs[list(way)])) for way in ways])
        own = sum(costs[graph.action_number[name]] for name in journey.plan)
        expected += journey.count * (-own - math.log(weights.sum()))
        for way, weight in zip(ways, weights / weights.sum(), strict=True):
            np.add.at(occurrences, list(way), journey.count * weight)
    assert value == pytest.approx(expected, abs=1e-8)
    by_hand = occurrences - model.observed - (costs - model.usual_cost) / spread**2
    assert gradient == pytest.approx(by_hand, abs=1e-7)
    for action in range(size):
        step = np.zeros(size)
        step[action] = 1e-5
        slope = (
            model.log_likelihood(costs + step)[0] - model.log_likelihood(costs - step)[0]
        ) / 2e-5
        assert gradient[action] == pytest.approx(slope, abs=1e-4)


@settings(max_examples=30, deadline=None)
@given(graphs_with_plans())
def test_no_costs_are_more_likely(found: tuple[StateGraph, list[Journey]]) -> None:
    graph, journeys = found
    model = MaximumEntropy([(graph, journeys)])
    learned = model.learn()
    assert learned is not None
    costs = np.array([learned[name] for name in model.actions])
    assert (costs >= LEAST_COST).all()
    best, gradient = model.log_likelihood(costs)
    free = costs > LEAST_COST * 1.001
    assert np.abs(gradient[free]).max(initial=0.0) < 1e-3
    for action in range(len(costs)):
        for step in (-0.1, 0.1):
            other = costs.copy()
            other[action] = max(LEAST_COST, other[action] + step)
            assert model.log_likelihood(other)[0] <= best + 1e-9


def test_a_plan_that_is_taken_more_often_becomes_cheaper() -> None:
    graph = graph_of([(0, 1, "(left)"), (0, 1, "(right)")], [(0, [1])], 2)
    model = MaximumEntropy([(graph, [Journey(0, ("(left)",), 9), Journey(0, ("(right)",), 1)])])
    costs = model.learn()
    assert costs is not None
    assert costs["(left)"] < model.usual_cost < costs["(right)"]
    assert costs == model.learn()


def test_the_spread_is_chosen_on_plans_that_are_left_out() -> None:
    graph = graph_of([(0, 1, "(left)"), (0, 1, "(right)")], [(0, [1])], 2)
    alike = [(graph, [Journey(0, ("(left)",)) for _ in range(8)])]
    found = learn_with_best_spread(alike, Deadline())
    assert found is not None
    assert found[0] == MaximumEntropy(alike, SPREADS[-1]).learn()
    one = [(graph, [Journey(0, ("(left)",))])]
    alone = learn_with_best_spread(one, Deadline())
    assert alone is not None
    assert alone[0] == MaximumEntropy(one).learn()
    assert learn_with_best_spread(alike, Deadline.after(0.0)) is None


def test_out_of_time() -> None:
    graph = graph_of([(0, 1, "(left)"), (0, 1, "(right)")], [(0, [1])], 2)
    model = MaximumEntropy([(graph, [Journey(0, ("(left)",))])])
    assert model.learn(Deadline.after(0.0)) is None


def test_what_comes_after_the_goal_does_not_count() -> None:
    graph = graph_of([(0, 1, "(go)"), (1, 2, "(on)"), (2, 1, "(back)")], [(0, [1])], 3)
    model = MaximumEntropy([(graph, [Journey(0, ("(go)", "(on)", "(back)"))])])
    assert model.observed.tolist() == [0.0, 1.0, 0.0]


def test_nothing_observed_leaves_the_prior() -> None:
    graph = graph_of([(0, 1, "(go)")], [(0, [1])], 2)
    model = MaximumEntropy([(graph, [])])
    costs = model.learn()
    assert costs is not None
    assert costs["(go)"] == pytest.approx(model.usual_cost)


def test_goals_in_blocks_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    edges = [(a, b, f"(m {a} {b})") for a, b in [*pairwise(range(5)), (0, 2), (1, 4), (3, 0)]]
    graph = graph_of(edges, [(0, [4]), (0, [3]), (1, [0])], 5)
    plans = [("(m 0 2)", "(m 2 3)", "(m 3 4)"), ("(m 0 2)", "(m 2 3)")]
    journeys = [Journey(0, plans[0]), Journey(1, plans[1], 2)]
    costs = np.linspace(0.5, 2, len(graph.action_names))
    value, gradient = MaximumEntropy([(graph, journeys)]).log_likelihood(costs)
    monkeypatch.setattr("plancost.learning.choose.walks._MOST_NUMBERS", 60)
    again, other = MaximumEntropy([(graph, journeys)]).log_likelihood(costs)
    assert again == pytest.approx(value)
    assert other == pytest.approx(gradient)
    assert fits(graph, 3)
    assert not fits(graph, 100)


def test_costs_too_large_for_floats_are_not_likely() -> None:
    graph = graph_of([(0, 1, "(a)"), (0, 1, "(b)")], [(0, [1])], 2)
    model = MaximumEntropy([(graph, [Journey(0, ("(a)",))])])
    value, gradient = model.log_likelihood(np.array([1000.0, 1000.0]))
    assert value < 0
    assert np.isfinite(gradient).all()


def test_whole_costs() -> None:
    assert whole_costs({"(a)": 0.00001, "(b)": 1.2345}) == {"(a)": 1, "(b)": 1234}

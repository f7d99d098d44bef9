"""Shortest ways in steps of arrays, against SciPy and against one state after the other."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles.test_two_ended import graphs
from plancost.oracles.frontier import Steps
from plancost.oracles.shortest_paths import PricedGraph
from plancost.oracles.state_graph import StateGraph


@settings(max_examples=200, deadline=None)
@given(graphs(), st.data())
def test_costs_up_to_a_limit(graph: StateGraph, data: st.DataObject) -> None:
    states = data.draw(st.sets(st.integers(0, graph.state_count - 1), min_size=1))
    ends = np.array(sorted(states))
    # Costs of very different size, so that states are found to be cheaper after a first look.
    weight = st.sampled_from([1.0, 1.5, 2.0, 7.0, 40.0])
    weights = np.array([data.draw(weight) for _ in graph.action_names])
    limit = data.draw(st.sampled_from([0.0, 3.0, 50.0, math.inf]))
    priced = PricedGraph(graph, weights)
    for steps, exact in (
        (Steps.backwards(graph), priced.distances(ends)),
        (Steps.forwards(graph), priced.distances_from(ends)),
    ):
        values, reached = steps.costs_from(ends, weights, limit)
        assert np.array_equal(values, np.where(exact <= limit, exact, np.inf))
        assert sorted(reached.tolist()) == np.flatnonzero(np.isfinite(values)).tolist()


@settings(max_examples=200, deadline=None)
@given(graphs(), st.data())
def test_a_limit_for_each_state(graph: StateGraph, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, graph.state_count - 1))
    costs = st.integers(1, 9).map(float)
    weights = np.array([data.draw(costs) for _ in graph.action_names])
    most = np.array([float(data.draw(st.integers(0, 20))) for _ in range(graph.state_count)])
    values, _ = Steps.forwards(graph).costs_from(np.array([start]), weights, most.__getitem__)
    assert np.array_equal(values, _one_by_one(graph, start, weights, most))


def _one_by_one(graph: StateGraph, start: int, weights: np.ndarray, most: np.ndarray) -> np.ndarray:
    """Every transition again and again, as long as one makes a state cheaper."""
    values = np.full(graph.state_count, np.inf)
    values[start], changed = 0.0, True
    transitions = list(zip(graph.source, graph.target, graph.action, strict=True))
    while changed:
        changed = False
        for source, target, action in transitions:
            cost = values[source] + weights[action]
            if cost < values[target] and cost <= most[target]:
                values[target], changed = cost, True
    return values

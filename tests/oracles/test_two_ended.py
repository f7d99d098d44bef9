"""Searches from both ends against one search of all states."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.oracles.floors import Floor
from plancost.oracles.shortest_paths import PricedGraph
from plancost.oracles.state_graph import StateGraph
from plancost.oracles.two_ended import Ends, TwoEndedSearch


@st.composite
def graphs(draw: st.DrawFn) -> StateGraph:
    """Any graph: several actions between two states, one action in many places."""
    states, actions = draw(st.integers(2, 9)), draw(st.integers(1, 6))
    numbers = st.tuples(
        st.integers(0, states - 1), st.integers(0, actions - 1), st.integers(0, states - 1)
    )
    drawn = draw(st.lists(numbers, max_size=30, unique_by=lambda step: step[:2]))
    steps = sorted(step for step in drawn if step[0] != step[2])
    source, action, target = np.array(steps, dtype=np.int32).reshape(-1, 3).T.copy()
    names = tuple(f"(a{number})" for number in range(actions))
    return StateGraph(names, states, source, target, action, (0,), (), np.empty(0, dtype=np.int64))


@settings(max_examples=200, deadline=None)
@given(graphs(), st.data())
def test_it_knows_all_ways_within_the_limit(graph: StateGraph, data: st.DataObject) -> None:
    states = st.integers(0, graph.state_count - 1)
    start = data.draw(states)
    goal = np.array(sorted(data.draw(st.sets(states, min_size=1))))
    costs = np.array([data.draw(st.integers(1, 5)) for _ in graph.action_names])
    limit = float(data.draw(st.integers(0, 20)))
    part = data.draw(st.sampled_from([0.0, 0.3, 0.5, 0.8, 1.0]))
    priced = PricedGraph(graph, costs)
    rates = np.array([float(data.draw(st.integers(1, 5))) for _ in graph.action_names])
    floor = data.draw(st.sampled_from([None, Floor.under(graph, start, rates, limit)]))
    search = TwoEndedSearch(priced, Ends(start, goal, floor), limit, part)
    values, exact = search.cost_to_go.values, priced.distances(goal)
    assert np.all(values >= exact)
    on_a_way = priced.distances_from(np.array([start])) + exact <= limit
    assert np.array_equal(values[on_a_way], exact[on_a_way])
    for state in np.flatnonzero(np.isfinite(values)).tolist():
        if values[state] > 0:  # every number is the cost of a plan
            action, after = search.cost_to_go.step(state)
            assert costs[action] + values[after] <= values[state]
    if on_a_way[start]:
        _check_falls(search, priced, start, goal)


def _check_falls(search: TwoEndedSearch, priced: PricedGraph, start: int, goal: np.ndarray) -> None:
    """No cost is exceeded; costs that are as low as that make nothing cheaper."""
    falls = search.most_falls()
    assert np.all(falls <= priced.costs + 1e-9)
    least = PricedGraph(priced.graph, np.maximum(falls, 1e-9))
    assert search.optimum == search.cost_to_go.values[start]
    assert least.distances(goal)[start] >= search.optimum - 1e-6

"""Floors against what ways really cost."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles.test_two_ended import graphs
from plancost.oracles import floors
from plancost.oracles.floors import Floor, Floors
from plancost.oracles.shortest_paths import PricedGraph
from plancost.oracles.state_graph import StateGraph


@settings(max_examples=200, deadline=None)
@given(graphs(), st.data())
def test_no_way_costs_less(graph: StateGraph, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, graph.state_count - 1))
    number = st.sampled_from([1.0, 1.25, 2.0, 3.0, 2.0**24 + 1])
    rates, weights = (np.array([data.draw(number) for _ in graph.action_names]) for _ in range(2))
    floor = Floor.under(graph, start, rates, cost=float(data.draw(st.integers(0, 20))))
    costs = PricedGraph(graph, weights).distances_from(np.array([start]))
    least = floor.scale(weights) * floor.values.astype(np.float64)
    assert np.all(least <= costs * (1 + 1e-12))
    at_rates = PricedGraph(graph, rates).distances_from(np.array([start]))
    assert np.array_equal(floor.values, np.minimum(at_rates, floor.reach))
    assert floor.scale(rates) == 1.0


def test_each_start_once_and_no_more_than_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = np.array([[0, 0, 1], [1, 0, 2], [2, 0, 0]], dtype=np.int32)
    source, action, target = (np.ascontiguousarray(column) for column in steps.T)
    graph = StateGraph(("(a)",), 3, source, target, action, (0,), (), np.empty(0, dtype=np.int64))
    known = Floors(lambda _: np.array([2.0]))
    monkeypatch.setattr(floors, "_MOST_BYTES", 30)
    first = known.of(graph, 0, [0, 0, 0, 0, 0])
    assert first is not None
    assert first.values.tolist() == [0.0, 2.0, 4.0]
    assert known.of(graph, 0, [0]) is first
    assert known.of(graph, 1, [0]) is not None
    assert known.of(graph, 2, [0]) is None
    assert first.is_close(13.9, 1.0)
    assert not first.is_close(14.1, 1.0)
    assert not first.is_close(13.9, 0.5)

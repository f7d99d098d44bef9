"""Graphs built by worker processes are the same, and are built here where those die."""

from __future__ import annotations

import os
import signal
from dataclasses import replace

import pytest

from conftest import WriteGraphCase, both_ways
from plancost.errors import PlancostError
from plancost.observations.case import Case, load_case
from plancost.oracles import graph_store
from plancost.oracles.graph_limits import GraphLimits
from plancost.oracles.graph_oracle import TaskGraph
from plancost.oracles.state_graph import StateGraph, TooLarge
from plancost.system.clock import Deadline
from plancost.system.worker_process import WorkerProcess


def _four_worlds(write_graph_case: WriteGraphCase) -> Case:
    """One route in worlds that differ in their static facts, so each needs its own graph."""
    folder = write_graph_case(both_ways({"ab": 1, "bc": 1, "cd": 1}), ["abcd"] * 4)
    for number in (2, 3, 4):
        problem = folder / f"p{number}.pddl"
        more = f"(:init (edge a {'abcd'[number - 1]})"
        problem.write_text(problem.read_text().replace("(:init", more))
    return load_case(folder)


def test_graphs_built_by_others_are_the_same(
    write_graph_case: WriteGraphCase, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = _four_worlds(write_graph_case)
    monkeypatch.setattr(graph_store, "_WORTH_S", 1e-9)
    here = graph_store.GraphStore(case, GraphLimits()).graphs(None, Deadline())
    there = graph_store.GraphStore(case, GraphLimits(), jobs=2).graphs(None, Deadline())
    assert len(here) > 2
    for number, one in here.items():
        other = there[number]
        assert isinstance(one, TaskGraph)
        assert isinstance(other, TaskGraph)
        assert one.task == other.task
        assert one.graph.state_count == other.graph.state_count
        assert one.graph.target.tolist() == other.graph.target.tolist()


def test_all_graphs_together_keep_to_the_memory(
    write_graph_case: WriteGraphCase, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = graph_store.GraphStore(_four_worlds(write_graph_case), GraphLimits(memory_mb=4))
    monkeypatch.setattr(StateGraph, "kept_bytes", 2_000_000)
    found = store.graphs(None, Deadline()).values()
    assert len({id(built.graph) for built in found if isinstance(built, TaskGraph)}) == 2
    assert {built.limit for built in found if isinstance(built, TooLarge)} == {"memory"}


def test_larger_limits_are_asked_for(write_graph_case: WriteGraphCase) -> None:
    case = _four_worlds(write_graph_case)
    few = GraphLimits(states=2, growth=4)
    assert [few.larger(graphs).states for graphs in (1, 2, 4, 5)] == [8, 4, 2, 2]
    assert [few.larger(1, tasks).states for tasks in (1, 2, 9)] == [2, 4, 8]
    assert replace(few, growth=1).larger(1) == replace(few, growth=1)
    store = graph_store.GraphStore(case, few)
    assert all(isinstance(b, TooLarge) for b in store.graphs(None, Deadline()).values())
    found = store.graphs(None, Deadline(), limits=few.larger(1))
    assert all(isinstance(built, TaskGraph) for built in found.values())


@pytest.mark.parametrize("step", ["__init__", "make", "ask", "answer"])
def test_graphs_are_built_here_where_the_others_die(
    step: str, write_graph_case: WriteGraphCase, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dies(self: WorkerProcess, *_: object) -> None:
        if step != "__init__":
            os.killpg(self._process.pid, signal.SIGKILL)
        raise PlancostError("another Python that plancost started has died")

    case = _four_worlds(write_graph_case)
    monkeypatch.setattr(graph_store, "_WORTH_S", 1e-9)
    monkeypatch.setattr(WorkerProcess, step, dies)
    store = graph_store.GraphStore(case, GraphLimits(), jobs=3)
    built = store.graphs(None, Deadline())
    assert len(store.groups) > 2
    assert all(isinstance(built[number], TaskGraph) for number in range(len(case.tasks)))

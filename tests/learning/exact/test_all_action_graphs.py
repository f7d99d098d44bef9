"""How long state graphs of all actions take is measured, and decides whether they are built."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from plancost.learning.exact.all_action_graphs import AllActionGraphs
from plancost.learning.problem.options import LearnOptions, OracleName
from plancost.learning.run import Run
from plancost.oracles.graph_limits import GraphLimits
from plancost.oracles.graph_oracle import TaskGraph
from plancost.oracles.graph_store import GraphStore
from plancost.oracles.state_graph import StateGraph, TooLarge
from plancost.system.clock import Deadline
from plancost.system.schedule import SCHEDULE
from support.grid_walks import grid_case, random_walks


class Clock:
    """A clock that moves on when a graph is built."""

    now = 100.0


@pytest.fixture
def slow_graphs(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """Ten tasks, each of whose graphs takes a second; the seconds that were used."""
    clock, spent, ready = Clock(), [], set[int]()
    graph = StateGraph.__new__(StateGraph)

    def graphs(
        self: GraphStore, actions: frozenset[str] | None, deadline: Deadline, limits: GraphLimits
    ) -> dict[int, object]:
        is_larger = limits.states > self.limits.states
        assert is_larger == (len(self.groups) == 1), "an answer is there, and little to build"
        began = clock.now
        for number in range(10):
            if number not in ready and not deadline.before(0.5).is_over:
                clock.now += 1.0
                ready.add(number)
        if not ready:
            clock.now += 0.25  # the first is begun, and not ready in time
        spent.append(clock.now - began)
        late = TooLarge("time", 0)
        return {n: TaskGraph(graph, 0) if n in ready else late for n in range(10)}

    monkeypatch.setattr(time, "monotonic", lambda: clock.now)
    monkeypatch.setattr(GraphStore, "graphs", graphs)
    yield spent
    monkeypatch.undo()


def new(oracle: OracleName = OracleName.AUTO, worlds: int = 10) -> AllActionGraphs:
    """The graphs of ten tasks of so many worlds."""
    run = Run.of(grid_case(3, random_walks(3, 2, 1, 0)), LearnOptions(oracle=oracle))
    run.oracles.graphs.groups = [list(range(first, 10, worlds)) for first in range(worlds)]
    return AllActionGraphs(run)


def test_the_rest_is_built_when_there_is_time_for_it(slow_graphs: list[float]) -> None:
    graphs = new()
    assert graphs.expected_s is None
    assert not graphs.build(Deadline.after(10))
    first = int(10 * SCHEDULE.graphs_for_separation)
    assert slow_graphs == [first]
    assert graphs.expected_s == 10 - first
    assert not graphs.build(Deadline.after(2)), "too short for the rest"
    assert slow_graphs == [first], "so it is not begun"
    assert graphs.build(Deadline.after(20))
    assert slow_graphs == [first, 10 - first]
    assert graphs.is_decided
    assert graphs.expected_s == 0
    assert graphs.build(Deadline())
    assert len(slow_graphs) == 2, "there is nothing left to build"


def test_graphs_of_which_none_was_ready_need_much_more_time(slow_graphs: list[float]) -> None:
    graphs = new()
    assert not graphs.build(Deadline.after(1))
    assert slow_graphs == [0.25]
    assert graphs.expected_s == 2 * 0.25 * 10
    assert not graphs.build(Deadline.after(7)), "less than that"
    assert slow_graphs == [0.25]
    assert graphs.build(Deadline()), "without a limit there is time for all"


@pytest.mark.usefixtures("slow_graphs")
def test_tasks_of_one_world_share_a_graph() -> None:
    graphs = new(worlds=1)
    assert not graphs.build(Deadline.after(1))
    assert graphs.expected_s == 2 * 0.25


@pytest.mark.usefixtures("slow_graphs")
def test_no_graphs_are_wanted() -> None:
    graphs = new(OracleName.FAST_DOWNWARD)
    assert graphs.is_decided
    assert graphs.build(Deadline.after(1))

"""Goals that need no other search: a separator that remembers them finds what a new one finds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.learning.problem.concept import Concept, Solution
from plancost.learning.separation import on_graphs
from plancost.observations.road_map import Road, RoadMap
from plancost.oracles.shortest_paths import CostToGo, PricedGraph
from plancost.oracles.state_graph import Indices
from plancost.system.clock import Deadline
from support.maps import Route, road_maps, separator_of, task_of


@settings(max_examples=300, deadline=None)
@given(road_maps(), st.sampled_from([Solution.MCF, Solution.SCF]), st.data())
def test_what_is_remembered_hides_nothing(
    example: tuple[RoadMap, list[Route]], solution: Solution, data: st.DataObject
) -> None:
    _compare(example, solution, data)


@settings(max_examples=100, deadline=None)
@given(road_maps(), st.data())
def test_nor_do_searches_from_both_ends(
    example: tuple[RoadMap, list[Route]], data: st.DataObject
) -> None:
    """As in large graphs; the one that it is compared with searches from the goal alone."""
    _compare(example, Solution.MCF, data, large_from=0)


def _compare(
    example: tuple[RoadMap, list[Route]],
    solution: Solution,
    data: st.DataObject,
    large_from: int = 20_000,
) -> None:
    """A separator that has been asked before with one that has not."""
    task = task_of(*example, Concept(solution))
    separator = separator_of(task)
    costs = np.array([data.draw(st.integers(1, 5)) for _ in task.parameters])
    exact = data.draw(st.booleans())
    everything = range(len(task.candidates))
    for _ in range(6):
        costs = costs.copy()
        for action in data.draw(st.sets(st.sampled_from(range(len(costs))), max_size=2)):
            costs[action] = data.draw(st.integers(1, 6))
        chosen = sorted(data.draw(st.sets(st.sampled_from(everything), min_size=1)))
        given_costs = costs if exact else costs.astype(np.float64)
        with patch.object(on_graphs, "_LARGE_GRAPH", large_from):
            found = separator.violated(given_costs, chosen, exact=exact, deadline=Deadline())
        new = separator_of(task)
        expected = new.violated(given_costs, chosen, exact=exact, deadline=Deadline())
        assert found is not None and expected is not None
        # Which of equally cheap ways is found may differ, but not whose plans are too expensive.
        asked_for = frozenset(chosen)
        assert {cut.candidate for cut in found} & asked_for == {
            cut.candidate for cut in expected
        } & asked_for
        assert bool(found) == bool(expected)


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The goal states that searches begin with, as they are made."""
    made: list[int] = []
    search = PricedGraph.costs_to_go

    def noted(
        self: PricedGraph, goals: Sequence[Indices], limits: Sequence[float] | None = None
    ) -> Iterator[tuple[int, CostToGo]]:
        made.extend(int(state) for goal in goals for state in goal)
        yield from search(self, goals, limits)

    monkeypatch.setattr(PricedGraph, "costs_to_go", noted)
    return made


def test_only_goals_near_a_change_are_searched_again(searches: list[int]) -> None:
    """Two ways round each of two squares that have nothing in common, and a far-off road."""
    ends = [(0, 1), (1, 3), (0, 2), (2, 3), (4, 5), (5, 7), (4, 6), (6, 7), (3, 8), (8, 9)]
    roads = tuple(Road.between(f"(go {a} {b})", a, b) for a, b in ends)
    road_map = RoadMap(tuple(f"p{place}" for place in range(10)), roads)
    task = task_of(road_map, [(0, 1, 3), (4, 5, 7)], Concept())
    separator = separator_of(task)

    def searched(**changed: float) -> list[int]:
        searches.clear()
        costs = np.empty(len(roads))
        for number, road in enumerate(roads):
            costs[task.action_number[road.name]] = changed.get(f"r{number}", 2.0)
        assert separator.violated(costs, [0, 1], exact=False, deadline=Deadline()) is not None
        return sorted(searches)

    assert searched() == [3, 7], "nothing is known yet"
    assert searched() == [], "nothing has changed"
    assert searched(r9=1) == [], "nobody drives there"
    assert searched(r6=3) == [], "more expensive, and on no route"
    assert searched(r6=2) == [], "as before"
    assert searched(r6=2, r0=3) == [3], "a route is more expensive, and not the cheapest now"
    assert searched(r6=2, r0=3) == [3], "what was not settled is searched again"
    assert searched(r6=2, r0=2) == [], "as before"
    assert searched(r6=1.5) == [7], "there is a cheaper way now"
    assert searched(r6=1.5, r4=1.5) == [7], "and the route is cheaper too"
    assert searched(r6=1.5, r4=1.5, r7=3) == [], "which is settled"
    assert searched(r6=1.5, r4=1.5, r7=2) == [], "as long as no way is cheaper than at that time"
    assert searched(r6=1.5, r4=1.5, r7=1.9) == [7], "as this one is"

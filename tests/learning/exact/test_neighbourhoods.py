"""Plans in neighbourhoods: none is lost, near ones are together, and answers stay the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.learning.exact import insertion, neighbourhoods
from plancost.learning.exact.hitting_set import find_feasible_subset
from plancost.learning.exact.subproblems import first_subproblem
from plancost.learning.incumbent import Incumbent
from plancost.learning.problem.concept import Concept
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import Costs, LearningTask, PlanSet
from plancost.learning.run import Run
from plancost.learning.separation import on_graphs
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.observations.planfile import Plan
from plancost.observations.road_map import case_from_routes
from plancost.routes.network import Link, Network, Trip
from plancost.routes.road_maps import NetworkMap
from plancost.system.clock import Deadline, TimeIsUp
from support.feasible_sets import feasible_sets
from support.small_tasks import learning_tasks


def _subproblem(task: LearningTask) -> Subproblem:
    options = LearnOptions(concept=task.concept)
    return first_subproblem(Run.of(task.case, options, Deadline()), task)


@contextmanager
def _as_if_large(plans: int) -> Iterator[None]:
    """Few plans count as many, and so many are a neighbourhood."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(neighbourhoods, "_PLANS", plans)
        patch.setattr(neighbourhoods, "_BECOME_ONE", 2)
        patch.setattr(neighbourhoods, "_LARGE_MAP", 0)
        patch.setattr(insertion, "_MANY", 2)
        patch.setattr(insertion, "_LEAST_BLOCK", 1)
        patch.setattr(on_graphs, "_STATES_OF_A_SEARCH", 1)
        yield


def _along_a_street(blocks: int) -> LearningTask:
    """A trip over each block of a long street, there and back."""
    ends = [(str(n), str(n + 1)) for n in range(blocks)]
    links = [Link(f"{a}-{b}", a, b) for one, other in ends for a, b in ((one, other), (other, one))]
    road_map = NetworkMap.of(Network(tuple(links)))
    routes = [road_map.route(Trip(link.name, (link.name,))) for link in links]
    return LearningTask(case_from_routes(road_map.road_map, routes), Concept(), None)


@settings(max_examples=15)
@given(drawn=learning_tasks(), plans=st.integers(1, 3))
def test_no_plan_is_lost(drawn: tuple[LearningTask, list[list[Plan]]], plans: int) -> None:
    task, _ = drawn
    paths = _subproblem(task).separator.paths()
    everyone = list(range(len(task.candidates)))
    sizes = []
    with _as_if_large(plans):
        assert paths is not None
        for cells in neighbourhoods.neighbourhoods(paths, everyone):
            assert sorted(number for members in cells for number in members) == everyone
            assert all(members == sorted(members) for members in cells)
            sizes.append(len(cells))
    assert sizes == sorted(sizes, reverse=True)


def test_near_plans_are_together() -> None:
    """Nobody's neighbourhood is longer than a part of the street, and later ones are fewer."""
    task = _along_a_street(40)
    paths = _subproblem(task).separator.paths()
    assert paths is not None
    with _as_if_large(10):
        steps = list(neighbourhoods.neighbourhoods(paths, range(80)))
    assert [len(cells) for cells in steps] == [8, 4, 2]
    assert {len(members) for members in steps[0]} == {10}
    for cells in steps:
        for members in cells:
            states = [state for number in members for state in paths[number].states]
            assert max(states) - min(states) <= 2 * 80 / len(cells)


def test_few_plans_or_a_small_map_have_none() -> None:
    task = _along_a_street(5)
    paths = _subproblem(task).separator.paths()
    assert paths is not None
    with _as_if_large(2):
        assert len(next(neighbourhoods.neighbourhoods(paths, range(10)))) == 8
        assert list(neighbourhoods.neighbourhoods(paths, range(2))) == []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(neighbourhoods, "_PLANS", 2)
        assert list(neighbourhoods.neighbourhoods(paths, range(10))) == []


@settings(max_examples=15, deadline=None)
@given(drawn=learning_tasks(), plans=st.integers(1, 2))
def test_the_best_set_is_found_as_ever(
    drawn: tuple[LearningTask, list[list[Plan]]], plans: int
) -> None:
    task, all_plans = drawn
    most = max(task.weight(chosen) for chosen in feasible_sets(task, all_plans))
    with _as_if_large(plans):
        subproblem = _subproblem(task)
        found = find_feasible_subset(subproblem, Incumbent.baseline(task), Deadline())
    assert (found.weight, found.upper_bound) == (most, most)
    assert subproblem.check(found.costs, found.chosen, Deadline())


@settings(max_examples=10, deadline=None)
@given(drawn=learning_tasks(), seconds=st.sampled_from([0.0, 0.005, 0.02]))
def test_out_of_time_what_is_known_holds(
    drawn: tuple[LearningTask, list[list[Plan]]], seconds: float
) -> None:
    task, all_plans = drawn
    feasible = feasible_sets(task, all_plans)
    with _as_if_large(1):
        start = Incumbent.baseline(task)
        found = find_feasible_subset(_subproblem(task), start, Deadline.after(seconds))
    assert found.chosen in feasible
    assert found.upper_bound >= max(map(task.weight, feasible))


def test_an_alarm_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole numbers near the costs of the linear program count, whatever ends the search."""

    def is_up(*_: object) -> None:
        raise TimeIsUp

    def rounded(self: Subproblem, *_: object) -> tuple[PlanSet, Costs]:
        """All plans but one."""
        return frozenset(range(9)), (1,) * len(self.task.parameters)

    task = _along_a_street(5)
    monkeypatch.setattr(Subproblem, "rounded", rounded)
    monkeypatch.setattr(Subproblem, "decide", is_up)
    best = Incumbent.baseline(task)
    with _as_if_large(2), pytest.raises(TimeIsUp):
        find_feasible_subset(_subproblem(task), best, Deadline())
    assert best.weight == 9

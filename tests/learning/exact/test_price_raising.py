"""Prices that begin low and rise where they must: plans stay optimal, and nothing else changes."""

from __future__ import annotations

from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.learning.exact import price_raising
from plancost.learning.exact.price_raising import can_raise_prices, raise_prices
from plancost.learning.exact.subproblems import first_subproblem, full_subproblem
from plancost.learning.problem.concept import Concept, Solution
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Run
from plancost.learning.subproblem.conflict import Possible
from plancost.observations.planfile import Plan
from plancost.observations.road_map import RoadMap
from plancost.system.clock import Deadline
from support.maps import Route, road_maps, task_of
from support.small_tasks import learning_tasks


def tasks_on_maps() -> st.SearchStrategy[LearningTask]:
    return road_maps().map(lambda item: task_of(*item, Concept()))


def _check(task: LearningTask, data: st.DataObject) -> None:
    run = Run.of(task.case, LearnOptions(concept=task.concept))
    first, full = first_subproblem(run, task), full_subproblem(run, task)
    paths = full.separator.paths()
    assert paths is not None
    chosen = data.draw(st.frozensets(st.sampled_from(range(len(task.candidates))), min_size=1))
    answer = first.decide(chosen, Deadline())
    if not can_raise_prices(task) or not isinstance(answer, Possible):
        return
    costs = raise_prices(task, paths, chosen, answer.costs, Deadline())
    assert costs is not None
    assert full.check(costs, chosen, Deadline())
    used = task.kept_actions(chosen)
    for number, (before, after) in enumerate(zip(answer.costs, costs, strict=True)):
        assert after == before if number in used else after >= task.baseline[number]
    over = raise_prices(task, paths, chosen, answer.costs, Deadline.after(0.0))
    assert over is None


@settings(max_examples=150, deadline=None)
@given(learning_tasks(), st.data())
def test_plans_are_optimal(
    example: tuple[LearningTask, list[list[Plan]]], data: st.DataObject
) -> None:
    _check(example[0], data)


@settings(max_examples=100, deadline=None)
@given(road_maps(), st.data())
def test_on_maps(example: tuple[RoadMap, list[Route]], data: st.DataObject) -> None:
    _check(task_of(*example, Concept()), data)


@settings(max_examples=100, deadline=None)
@given(st.one_of(learning_tasks().map(lambda item: item[0]), tasks_on_maps()), st.data())
def test_a_corridor_has_all_that_matters(task: LearningTask, data: st.DataObject) -> None:
    """As in large graphs."""
    with patch.object(price_raising, "_LARGE_GRAPH", 0):
        _check(task, data)


@settings(max_examples=20, deadline=None)
@given(road_maps())
def test_not_where_ties_matter(example: tuple[RoadMap, list[Route]]) -> None:
    assert can_raise_prices(task_of(*example, Concept()))
    assert not can_raise_prices(task_of(*example, Concept(Solution.SCF)))

"""Plans that can be optimal alone, seen from their paths, against the linear program."""

from __future__ import annotations

from hypothesis import given, settings

from plancost.learning.exact.subproblems import first_subproblem
from plancost.learning.problem.concept import Concept
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Run
from plancost.learning.separation.alone import possible_alone
from plancost.learning.subproblem.conflict import Possible
from plancost.observations.planfile import Plan
from plancost.observations.road_map import RoadMap
from plancost.system.clock import Deadline
from support.maps import Route, road_maps, separator_of, task_of
from support.small_tasks import learning_tasks


@settings(max_examples=300, deadline=None)
@given(learning_tasks())
def test_those_that_are_seen_can_be_optimal(
    example: tuple[LearningTask, list[list[Plan]]],
) -> None:
    task, _ = example
    run = Run.of(task.case, LearnOptions(concept=task.concept))
    subproblem = first_subproblem(run, task)
    for number in possible_alone(task, subproblem.separator.paths()):
        assert isinstance(subproblem.decide(frozenset([number]), Deadline()), Possible)


@settings(max_examples=50, deadline=None)
@given(road_maps())
def test_on_a_map_all_routes_without_a_loop_are_seen(
    example: tuple[RoadMap, list[Route]],
) -> None:
    task = task_of(*example, Concept())
    found = possible_alone(task, separator_of(task).paths())
    assert found == set(range(len(task.candidates)))

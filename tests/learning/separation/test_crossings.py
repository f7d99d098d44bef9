"""Plans that cross can never be optimal together."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.learning.exact.subproblems import first_subproblem
from plancost.learning.problem.concept import Concept, Reorderings, Solution, Ties
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Run
from plancost.learning.separation import crossings
from plancost.learning.separation.crossings import find_crossings
from plancost.learning.subproblem.conflict import Possible
from plancost.observations.case import load_case
from plancost.observations.planfile import Plan
from plancost.observations.road_map import RoadMap
from plancost.system.clock import Deadline
from support.maps import Route, road_maps, task_of
from support.small_tasks import learning_tasks


@settings(max_examples=300, deadline=None)
@given(learning_tasks())
def test_crossing_plans_can_never_be_optimal_together(
    example: tuple[LearningTask, list[list[Plan]]],
) -> None:
    task, _ = example
    if task.concept.reorderings is Reorderings.SAME or task.concept.ties is Ties.OBSERVED:
        return
    options = LearnOptions(concept=task.concept)
    subproblem = first_subproblem(Run.of(task.case, options, Deadline()), task)
    paths = subproblem.separator.paths()
    assert paths is not None
    everything = list(range(len(task.candidates)))
    for conflict in find_crossings(subproblem, paths, everything, Deadline()):
        assert conflict.certificate is not None
        assert conflict.certificate.is_valid()
        for pair in itertools.product(*conflict.classes):
            assert not isinstance(subproblem.decide(frozenset(pair), Deadline()), Possible)


@pytest.mark.parametrize("solution", [Solution.MCF, Solution.SCF])
def test_the_plans_of_example_1_cross(example_1: Path, solution: Solution) -> None:
    task = LearningTask(load_case(example_1), Concept(solution), None)
    options = LearnOptions(concept=task.concept)
    subproblem = first_subproblem(Run.of(task.case, options, Deadline()), task)
    paths = subproblem.separator.paths()
    assert paths is not None
    (conflict,) = find_crossings(subproblem, paths, [0, 1], Deadline())
    assert conflict.classes == (frozenset([0]), frozenset([1]))


@settings(max_examples=200, deadline=None)
@given(road_maps(), st.sampled_from([Solution.MCF, Solution.SCF]))
def test_no_pair_that_crosses_is_passed_over(
    example: tuple[RoadMap, list[Route]], solution: Solution
) -> None:
    """Pairs are told apart many at a time; here each is looked at by itself."""
    task = task_of(*example, Concept(solution))
    options = LearnOptions(concept=task.concept)
    subproblem = first_subproblem(Run.of(task.case, options, Deadline()), task)
    paths = subproblem.separator.paths()
    assert paths is not None
    everything = list(range(len(task.candidates)))
    found = list(find_crossings(subproblem, paths, everything, Deadline()))
    for one, other in itertools.combinations(everything, 2):
        crosses = crossings._crossing(paths[one], paths[other], strict=task.concept.is_strict)
        if crosses is not None:
            assert any(conflict.contains(frozenset([one, other])) for conflict in found)

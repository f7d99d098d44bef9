"""Whether plans can be optimal together, against one linear program for every set."""

from __future__ import annotations

from hypothesis import given, settings

from plancost.learning.exact.subproblems import first_subproblem, full_subproblem
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Run
from plancost.learning.subproblem.conflict import Conflict, Possible, Undecided
from plancost.observations.planfile import Plan
from plancost.system.clock import Deadline
from support.brute_force import is_optimal
from support.feasible_sets import feasible_sets
from support.small_tasks import learning_tasks

Example = tuple[LearningTask, list[list[Plan]]]


@settings(max_examples=60, deadline=None)
@given(learning_tasks())
def test_every_set_of_up_to_three_plans_is_decided(example: Example) -> None:
    task, plans = example
    feasible = set(feasible_sets(task, plans))
    run = Run.of(task.case, LearnOptions(concept=task.concept))
    numbers = range(len(task.candidates))
    for subproblem in (first_subproblem(run, task), full_subproblem(run, task)):
        for chosen in {frozenset([a, b, c]) for a in numbers for b in numbers for c in numbers}:
            found = subproblem.decide(chosen, Deadline())
            if chosen in feasible:
                assert isinstance(found, Possible)
                for number in chosen:
                    candidate = task.candidates[number]
                    for member in candidate.observations:
                        assert is_optimal(task, member, found.costs, plans[candidate.task])
            else:
                assert isinstance(found, Conflict)
                assert found.contains(chosen)
                assert found.certificate is not None
                assert found.certificate.is_valid()


@settings(max_examples=10, deadline=None)
@given(learning_tasks())
def test_no_time_is_no_answer(example: Example) -> None:
    task, _ = example
    run = Run.of(task.case, LearnOptions(concept=task.concept))
    subproblem, chosen = first_subproblem(run, task), frozenset([0])
    found = subproblem.decide(chosen, Deadline.after(0.0))
    assert isinstance(found, (Undecided, Conflict))
    if isinstance(found, Conflict):
        assert found.certificate is not None
        assert found.certificate.is_valid()

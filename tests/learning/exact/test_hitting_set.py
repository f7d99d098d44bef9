"""The most plans that can be optimal together, against every set of plans."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.learning.exact.hitting_set import Beside, find_feasible_subset
from plancost.learning.exact.subproblems import first_subproblem
from plancost.learning.exact.waiting import Waiting
from plancost.learning.incumbent import Incumbent
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Run
from plancost.observations.planfile import Plan
from plancost.system.clock import Deadline
from support.brute_force import is_optimal
from support.feasible_sets import feasible_sets
from support.small_tasks import learning_tasks


@settings(max_examples=50, deadline=None)
@given(learning_tasks(), st.integers(0, 3))
def test_no_set_of_plans_is_heavier(
    example: tuple[LearningTask, list[list[Plan]]], seed: int
) -> None:
    task, plans = example
    run = Run.of(task.case, LearnOptions(concept=task.concept))
    found = find_feasible_subset(
        first_subproblem(run, task), Incumbent.baseline(task), Deadline(), seed=seed
    )
    most = max(map(task.weight, feasible_sets(task, plans)))
    assert found.weight == found.upper_bound == most
    for number in found.chosen:
        for member in task.candidates[number].observations:
            known = plans[task.case.observations[member].task]
            assert is_optimal(task, member, found.costs, known)


@settings(max_examples=30, deadline=None)
@given(learning_tasks(), st.integers(0, 3))
def test_the_same_seed_finds_the_same_set_by_the_same_conflicts(
    example: tuple[LearningTask, list[list[Plan]]], seed: int
) -> None:
    task, _ = example
    found = []
    for _ in range(2):
        run = Run.of(task.case, LearnOptions(concept=task.concept))
        start = Incumbent.baseline(task)
        find_feasible_subset(first_subproblem(run, task), start, Deadline(), seed=seed)
        found.append((start.chosen, start.costs, [c.classes for c in start.conflicts]))
    assert found[0] == found[1]


@settings(max_examples=50, deadline=None)
@given(learning_tasks())
def test_without_patience_the_answer_and_the_bound_still_hold(
    example: tuple[LearningTask, list[list[Plan]]],
) -> None:
    task, plans = example
    run = Run.of(task.case, LearnOptions(concept=task.concept))
    waiting = Waiting(lambda: 0.0)
    found = find_feasible_subset(
        first_subproblem(run, task),
        Incumbent.baseline(task),
        Deadline(),
        beside=Beside(waiting=waiting),
    )
    assert waiting.is_over
    most = max(map(task.weight, feasible_sets(task, plans)))
    assert found.weight <= most <= found.upper_bound
    assert found.chosen in feasible_sets(task, plans)

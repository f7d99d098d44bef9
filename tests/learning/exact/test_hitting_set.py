"""The most plans that can be optimal together, against every set of plans."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.learning.exact.hitting_set import find_feasible_subset
from plancost.learning.exact.subproblems import first_subproblem
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

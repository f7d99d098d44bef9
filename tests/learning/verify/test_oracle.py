"""The oracle of the check leaves out actions that cannot matter."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Run
from plancost.learning.verify.oracle import oracle_for
from plancost.learning.verify.verification import check_costs
from plancost.observations.planfile import Plan
from support.brute_force import is_optimal
from support.small_tasks import learning_tasks


@settings(max_examples=150, deadline=None)
@given(learning_tasks(), st.data())
def test_the_check_on_few_actions_is_that_on_all(
    example: tuple[LearningTask, list[list[Plan]]], data: st.DataObject
) -> None:
    """Some actions cost so much that the check leaves them out for some of the tasks."""
    task, plans = example
    numbers = st.sampled_from([1, 2, 3, 40])
    costs = tuple(data.draw(numbers, label=name) for name in task.case.actions)
    options = LearnOptions(concept=task.concept)
    run = Run.of(task.case, options)
    oracle = oracle_for(run, task, costs)
    verdicts = check_costs(run, task, costs, oracle)
    for number, verdict in enumerate(verdicts):
        known = plans[task.case.observations[number].task]
        assert verdict.optimal == is_optimal(task, number, costs, known)

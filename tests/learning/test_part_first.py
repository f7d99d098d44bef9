"""Answers for some of the plans are answers for all of them."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.clock import Deadline
from plancost.learning.check_oracle import oracle_for
from plancost.learning.exact import first_objective_sets
from plancost.learning.maximum_set import MaximumSet, find_maximum_set
from plancost.learning.options import LearnOptions
from plancost.learning.part_first import by_new_actions, improve_by_parts, is_divisible
from plancost.learning.searchers import Searchers
from plancost.learning.task import LearningTask
from plancost.learning.verification import verify_costs
from plancost.observations.planfile import Plan
from support.brute_force import is_optimal
from support.small_tasks import learning_tasks


def _first_objective(part: LearningTask, deadline: Deadline) -> MaximumSet:
    options = LearnOptions(concept=part.concept)
    sets = first_objective_sets(part, options, Searchers.of(part.case, options), deadline)
    start = MaximumSet(frozenset(), part.baseline, 0, part.case.plan_count)
    return find_maximum_set(sets, deadline, start=start)


@settings(max_examples=150, deadline=None)
@given(learning_tasks(), st.integers(1, 3), st.integers(1, 6))
def test_the_answer_of_a_part_holds_in_the_whole(
    example: tuple[LearningTask, list[list[Plan]]], size: int, too_large: int
) -> None:
    task, plans = example
    assert is_divisible(task)
    solved: list[int] = []

    def solve(part: LearningTask, deadline: Deadline) -> MaximumSet | None:
        if len(part.candidates) >= too_large:
            return None
        solved.append(_first_objective(part, deadline).weight)
        return _first_objective(part, deadline)

    best = MaximumSet(frozenset(), task.baseline, 0, task.case.plan_count)
    improve_by_parts(task, best, solve, Deadline(), size=size)
    assert best.weight == task.weight(best.chosen) == max(solved, default=0)
    for number in best.chosen:
        for member in task.candidates[number].observations:
            known = plans[task.case.observations[member].task]
            assert is_optimal(task, member, best.costs, known)


@settings(max_examples=50, deadline=None)
@given(learning_tasks())
def test_each_plan_is_the_next_with_the_fewest_new_actions(
    example: tuple[LearningTask, list[list[Plan]]],
) -> None:
    task, _ = example
    order = by_new_actions(task)
    assert sorted(order) == list(range(len(task.candidates)))
    met: set[str] = set()
    for place, number in enumerate(order):
        new = [len(set(task.candidates[other].plan) - met) for other in order[place:]]
        assert new[0] == min(new)
        met.update(task.candidates[number].plan)


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
    searchers = Searchers.of(task.case, options)
    oracle = oracle_for(task, costs, options, searchers, Deadline())
    verdicts = verify_costs(task, costs, oracle, Deadline())
    for number, verdict in enumerate(verdicts):
        known = plans[task.case.observations[number].task]
        assert verdict.optimal == is_optimal(task, number, costs, known)

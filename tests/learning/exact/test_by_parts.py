"""Answers for some of the plans are answers for all of them."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.learning.exact.by_parts import by_new_actions, improve_by_parts, is_divisible
from plancost.learning.exact.hitting_set import find_feasible_subset
from plancost.learning.exact.subproblems import first_subproblem
from plancost.learning.incumbent import Incumbent
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Run
from plancost.observations.planfile import Plan
from plancost.system.clock import Deadline
from support.brute_force import is_optimal
from support.small_tasks import learning_tasks


def _first_objective(part: LearningTask, deadline: Deadline) -> Incumbent:
    options = LearnOptions(concept=part.concept)
    subproblem = first_subproblem(Run.of(part.case, options, deadline), part)
    return find_feasible_subset(subproblem, Incumbent.baseline(part), deadline)


@settings(max_examples=150, deadline=None)
@given(learning_tasks(), st.integers(1, 3), st.integers(1, 6))
def test_the_answer_of_a_part_holds_in_the_whole(
    example: tuple[LearningTask, list[list[Plan]]], size: int, too_large: int
) -> None:
    task, plans = example
    assert is_divisible(task)
    solved: list[int] = []

    def solve(part: LearningTask, deadline: Deadline) -> Incumbent | None:
        if len(part.candidates) >= too_large:
            return None
        solved.append(_first_objective(part, deadline).weight)
        return _first_objective(part, deadline)

    best = Incumbent.baseline(task)
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

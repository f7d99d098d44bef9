"""A question after another one: the same answers as if it were the first."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.learning.exact.earlier_answers import found_by, take_up_proofs
from plancost.learning.exact.subproblems import first_subproblem
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Run
from plancost.learning.subproblem.earlier import Earlier
from support.brute_force import best_by_brute_force
from support.learned import learned, weight_under
from support.required import Example, check_answer, demanding_tasks
from support.small_tasks import learning_tasks


@settings(max_examples=100, deadline=None)
@given(demanding_tasks(), st.data())
def test_the_answer_is_that_of_a_first_question(example: Example, data: st.DataObject) -> None:
    task, plans = example
    plain = replace(task, required=frozenset(), ranges=None)
    earlier = found_by(learned(plain), Earlier())
    check_answer((task, plans), lambda asked: learned(asked, earlier))
    ranges = tuple((1, data.draw(st.integers(1, 4))) for _ in task.case.actions)
    other = replace(plain, ranges=ranges)
    answer = learned(other, found_by(learned(other, earlier), earlier))
    best = best_by_brute_force(other, plans)
    assert answer.plans == answer.most_plans == best.weight
    assert weight_under(other, answer.costs, plans) == best.weight
    assert task.secondary(answer.costs) == answer.secondary_bound == best.secondary


@settings(max_examples=100, deadline=None)
@given(learning_tasks(6), st.data())
def test_without_some_plans(
    example: tuple[LearningTask, list[list[tuple[str, ...]]]], data: st.DataObject
) -> None:
    """Rows belong to plans and not to their numbers, and depend on which plans may tie."""
    task, _ = example
    earlier = found_by(learned(task), Earlier())
    seen = task.case.observations
    kept = tuple(item for item in seen if data.draw(st.booleans())) or seen[-1:]
    part = replace(task, case=replace(task.case, observations=kept))
    first, again = learned(part), learned(part, earlier)
    assert (again.plans, again.most_plans) == (first.plans, first.most_plans)
    assert (again.costs, again.secondary_bound) == (first.costs, first.secondary_bound)


@settings(max_examples=30, deadline=None)
@given(learning_tasks(6))
def test_proofs_are_proofs_again(
    example: tuple[LearningTask, list[list[tuple[str, ...]]]],
) -> None:
    task, _ = example
    answer = learned(task)
    earlier = found_by(answer, Earlier())
    run = Run.of(task.case, LearnOptions(concept=task.concept))
    run = replace(run, earlier=earlier)
    subproblem = first_subproblem(run, task)
    assert answer.first is not None
    assert {cut.row for cut in answer.first.cuts()} <= {cut.row for cut in subproblem.cuts()}
    found = take_up_proofs(run, subproblem)
    proven = {c.certificate for c in answer.first.proofs if c.certificate and c.classes}
    assert proven <= {conflict.certificate for conflict in found}

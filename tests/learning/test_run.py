"""Plans known beforehand change the way, never the answer."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.api.learn import learn
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import LearningTask
from plancost.observations.planfile import Plan
from support.small_tasks import learning_tasks


@settings(max_examples=40, deadline=None)
@given(learning_tasks(), st.data())
def test_the_answer_is_the_same(
    found: tuple[LearningTask, list[list[Plan]]], data: st.DataObject
) -> None:
    task, plans = found
    options = LearnOptions(concept=task.concept, jobs=1)
    plain = learn(task.case, options)
    known: dict[str, list[Plan]] = {"another task": [("(nothing)",)]}
    for item, own in zip(task.case.tasks, plans, strict=True):
        some = data.draw(st.lists(st.sampled_from(own), max_size=4))
        # What is no plan of the task must not count.
        known[item.key] = [*some, ("(nothing)",), (task.case.actions[0],) * 9]
    warm = learn(task.case, options, known_plans=known)
    assert warm.costs == plain.costs
    assert (warm.optimal_plans, warm.upper_bound) == (plain.optimal_plans, plain.upper_bound)
    assert warm.secondary == plain.secondary

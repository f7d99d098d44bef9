"""One answer out of many: the weights never change, and no other answer is preferred."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings

from plancost.learning.exact.tie_break import name_weight
from plancost.learning.problem.task import LearningTask, PlanSet
from plancost.observations.planfile import Plan
from support.brute_force import is_optimal
from support.learned import learned
from support.small_tasks import learning_tasks


def test_weights_of_names_never_change() -> None:
    """Other weights would give other costs than earlier versions did."""
    names = ["(move a b)", "(move b a)", "", "task 0 (a1)"]
    assert [name_weight(name) for name in names] == [8252, 5219, 1653, 9581]
    many = [name_weight(str(number)) for number in range(3000)]
    assert min(many) >= 1
    assert max(many) <= 10_000
    assert len(set(many)) > 2000


@settings(max_examples=60, deadline=None)
@given(learning_tasks(most_actions=4))
def test_no_answer_as_good_is_preferred(
    example: tuple[LearningTask, list[list[Plan]]],
) -> None:
    task, plans = example
    answer = learned(task)
    assert answer.facts["canonical"]
    value = task.secondary(answer.costs)

    def liked(chosen: PlanSet) -> int:
        found = (task.candidates[number] for number in chosen)
        return sum(name_weight(f"{task.case.tasks[c.task].key} {' '.join(c.plan)}") for c in found)

    def weighted(costs: tuple[int, ...]) -> int:
        pairs = zip(task.parameters, costs, strict=True)
        return sum(name_weight(name) * cost for name, cost in pairs)

    for costs in product(range(1, 6), repeat=len(task.parameters)):
        if task.secondary(costs) != value:
            continue
        chosen = frozenset(
            number
            for number, candidate in enumerate(task.candidates)
            if is_optimal(task, candidate.observations[0], costs, plans[candidate.task])
        )
        if task.weight(chosen) == answer.weight:
            assert liked(chosen) <= liked(answer.chosen)
            if chosen == answer.chosen:
                assert weighted(costs) >= weighted(answer.costs)

"""Prices come down as far as they may, and the chosen plans stay optimal."""

from __future__ import annotations

from hypothesis import given, settings

from plancost.clock import Deadline
from plancost.learning.insertion import Inserter
from plancost.learning.options import LearnOptions
from plancost.learning.plan_sets import PlanSets
from plancost.learning.price_cuts import lower_prices
from plancost.learning.pricing import priced_out
from plancost.learning.searchers import Searchers
from plancost.learning.separators import build_separator
from plancost.learning.task import LearningTask
from plancost.observations.planfile import Plan
from support.small_tasks import learning_tasks


@settings(max_examples=300, deadline=None)
@given(learning_tasks())
def test_lower_prices_keep_the_chosen_plans_optimal(
    example: tuple[LearningTask, list[list[Plan]]],
) -> None:
    task, _ = example
    options = LearnOptions(concept=task.concept)
    separator = build_separator(task, None, options, Searchers.of(task.case, options), Deadline())
    graphs = separator.graphs()
    assert graphs is not None
    sets = PlanSets(task, range(len(task.case.actions)), separator)
    found = Inserter(sets).insert(range(len(task.candidates)), Deadline(), 0)
    if found.costs is None:
        return
    dear = priced_out(task, found.chosen, found.costs)
    assert sets.check(dear, found.chosen, Deadline())
    lower = lower_prices(task, graphs, found.chosen, dear, Deadline())
    assert sets.check(lower, found.chosen, Deadline())
    used = {a for number in found.chosen for a, _ in task.candidates[number].counts}
    for action, cost in enumerate(lower):
        assert cost == dear[action] if action in used else cost <= dear[action]
        assert cost >= 1
    assert lower_prices(task, graphs, found.chosen, lower, Deadline()) == lower

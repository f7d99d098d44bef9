"""Prices come down in steps, and the chosen plans stay optimal at each."""

from __future__ import annotations

from hypothesis import given, settings

from plancost.learning.exact.insertion import Inserter
from plancost.learning.exact.price_steps import lower_in_steps
from plancost.learning.incumbent import CostFunction
from plancost.learning.problem.concept import Concept
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import Costs, LearningTask
from plancost.learning.run import Run
from plancost.learning.separation.combined import build_separator
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.learning.subproblem.pricing_out import priced_out
from plancost.observations.planfile import Plan
from plancost.system.clock import Deadline
from support.brute_force import is_optimal
from support.grid_walks import grid_case, random_walks
from support.small_tasks import learning_tasks


def priced(task: LearningTask) -> tuple[Subproblem, CostFunction]:
    """Some plans that can be optimal together, with all other actions priced out."""
    options = LearnOptions(concept=task.concept)
    separator = build_separator(Run.of(task.case, options), task, None)
    subproblem = Subproblem(task, range(len(task.case.actions)), separator)
    found = Inserter(subproblem).insert(range(len(task.candidates)), Deadline(), 0)
    best = CostFunction.baseline(task)
    if found.costs is not None:
        best.chosen = found.chosen
        best.costs = priced_out(task, found.chosen, found.costs)
    return subproblem, best


@settings(max_examples=200, deadline=None)
@given(learning_tasks())
def test_each_step_is_an_answer(example: tuple[LearningTask, list[list[Plan]]]) -> None:
    task, plans = example
    subproblem, best = priced(task)
    expensive = best.costs
    used = task.kept_actions(best.chosen)
    steps: list[Costs] = []
    assert lower_in_steps(subproblem, best, Deadline(), lambda: steps.append(best.costs))
    for costs in steps:
        for number in best.chosen:
            candidate = task.candidates[number]
            assert is_optimal(task, candidate.observations[0], costs, plans[candidate.task])
        assert all(costs[action] == expensive[action] for action in used)
    values = [task.secondary(costs) for costs in (expensive, *steps)]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == len(values)
    assert best.costs == (steps[-1] if steps else expensive)
    # What it ends with is as low as it can be, or some row forbids that.
    least = tuple(c if a in used else task.baseline[a] for a, c in enumerate(best.costs))
    assert best.costs == least or subproblem.check(least, best.chosen, Deadline()) is False


def test_out_of_time_nothing_is_lowered() -> None:
    task = LearningTask(grid_case(4, random_walks(4, 12, 4, 0)), Concept(), None)
    subproblem, best = priced(task)
    before = best.costs
    assert not lower_in_steps(subproblem, best, Deadline.after(-1), lambda: None)
    assert best.costs == before
    assert lower_in_steps(subproblem, best, Deadline(), lambda: None)
    assert task.secondary(best.costs) < task.secondary(before) / 2

"""LACFIP row by row: against brute force at k = all, and against the paper's MILPs at any k."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.learning.incumbent import Incumbent
from plancost.learning.lacfip import row_generation
from plancost.learning.lacfip.algorithm import lacfip
from plancost.learning.lacfip.row_generation import learn_from_rows
from plancost.learning.problem.concept import Concept
from plancost.learning.problem.task import LearningTask
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.observations.planfile import Plan
from plancost.solver import highs
from plancost.solver.model import Model, Outcome
from plancost.system.clock import Deadline
from support.brute_force import (
    assert_no_worse_than_brute_force,
    best_by_brute_force,
    is_optimal,
)
from support.grid_walks import grid_case, random_walks
from support.learned import weight_under
from support.small_tasks import learning_tasks, simple_plans

Example = tuple[LearningTask, list[list[Plan]]]


def solve(model: Model, time_limit_s: float | None, start: list[float] | None) -> Outcome:
    return highs.solve(model, time_limit_s=time_limit_s, start=start)


@settings(max_examples=250, deadline=None)
@given(learning_tasks())
def test_optimal_in_both_objectives(example: Example) -> None:
    task, plans = example
    answer = Incumbent.baseline(task)
    learn_from_rows(answer, plans, Deadline())
    weight = weight_under(task, answer.costs, plans)
    assert weight == answer.weight == answer.upper_bound
    assert answer.secondary_bound == task.secondary(answer.costs)
    assert answer.facts["milp_finished"] is True
    assert min(answer.costs) >= 1
    assert_no_worse_than_brute_force(task, answer.costs, weight, plans)


@settings(max_examples=150, deadline=None)
@given(learning_tasks(), st.integers(0, 4), st.randoms(use_true_random=False))
def test_the_same_as_the_milps_with_few_alternatives(
    example: Example, most: int, chance: object
) -> None:
    task, plans = example
    few = [chance.sample(some, min(most, len(some))) for some in plans]  # type: ignore[attr-defined]
    rows, milps = Incumbent.baseline(task), Incumbent.baseline(task)
    learn_from_rows(rows, few, Deadline())
    lacfip(milps, few, solve, Deadline())
    assert (rows.weight, rows.upper_bound) == (milps.weight, milps.upper_bound)
    assert task.secondary(rows.costs) == task.secondary(milps.costs)
    assert rows.secondary_bound == milps.secondary_bound
    assert rows.facts["milp_finished"] is milps.facts["milp_finished"] is True


@settings(max_examples=40, deadline=None)
@given(learning_tasks())
def test_without_time_the_answer_and_the_bound_are_valid(example: Example) -> None:
    task, plans = example
    answer = Incumbent.baseline(task)
    learn_from_rows(answer, plans, Deadline.after(0.0))
    assert answer.upper_bound >= best_by_brute_force(task, plans).weight
    for number in answer.chosen:
        member = task.candidates[number].observations[0]
        assert is_optimal(task, member, answer.costs, plans[task.candidates[number].task])


@pytest.mark.parametrize("where", ["find_feasible_subset", "improve_costs", "find_least_costs"])
def test_what_is_known_at_ctrl_c_is_kept(monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    def interrupted(subproblem: Subproblem, *_: object, **__: object) -> None:
        subproblem.notes["what was noted"] = subproblem.failures["what failed"] = None
        raise KeyboardInterrupt

    case = grid_case(3, random_walks(3, 6, 3, seed=2))
    task = LearningTask(case, Concept(), None)
    plans = [simple_plans(item.sas) for item in case.tasks]
    best = Incumbent.baseline(task)
    learn_from_rows(best, plans, Deadline())
    monkeypatch.setattr(row_generation, where, interrupted)
    answer = Incumbent.baseline(task)
    with pytest.raises(KeyboardInterrupt):
        learn_from_rows(answer, plans, Deadline())
    assert answer.facts["milp_finished"] is False
    assert "what was noted" in answer.notes and answer.failures == ["what failed"]
    assert answer.chosen, "at least what is optimal at the baseline"
    assert answer.upper_bound >= best.weight

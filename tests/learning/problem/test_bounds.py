"""Bounds and fixed values of single costs: against all cost functions that they allow."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import WriteGraphCase
from plancost.api.learn import learn
from plancost.errors import UsageError
from plancost.learning.diagnose.explanations import Given, Reason, explain
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import LearningTask
from plancost.learning.subproblem import feasibility
from plancost.observations.bounds_files import CostBound, Range
from plancost.observations.planfile import Plan
from plancost.system.clock import Deadline
from support.brute_force import (
    LARGEST_COST,
    assert_no_worse_than_brute_force,
    best_by_brute_force,
    is_optimal,
)
from support.learned import learned, weight_under
from support.linear import is_infeasible
from support.small_tasks import learning_tasks

Example = tuple[LearningTask, list[list[Plan]]]


@st.composite
def ranges(draw: st.DrawFn, *, limited: bool) -> Range:
    """A range below the largest cost of brute force, or (unless `limited`) without an end."""
    least = draw(st.integers(1, 3))
    ends = st.integers(least, LARGEST_COST)
    return least, draw(ends if limited else st.one_of(st.none(), ends))


@st.composite
def bounded_tasks(draw: st.DrawFn, *, limited: bool, most_actions: int = 6) -> Example:
    """A learning task whose costs have bounds."""
    task, plans = draw(learning_tasks(most_actions))
    each = ranges(limited=limited)
    return replace(task, ranges=tuple(draw(each) for _ in task.case.actions)), plans


def is_within(task: LearningTask, costs: tuple[int, ...]) -> bool:
    return all(
        term.least <= cost and (term.greatest is None or cost <= term.greatest)
        for term, cost in zip(task.terms, costs, strict=True)
    )


@settings(max_examples=300, deadline=None)
@given(bounded_tasks(limited=True))
def test_the_best_of_all_costs_within_the_bounds(example: Example) -> None:
    """Every cost has a greatest value, so brute force sees all there is."""
    task, plans = example
    answer = learned(task)
    best = best_by_brute_force(task, plans)
    assert is_within(task, answer.costs)
    assert weight_under(task, answer.costs, plans) == best.weight
    assert answer.weight == answer.upper_bound == best.weight
    assert task.secondary(answer.costs) == answer.secondary_bound == best.secondary


@settings(max_examples=200, deadline=None)
@given(bounded_tasks(limited=False))
def test_some_bounds_and_some_none(example: Example) -> None:
    task, plans = example
    answer = learned(task)
    weight = weight_under(task, answer.costs, plans)
    assert is_within(task, answer.costs)
    assert weight == answer.weight == answer.upper_bound
    assert task.secondary(answer.costs) == answer.secondary_bound
    assert_no_worse_than_brute_force(task, answer.costs, weight, plans)


@settings(max_examples=100, deadline=None)
@given(learning_tasks())
def test_bounds_that_say_nothing_change_nothing(example: Example) -> None:
    task, _ = example
    same = replace(task, ranges=((1, None),) * len(task.case.actions))
    assert learned(task).costs == learned(same).costs


@settings(max_examples=100, deadline=None)
@given(bounded_tasks(limited=True))
def test_a_proof_names_the_bounds_that_it_needs(example: Example) -> None:
    """Its rows contradict each other even for costs of at least 1."""
    task, _ = example
    answer = learned(task)
    for conflict in answer.conflicts:
        if conflict.secondary is None and conflict.certificate is not None:
            assert conflict.certificate.is_valid()
            assert is_infeasible(conflict.certificate.rows, len(task.case.actions))


@settings(max_examples=100, deadline=None)
@given(bounded_tasks(limited=True))
def test_explanations_name_bounds(example: Example) -> None:
    task, plans = example
    answer = learned(task)
    assert answer.first is not None
    chosen = frozenset(
        number
        for number, candidate in enumerate(task.candidates)
        if is_optimal(task, candidate.observations[0], answer.costs, plans[candidate.task])
    )
    others = sorted(frozenset(range(len(task.candidates))) - chosen)
    for explanation in explain(answer.first, chosen, others, Deadline()).values():
        assert explanation.reason is not Reason.NOT_PROVEN
        assert explanation.arguments or explanation.by_solver
        for item in explanation.arguments:
            if isinstance(item, Given):
                ((name, sign),) = item.coefficients
                term = task.terms[task.action_number[name]]
                assert item.most == (term.greatest if sign > 0 else -term.least)


def test_a_plan_that_bounds_rule_out(example_1: Path) -> None:
    """A-C-B needs an expensive A-B; if it costs at most 1, only A-B-C's side is left."""
    free = learn(example_1, LearnOptions())
    assert free.costs["(move a b)"] + free.costs["(move a c)"] == 3
    bound = LearnOptions(bounds=(CostBound("(move a *)", 1, 1, "test"),))
    result = learn(example_1, bound)
    assert (result.optimal_plans, result.proved, result.secondary.value) == (0, True, 6)
    (first, second) = result.observations
    assert first.explanation is not None
    named = [item for item in first.explanation["certificate"] if "given" in item]
    actions = {"(move a b)": 1}
    assert named == [{"given": "bound", "actions": actions, "most": 1, "times": 1}]
    assert second.explanation is not None
    assert result.options["bounds"] == [["(move a *)", 1, 1]]


def test_bounds_need_the_exact_learner(example_1: Path) -> None:
    with pytest.raises(UsageError, match="max_cost goes with alternatives='exact'"):
        learn(example_1, LearnOptions(alternatives="10", max_cost=3))


def test_a_largest_cost_for_all(table_1: Path) -> None:
    assert learn(table_1, LearnOptions(max_cost=1)).secondary.value == 14
    assert max(learn(table_1, LearnOptions(max_cost=2)).costs.values()) <= 2


def test_costs_that_nobody_could_read_back_are_not_learned(
    write_graph_case: WriteGraphCase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A-C would have to cost 1200."""
    case = write_graph_case({("a", "b"): 1, ("b", "c"): 1, ("a", "c"): 1}, ["abc"])
    fixed = tuple(CostBound(name, 600, 600) for name in ("(move a b)", "(move b c)"))
    monkeypatch.setattr(feasibility, "LARGEST_LEARNED_COST", 1000)
    result = learn(case, LearnOptions(bounds=fixed))
    assert max(result.costs.values()) <= 1000
    assert (result.optimal_plans, result.upper_bound, result.proved) == (0, 1, False)
    (note,) = result.notes
    assert note.startswith("some action would have to cost more than 1000, beyond which")

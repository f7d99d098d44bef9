"""The learning task in numbers."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import WriteGraphCase
from plancost.api.learn import learn
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.rows import excess, is_violated
from plancost.learning.problem.task import LearningTask
from plancost.observations.planfile import Plan
from support.brute_force import is_optimal
from support.learned import learned
from support.linear_tasks import (
    composed,
)
from support.small_tasks import learning_tasks


def test_an_action_decides_unless_it_has_a_parameter_of_its_own(
    write_graph_case: WriteGraphCase,
) -> None:
    """All moves have the constant, but only those with a length can be priced out by it."""
    lengths = {("a", "b"): 0, ("b", "c"): 0, ("a", "c"): 2, ("c", "a"): 0}
    case = learn(write_graph_case(lengths, ["abc"])).case
    assert case is not None
    composition = composed(case.actions, {f"(move {a} {b})": (n,) for (a, b), n in lengths.items()})
    task = LearningTask(case, LearnOptions().concept, None, composition=composition)
    assert task.deciding_names == {"(move a b)", "(move b c)", "(move c a)"}
    answer = learned(task)
    assert dict(zip(task.parameters, answer.costs, strict=True)) == {"s: constant": 1, "s: (f0)": 1}


def test_only_actions_with_a_greatest_cost_cannot_be_priced_out(
    write_graph_case: WriteGraphCase,
) -> None:
    """The direct way is cheap at most, so that the plan cannot be optimal; the third is free."""
    moves = {("a", "b"): 1, ("b", "c"): 1, ("a", "c"): 1, ("c", "a"): 1}
    case = learn(write_graph_case(moves, ["abc"])).case
    assert case is not None
    plain = LearningTask(case, LearnOptions().concept, None)
    ranges = tuple((1, 1 if name == "(move a c)" else None) for name in case.actions)
    task = LearningTask(case, LearnOptions().concept, None, ranges)
    assert plain.scales and not task.scales
    assert plain.prices_out and task.prices_out
    assert plain.deciding_names == {"(move a b)", "(move b c)"}
    assert task.deciding_names == {"(move a b)", "(move b c)", "(move a c)"}
    assert (learned(plain).weight, learned(task).weight) == (1, 0)
    roof = LearningTask(case, LearnOptions().concept, None, ((1, 9),) * len(case.actions))
    assert not roof.prices_out
    assert roof.deciding_names == set(case.actions)


@settings(max_examples=100, deadline=None)
@given(learning_tasks(), st.data())
def test_all_rows_of_a_candidate_say_that_it_is_optimal(
    example: tuple[LearningTask, list[list[Plan]]], data: st.DataObject
) -> None:
    task, plans = example
    costs = tuple(data.draw(st.integers(1, 4)) for _ in task.case.actions)
    for candidate in task.candidates:
        known = plans[candidate.task]
        rows = [task.row(candidate, plan) for plan in known if task.is_alternative(candidate, plan)]
        keeps = not any(is_violated(row, costs) for row in rows)
        for number in candidate.observations:
            assert keeps == is_optimal(task, number, costs, known)
            assert sorted(task.case.observations[number].plan) == sorted(candidate.plan)
    assert task.weight(range(len(task.candidates))) == task.case.plan_count
    assert sorted(task.candidate_of_observation) == list(range(len(task.case.observations)))


@settings(max_examples=100, deadline=None)
@given(learning_tasks(), st.data())
def test_what_bounds_say_about_rows(
    example: tuple[LearningTask, list[list[Plan]]], data: st.DataObject
) -> None:
    task, _ = example
    task = LearningTask(
        task.case,
        task.concept,
        task.initial_costs,
        tuple(
            (data.draw(st.integers(1, 2)), data.draw(st.integers(2, 3))) for _ in task.case.actions
        ),
    )
    actions = st.integers(0, len(task.case.actions) - 1)
    found = data.draw(st.dictionaries(actions, st.sampled_from([-2, -1, 1, 2]), max_size=3))
    row = tuple(sorted(found.items())), data.draw(st.integers(-3, 3))
    ends = [(term.least, term.greatest or 0) for term in task.terms]
    kindest = [low if found.get(a, 1) > 0 else high for a, (low, high) in enumerate(ends)]
    assert task.least_excess(row) == excess(row, kindest)
    assert task.admits(tuple(kindest))
    for action, (low, high) in enumerate(ends):
        for cost in range(5):
            costs = [*kindest[:action], cost, *kindest[action + 1 :]]
            rows = [task.bound_row(action, upper=upper) for upper in (False, True)]
            outside = any(limit is not None and is_violated(limit, costs) for limit in rows)
            if cost >= 1:
                assert outside == (not low <= cost <= high)
            assert task.admits(tuple(costs)) == (low <= cost <= high)

"""The check of an incumbent: every plan under the cost function where it belongs."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.learning.incumbent import Incumbent
from plancost.learning.problem.concept import Concept
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Run
from plancost.learning.verify.incumbent import (
    Check,
    arranged,
    check_incumbent,
    check_of,
    claimed_function,
    nearest_function,
    not_checked,
)
from plancost.learning.verify.verification import Verdict
from plancost.observations.planfile import Plan
from support.brute_force import is_optimal
from support.grid_walks import grid_case, random_walks
from support.random_rows import costs_of
from support.small_tasks import learning_tasks


@pytest.mark.parametrize(
    ("verdicts", "group"),
    [
        ([(False, 6, 3), (True, 9, 9)], 1),
        ([(False, 6, 3), (False, 9, 8)], 1),
        ([(False, 9, 1), (None, 6, None)], 1),
        ([(False, 9, None), (False, 9, 1)], 1),
        ([(None, 6, None), (None, 9, None)], 0),
        ([(False, 0, 0), (False, 2, 1)], 0),
    ],
)
def test_a_plan_goes_where_it_is_nearest_to_optimal(
    verdicts: list[tuple[bool | None, int, int | None]], group: int
) -> None:
    assert nearest_function([Verdict(*verdict, rival=None) for verdict in verdicts]) == group


Example = tuple[LearningTask, list[list[Plan]]]


def drawn(task: LearningTask, count: int, data: st.DataObject) -> Incumbent:
    """Cost functions at random, each with claims of its own, right or wrong."""
    incumbent = Incumbent.baseline(task, [f"group-{n + 1}" for n in range(count)])
    left = set(range(len(task.candidates)))
    for function in incumbent.functions:
        function.costs = data.draw(costs_of(task, 3))
        if left:
            function.chosen = data.draw(st.frozensets(st.sampled_from(sorted(left))))
            left -= function.chosen
    return incumbent


@settings(max_examples=100, deadline=None)
@given(learning_tasks(), st.integers(1, 3), st.data())
def test_every_plan_is_checked_where_it_belongs(
    example: Example, count: int, data: st.DataObject
) -> None:
    task, plans = example
    incumbent = drawn(task, count, data)
    claimed = claimed_function(incumbent)
    found = not_checked(incumbent)
    check_incumbent(
        Run.of(task.case, LearnOptions(concept=task.concept)), incumbent, claimed, found
    )
    check = check_of(found, claimed)
    optimal = [
        [
            is_optimal(task, number, function.costs, plans[observation.task])
            for function in incumbent.functions
        ]
        for number, observation in enumerate(task.case.observations)
    ]
    for number, (own, verdict) in enumerate(zip(check.function_of, check.verdicts, strict=True)):
        candidate = task.candidate_of_observation[number]
        owners = [n for n, item in enumerate(incumbent.functions) if candidate in item.chosen]
        assert claimed.get(number, own) == own
        assert owners == ([own] if number in claimed else [])
        assert verdict.optimal is optimal[number][own]
        if number not in claimed:
            assert verdict.optimal is any(optimal[number])
    counted = [
        observation.count
        for observation, verdict in zip(task.case.observations, check.verdicts, strict=True)
        if verdict.optimal
    ]
    assert check.confirmed(task) == sum(counted)
    for function in range(count):
        members = check.members(function)
        candidates = {task.candidate_of_observation[number] for number in members}
        wrong = {task.candidate_of_observation[n] for n in members if not optimal[n][function]}
        assert check.not_optimal(task, function) == wrong
        assert check.optimal(task, function) == candidates - wrong


@settings(max_examples=60, deadline=None)
@given(learning_tasks(), st.integers(1, 3), st.data())
def test_the_function_with_the_most_optimal_plans_comes_first(
    example: Example, count: int, data: st.DataObject
) -> None:
    task, _ = example
    incumbent = drawn(task, count, data)
    numbers = range(len(task.case.observations))
    check = Check(
        tuple(data.draw(st.integers(0, count - 1)) for _ in numbers),
        tuple(
            Verdict(data.draw(st.sampled_from([True, False, None])), 1, 1, None) for _ in numbers
        ),
    )
    costs = [incumbent.functions[own].costs for own in check.function_of]
    after = arranged(incumbent, check)
    assert after.verdicts == check.verdicts
    assert [incumbent.functions[own].costs for own in after.function_of] == costs
    assert [item.name for item in incumbent.functions] == [f"group-{n + 1}" for n in range(count)]
    found = []
    for function in range(count):
        own = [task.case.observations[number] for number in after.members(function)]
        right = [n for n in after.members(function) if check.verdicts[n].optimal]
        optimal = sum(task.case.observations[number].count for number in right)
        found.append((optimal, sum(item.count for item in own)))
    assert found == sorted(found, reverse=True)


def test_optimal_plans_count_before_plans() -> None:
    task = LearningTask(grid_case(3, random_walks(3, 5, 3, seed=3)), Concept(), None)
    assert len(task.case.observations) == 5
    incumbent = Incumbent.baseline(task, ["first", "second", "third"])
    for cost, function in enumerate(incumbent.functions, start=1):
        function.costs = (cost,) * len(task.parameters)
    optimal = (False, False, True, True, True)
    verdicts = tuple(Verdict(is_right, 1, 1, None) for is_right in optimal)
    after = arranged(incumbent, Check((0, 0, 0, 1, 1), verdicts))
    assert [function.costs[0] for function in incumbent.functions] == [2, 1, 3]
    assert [function.name for function in incumbent.functions] == ["first", "second", "third"]
    assert after.function_of == (1, 1, 1, 0, 0)


def test_a_plan_that_was_checked_under_one_of_two_cost_functions_is_open() -> None:
    """It is not optimal under the first; the check was ended before it came to the second."""
    found = [[Verdict(False, 6, 3, None)], [Verdict(None, 6, None, None)]]
    assert check_of(found, {}).verdicts[0].optimal is None


@settings(max_examples=20, deadline=None)
@given(learning_tasks(), st.data())
def test_what_is_not_checked_is_open(example: Example, data: st.DataObject) -> None:
    task, _ = example
    incumbent = drawn(task, 2, data)
    check = check_of(not_checked(incumbent), claimed_function(incumbent))
    assert {verdict.optimal for verdict in check.verdicts} == {None}
    assert check.confirmed(task) == 0
    assert check.optimal(task, 0) == check.optimal(task, 1) == frozenset()
    assert check.not_optimal(task, 0) == frozenset()
    for own, verdict, observation in zip(
        check.function_of, check.verdicts, task.case.observations, strict=True
    ):
        assert verdict.cost == task.cost(observation.plan, incumbent.functions[own].costs)

"""Several cost functions against brute force: all partitions of random small tasks."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.api.pipeline import learn_by
from plancost.learning.exact.strategy import learn_exactly
from plancost.learning.incumbent import Incumbent
from plancost.learning.partition.strategy import (
    group_names,
    learn_groups,
)
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import LearningTask, PlanSet
from plancost.learning.run import Oracles, Run
from plancost.observations.planfile import Plan
from plancost.system.clock import Deadline
from support.brute_force import LARGEST_COST, is_optimal
from support.feasible_sets import feasible_sets, heaviest_union
from support.small_tasks import learning_tasks

Example = tuple[LearningTask, list[list[Plan]]]


def learned(
    task: LearningTask,
    count: int,
    deadline: Deadline = Deadline(),  # noqa: B008 (frozen)
    seed: int = 0,
) -> Incumbent:
    answer = Incumbent.baseline(task, group_names(count))
    options = LearnOptions(concept=task.concept, seed=seed)
    searchers = Oracles.of(task.case, options)
    learn_groups(Run(options, searchers, deadline), task, answer)
    return answer


def optimal_under(
    task: LearningTask, costs: Sequence[int], plans: Sequence[Sequence[Plan]]
) -> PlanSet:
    return frozenset(
        number
        for number, candidate in enumerate(task.candidates)
        if all(
            is_optimal(task, member, costs, plans[candidate.task])
            for member in candidate.observations
        )
    )


@settings(max_examples=200, deadline=None)
@given(learning_tasks(), st.integers(1, 3))
def test_no_partition_makes_more_plans_optimal(example: Example, count: int) -> None:
    task, plans = example
    answer = learned(task, count)
    assert answer.weight == answer.upper_bound, "small cases are proven"
    assert answer.weight == heaviest_union(task, feasible_sets(task, plans), count)
    subproblem = [function.chosen for function in answer.functions]
    assert sum(map(len, subproblem)) == len(frozenset().union(*subproblem)), "one group each"
    assert answer.weight == sum(map(task.weight, subproblem))
    for chosen, costs in ((item.chosen, item.costs) for item in answer.functions):
        assert min(costs) >= 1
        assert chosen <= optimal_under(task, costs, plans)


@settings(max_examples=100, deadline=None)
@given(learning_tasks(), st.integers(1, 3))
def test_each_group_has_its_least_costs(example: Example, count: int) -> None:
    task, plans = example
    answer = learned(task, count)
    assert all(function.is_least for function in answer.functions)
    sizes = range(1, LARGEST_COST)
    grid = [(task.secondary(c), c) for c in itertools.product(sizes, repeat=len(task.case.actions))]
    grid.sort()
    for chosen, costs in ((item.chosen, item.costs) for item in answer.functions):
        value = task.secondary(costs)
        cheaper = (c for least, c in grid if least < value)
        assert not any(chosen <= optimal_under(task, c, plans) for c in cheaper)


@settings(max_examples=100, deadline=None)
@given(learning_tasks())
def test_one_group_is_the_exact_learner(example: Example) -> None:
    task, _ = example
    alone = Incumbent.baseline(task)
    options = LearnOptions(concept=task.concept)
    searchers = Oracles.of(task.case, options)
    learn_exactly(Run(options, searchers, Deadline()), task, alone)
    answer = learned(task, 1)
    assert (answer.weight, answer.upper_bound) == (alone.weight, alone.upper_bound)
    assert task.secondary(answer.costs) >= task.secondary(alone.costs)


@settings(max_examples=60, deadline=None)
@given(learning_tasks())
def test_with_a_group_for_each_plan_all_that_are_possible_are_optimal(example: Example) -> None:
    task, plans = example
    alone = [chosen for chosen in feasible_sets(task, plans) if len(chosen) == 1]
    answer = learned(task, len(task.candidates))
    assert answer.weight == answer.upper_bound == task.weight(frozenset().union(*alone))


@settings(max_examples=80, deadline=None)
@given(learning_tasks(), st.integers(2, 3), st.sampled_from([0.0, 0.001, 0.003, 0.01, 0.03]))
def test_out_of_time_nothing_false_is_claimed(example: Example, count: int, seconds: float) -> None:
    task, plans = example
    answer = learned(task, count, Deadline.after(seconds))
    assert answer.upper_bound >= heaviest_union(task, feasible_sets(task, plans), count)
    optimal = [optimal_under(task, item.costs, plans) for item in answer.functions]
    assert answer.weight <= task.weight(frozenset().union(*optimal))


@settings(max_examples=60, deadline=None)
@given(learning_tasks(), st.integers(2, 3))
def test_the_result_counts_what_the_check_confirms(example: Example, count: int) -> None:
    task, plans = example
    options = LearnOptions(concept=task.concept, groups=count)
    searchers = Oracles.of(task.case, options)
    incumbent = Incumbent.baseline(task, group_names(count))
    result = learn_by(learn_groups, Run(options, searchers), incumbent)
    assert result.verified
    assert result.proved
    assert [group.name for group in result.groups] == [f"group-{n + 1}" for n in range(count)]
    costs = {group.name: tuple(group.costs.values()) for group in result.groups}
    assert result.costs == result.groups[0].costs, "those of the largest group"
    for number, item in enumerate(result.observations):
        assert item.group is not None
        own = costs[item.group]
        task_plans = plans[task.case.observations[number].task]
        assert item.optimal is is_optimal(task, number, own, task_plans)
        assert item.cost == task.cost(task.case.observations[number].plan, own)
        if not item.optimal:
            everywhere = [is_optimal(task, number, other, task_plans) for other in costs.values()]
            assert not any(everywhere), "it would be assigned where it is optimal"
            assert item.explanation is not None
            assert item.explanation["reason"] != "not proven"
    assert result.optimal_plans == sum(item.count for item in result.observations if item.optimal)
    assert result.secondary.value == sum(map(task.secondary, costs.values()))
    for group in result.groups:
        members = [item for item in result.observations if item.group == group.name]
        assert group.plans == sum(item.count for item in members)
        assert group.optimal_plans == sum(item.count for item in members if item.optimal)


@settings(max_examples=40, deadline=None)
@given(learning_tasks(), st.integers(0, 3))
def test_the_same_seed_gives_the_same_groups(example: Example, seed: int) -> None:
    task, _ = example
    first, second = (learned(task, 2, seed=seed) for _ in range(2))
    assert (first.costs, first.chosen) == (second.costs, second.chosen)

"""Several cost functions against brute force: all partitions of random small tasks."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.api.pipeline import learn_by
from plancost.learning.exact.strategy import learn_exactly
from plancost.learning.incumbent import Incumbent
from plancost.learning.master.inequalities import Inequalities
from plancost.learning.master.relaxation import Relaxation
from plancost.learning.partition.integer_program import heaviest_sets
from plancost.learning.partition.strategy import (
    group_names,
    learn_groups,
)
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import LearningTask, PlanSet
from plancost.learning.run import Oracles, Run
from plancost.learning.subproblem.conflict import Conflict
from plancost.learning.verify.incumbent import nearest_function
from plancost.learning.verify.verification import Verdict
from plancost.observations.files import MOST_COUNT
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


# The bounds and the integer program

classes = st.lists(st.frozensets(st.integers(0, 5), min_size=1, max_size=3), min_size=1, max_size=3)
conflict_lists = st.lists(classes.map(lambda found: Conflict(tuple(found), None)), max_size=8)
weight_lists = st.lists(
    st.integers(1, 3) | st.integers(1, MOST_COUNT) | st.integers(MOST_COUNT - 3, MOST_COUNT),
    min_size=6,
    max_size=6,
)


def best_sets(weights: Sequence[int], conflicts: Sequence[Conflict], count: int) -> int:
    """The heaviest union of so many sets without a conflict, by trying all."""
    every = [
        frozenset(chosen) for size in range(7) for chosen in itertools.combinations(range(6), size)
    ]
    free = [one for one in every if not any(conflict.contains(one) for conflict in conflicts)]
    largest = [one for one in free if not any(one < other for other in free)]
    return max(
        sum(weights[plan] for plan in frozenset().union(*chosen))
        for chosen in itertools.combinations_with_replacement(largest, count)
    )


@settings(max_examples=300, deadline=None)
@given(conflict_lists, weight_lists, st.integers(1, 3))
def test_the_integer_program_is_exact_and_the_relaxation_a_bound(
    conflicts: list[Conflict], weights: list[int], count: int
) -> None:
    best = best_sets(weights, conflicts, count)
    cuts = Inequalities(6, conflicts)
    relaxed = Relaxation(weights, cuts, count).solve(Deadline())
    assert relaxed is not None
    assert relaxed.bound >= best
    proposal = heaviest_sets(weights, cuts, count, Deadline())
    assert proposal.finished
    assert proposal.chosen is not None
    assert proposal.bound == best
    assert len(proposal.chosen) == count
    assert sum(weights[plan] for chosen in proposal.chosen for plan in chosen) == best
    for chosen in proposal.chosen:
        assert not any(conflict.contains(chosen) for conflict in conflicts)
    again = heaviest_sets(weights, cuts, count, Deadline(), start=proposal.chosen[::-1])
    assert again.bound == best


def test_the_relaxation_of_a_clique() -> None:
    """Of five plans in conflict pair by pair, three groups can have three."""
    pairs = itertools.combinations(range(5), 2)
    conflicts = [Conflict((frozenset([a]), frozenset([b])), None) for a, b in pairs]
    bounds = []
    for count in (1, 2, 3, 4, 5, 6):
        relaxed = Relaxation([1] * 5, Inequalities(5, conflicts), count).solve(Deadline())
        assert relaxed is not None
        assert np.all(relaxed.values <= 1)
        bounds.append(relaxed.bound)
    assert bounds == [1, 2, 3, 4, 5, 5]


@pytest.mark.parametrize(
    ("verdicts", "group"),
    [
        ([(False, 6, 3), (True, 9, 9)], 1),
        ([(False, 6, 3), (False, 9, 8)], 1),
        ([(None, 6, None), (False, 9, 1)], 1),
        ([(None, 6, None), (None, 9, None)], 0),
        ([(False, 0, 0), (False, 2, 1)], 0),
    ],
)
def test_a_plan_goes_where_it_is_nearest_to_optimal(
    verdicts: list[tuple[bool | None, int, int | None]], group: int
) -> None:
    assert nearest_function([Verdict(*verdict, rival=None) for verdict in verdicts]) == group

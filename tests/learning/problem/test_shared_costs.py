"""Costs that actions share: against all cost functions that give classes one cost."""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import TABLE_1, WriteGraphCase
from plancost.api.learn import learn
from plancost.errors import InputError, UsageError
from plancost.learning.diagnose.explanations import Reason, explain
from plancost.learning.diagnose.least_factors import find_least_factor
from plancost.learning.problem.cost_model import CostModel
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Run
from plancost.learning.verify.oracle import oracle_for
from plancost.learning.verify.verification import check_costs
from plancost.observations.bounds_files import CostBound
from plancost.observations.planfile import Plan
from plancost.system.clock import Deadline
from support.brute_force import LARGEST_COST, is_optimal, weights_and_secondary
from support.factor_tasks import factor_tasks
from support.learned import learned
from support.linear import is_infeasible
from support.linear_tasks import with_known_costs
from support.small_tasks import learning_tasks

Example = tuple[LearningTask, list[list[Plan]]]


@st.composite
def sharings(draw: st.DrawFn, task: LearningTask) -> CostModel:
    """Some of the actions in up to three classes, the others alone."""
    return CostModel.by_names(
        [draw(st.sampled_from(["(x *)", "(y *)", "(z *)", name])) for name in task.case.actions]
    )


@st.composite
def sharing_tasks(draw: st.DrawFn) -> Example:
    """A learning task with shared costs, and perhaps bounds, known costs and factors."""
    task, plans = draw(st.one_of(learning_tasks(6), factor_tasks()))
    task = replace(task, ranges=None, composition=draw(sharings(task)))
    if draw(st.integers(0, 3)) == 0:
        ends = st.one_of(st.none(), st.integers(2, LARGEST_COST))
        task = replace(task, ranges=tuple((1, draw(ends)) for _ in task.case.actions))
    if draw(st.integers(0, 3)) == 0:
        task = with_known_costs(draw, task)
    return task, plans


def shared_costs(task: LearningTask) -> np.ndarray:
    """All admissible costs of parameters up to the largest, those of actions beside them."""
    sizes = [
        range(term.least, min(term.greatest or LARGEST_COST, LARGEST_COST) + 1)
        for term in task.terms
    ]
    return np.array([costs for costs in itertools.product(*sizes) if task.admits(costs)])


def as_actions(task: LearningTask, costs: np.ndarray) -> np.ndarray:
    return np.array([task.structure.costs(row) for row in costs.tolist()])


@settings(max_examples=300, deadline=None)
@given(sharing_tasks())
def test_optimal_in_both_objectives(example: Example) -> None:
    task, plans = example
    answer = learned(task)
    assert task.admits(answer.costs)
    assert len(answer.costs) == len(task.parameters)
    found = as_actions(task, np.array([answer.costs]))
    (weight,), (secondary,) = weights_and_secondary(task, found, plans)
    assert weight == answer.weight == answer.upper_bound
    assert secondary == answer.secondary_bound == task.secondary(answer.costs)
    grid = shared_costs(task)
    if not len(grid):
        assert max(answer.costs) > LARGEST_COST
        return
    weights, secondaries = weights_and_secondary(task, as_actions(task, grid), plans)
    assert weight >= weights.max()
    if weight == weights.max():
        least = secondaries[weights == weight].min()
        assert secondary <= least
        if max(answer.costs) <= LARGEST_COST:
            assert secondary == least
    else:
        assert max(answer.costs) > LARGEST_COST


@settings(max_examples=100, deadline=None)
@given(learning_tasks())
def test_classes_of_one_change_nothing(example: Example) -> None:
    task, _ = example
    same = replace(task, composition=CostModel.by_names(task.case.actions))
    assert same.parameters == task.case.actions
    assert learned(task).costs == learned(same).costs


@settings(max_examples=100, deadline=None)
@given(sharing_tasks())
def test_sharing_never_gains_plans(example: Example) -> None:
    task, _ = example
    task = replace(task, known=(), most_deviation=None)
    assert learned(task).weight <= learned(replace(task, composition=None)).weight


@settings(max_examples=100, deadline=None)
@given(sharing_tasks())
def test_the_check_proofs_and_explanations(example: Example) -> None:
    task, plans = example
    answer = learned(task)
    options = LearnOptions(concept=task.concept)
    run = Run.of(task.case, options)
    oracle = oracle_for(run, task, answer.costs)
    costs = as_actions(task, np.array([answer.costs]))[0].tolist()
    verdicts = check_costs(run, task, answer.costs, oracle)
    for number, verdict in enumerate(verdicts):
        of_task = plans[task.case.observations[number].task]
        assert verdict.optimal == is_optimal(task, number, costs, of_task)
    for conflict in answer.conflicts:
        if conflict.secondary is None and conflict.certificate is not None:
            assert is_infeasible(conflict.certificate.rows, len(task.parameters))
    chosen = frozenset(
        number
        for number, candidate in enumerate(task.candidates)
        if verdicts[candidate.observations[0]].optimal
    )
    others = sorted(frozenset(range(len(task.candidates))) - chosen)
    assert answer.first is not None
    for explanation in explain(answer.first, chosen, others, Deadline()).values():
        assert explanation.reason is not Reason.NOT_PROVEN


@settings(max_examples=60, deadline=None)
@given(factor_tasks([Fraction(1)]), st.data())
def test_least_factors_with_shared_costs(example: Example, data: st.DataObject) -> None:
    task, plans = example
    sharing = data.draw(sharings(task))
    task = LearningTask(task.case, task.concept, None, composition=sharing)
    for number, candidate in enumerate(task.candidates):
        if not candidate.plan or not all(plans[candidate.task]):
            continue
        infimum = find_least_factor(Run.of(task.case, LearnOptions()), task, number).infimum
        assert infimum is not None
        for costs in shared_costs(task)[::11]:
            named = task.named(costs.tolist())
            cheapest = min(sum(named[n] for n in plan) for plan in plans[candidate.task])
            assert sum(named[n] for n in candidate.plan) >= infimum * cheapest


def test_one_cost_for_all_moves(table_1: Path) -> None:
    result = learn(table_1, LearnOptions(share=("schema",), compare_unshared=True))
    assert result.shared == {"(move * *)": 1}
    assert set(result.costs.values()) == {1}
    assert (result.optimal_plans, result.proved, result.secondary.value) == (2, True, 14)
    assert result.unshared is not None
    assert (result.unshared.optimal_plans, result.unshared.proved) == (2, True)
    assert result.cost_of("(move x y)") == 1
    assert result.cost_of("(fly x y)") is None


def test_costs_that_depend_on_the_target(write_graph_case: WriteGraphCase) -> None:
    """A-C-D has the other way A-B-D: now C must cost as little as B from wherever one comes."""
    case = write_graph_case(TABLE_1, ["acd", "fdb"])
    free = learn(case, LearnOptions())
    shared = learn(case, LearnOptions(share=("move ?b",)))
    assert shared.shared is not None
    assert sorted(shared.shared) == [f"(move * {node})" for node in "abcdef"]
    assert shared.costs["(move a b)"] == shared.costs["(move d b)"] == shared.shared["(move * b)"]
    assert (free.optimal_plans, shared.optimal_plans) == (2, 2)
    assert shared.secondary.value == sum(shared.costs.values())


def test_refinement_counts_every_action(table_1: Path) -> None:
    """With one cost for all, the least distance from C̄ is that of the median."""
    result = learn(table_1, LearnOptions(refine=True, share=("schema",)))
    initial = sorted(cost for cost in TABLE_1.values())
    median = initial[len(initial) // 2]
    assert result.shared == {"(move * *)": median}
    assert result.secondary.value == sum(abs(cost - median) for cost in initial)


def test_bounds_of_a_class(table_1: Path) -> None:
    bounds = (CostBound("(move a b)", 3, None, "test"),)
    result = learn(table_1, LearnOptions(share=("move",), bounds=bounds))
    assert result.shared == {"(move * *)": 3}
    clash = (*bounds, CostBound("(move b a)", 1, 2, "test"))
    with pytest.raises(InputError, match="share one cost"):
        learn(table_1, LearnOptions(share=("move",), bounds=clash))


@pytest.mark.parametrize(
    ("share", "message"),
    [
        (("fly",), "the domain has no action fly, only move"),
        (("move ?x",), r"move has no parameter \?x, only \?a \?b"),
        (("move", "move ?a"), "has a share already"),
    ],
)
def test_wrong_shares(table_1: Path, share: tuple[str, ...], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        learn(table_1, LearnOptions(share=share))

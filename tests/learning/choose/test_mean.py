"""The mean of costs that make plans optimal, against all simple plans and draws of the prior."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from conftest import WriteGraphCase, both_ways
from plancost.api.learn import learn
from plancost.errors import UsageError
from plancost.learning.choose.posterior import LEAST_SIZE, MOST_R_HAT
from plancost.learning.choose.prior import SPREAD
from plancost.learning.problem.options import Choose, LearnOptions
from plancost.learning.problem.task import LearningTask
from plancost.observations.bounds_files import CostBound
from plancost.observations.planfile import Plan
from support.brute_force import is_optimal
from support.small_tasks import learning_tasks

MEAN = LearnOptions(choose=Choose.MEAN)
_TRIED = 100_000


def optimal_under(
    task: LearningTask, chosen: list[int], plans: list[list[Plan]], costs: np.ndarray
) -> np.ndarray:
    """Under which of many costs (columns) all chosen observations cost no more than any plan."""
    fine = np.ones(costs.shape[1], dtype=bool)
    for number in chosen:
        observation = task.case.observations[number]
        own = _cost(task, observation.plan, costs)
        for other in plans[observation.task]:
            fine &= own <= _cost(task, other, costs) + 1e-9
    return fine


def _cost(task: LearningTask, plan: Plan, costs: np.ndarray) -> np.ndarray:
    total = np.zeros(costs.shape[1])
    for parameter, count in task.counts(plan):
        total += count * costs[parameter]
    return total


@settings(max_examples=25, deadline=None)
@given(learning_tasks(most_actions=5))
def test_as_many_plans_are_optimal_and_the_mean_is_right(
    example: tuple[LearningTask, list[list[Plan]]],
) -> None:
    task, plans = example
    task = LearningTask(task.case, task.concept, None)
    least = learn(task.case, LearnOptions(task.concept))
    result = learn(task.case, replace(MEAN, concept=task.concept))
    assert result.optimal_plans == least.optimal_plans
    assert result.proved
    assert result.choice is not None, result.notes
    assert result.is_finished
    costs = tuple(result.costs[name] for name in task.case.actions)
    chosen = [number for number, item in enumerate(result.observations) if item.optimal]
    for number in chosen:
        assert is_optimal(task, number, costs, plans[task.case.observations[number].task])
    assert result.choice["r_hat"] <= MOST_R_HAT
    assert result.choice["effective_size"] >= LEAST_SIZE
    tried = np.random.default_rng(0).uniform(1, SPREAD, (len(costs), _TRIED))
    kept = tried[:, optimal_under(task, chosen, plans, tried)]
    if result.choice["equalities"] or kept.shape[1] < 2000:
        return
    scale = result.choice["scale"]
    assert result.uncertainty is not None
    found = [result.uncertainty[name] for name in task.case.actions]
    sd = float(kept.std(axis=1).max())
    mean = np.array([item.mean for item in found]) / scale
    assert mean == pytest.approx(kept.mean(axis=1), abs=0.2 * sd)
    assert [item.sd / scale for item in found] == pytest.approx(kept.std(axis=1).tolist(), rel=0.2)
    assert np.array(costs) / scale == pytest.approx(mean, abs=0.05 * SPREAD)


def _diamond(write: WriteGraphCase) -> Path:
    """Two ways from a to d, of which the one through b was taken."""
    return write(both_ways({"ab": 1, "bd": 1, "ac": 1, "cd": 1}), ["abd"])


def test_of_two_ways_the_one_taken_is_thought_cheaper(write_graph_case: WriteGraphCase) -> None:
    result = learn(_diamond(write_graph_case), MEAN)
    assert result.uncertainty is not None
    taken = result.uncertainty["(move a b)"], result.uncertainty["(move b d)"]
    other = result.uncertainty["(move a c)"], result.uncertainty["(move c d)"]
    assert max(item.mean for item in taken) < min(item.mean for item in other)
    assert all(item.observed and item.least < item.mean < item.greatest for item in taken)
    back = result.uncertainty["(move d c)"]
    scale = result.choice["scale"] if result.choice else 0
    low, high = 1 + 0.05 * (SPREAD - 1), 1 + 0.95 * (SPREAD - 1)
    assert not back.observed
    assert back.mean == pytest.approx(scale * (1 + SPREAD) / 2)
    assert back.sd == pytest.approx(scale * (SPREAD - 1) / np.sqrt(12), rel=1e-3)
    assert (back.least, back.greatest) == pytest.approx((scale * low, scale * high))
    assert result.samples is not None
    assert result.samples.shape == (200, len(result.costs))
    names = list(result.costs)
    cost = {name: result.samples[:, names.index(name)] for name in names}
    own, rest = cost["(move a b)"] + cost["(move b d)"], cost["(move a c)"] + cost["(move c d)"]
    assert np.all(own <= rest + 1e-6)


def test_bounds_and_fixed_costs_hold(write_graph_case: WriteGraphCase) -> None:
    bounds = (
        CostBound("(move a b)", least=6, greatest=6),
        CostBound("(move c d)", greatest=4),
    )
    result = learn(_diamond(write_graph_case), replace(MEAN, bounds=bounds))
    assert result.choice is not None, result.notes
    assert result.choice["scale"] == 1
    assert result.costs["(move a b)"] == 6
    assert result.costs["(move c d)"] <= 4
    assert result.optimal_plans == 1


def test_refined_costs_stay_near_the_initial_ones(write_graph_case: WriteGraphCase) -> None:
    case = _diamond(write_graph_case)
    names = learn(case).costs
    initial = {name: 40 if name == "(move a b)" else 20 for name in names}
    result = learn(case, MEAN, initial_costs=initial)
    assert result.choice is not None, result.notes
    assert result.choice["scale"] == 1
    assert result.optimal_plans == 1
    assert 20 < result.costs["(move a b)"] < 40
    assert result.costs["(move a c)"] > 20
    assert result.costs["(move b a)"] == pytest.approx(20, abs=2)


def test_the_same_seed_gives_the_same_costs(write_graph_case: WriteGraphCase) -> None:
    case = _diamond(write_graph_case)
    assert learn(case, MEAN).costs == learn(case, MEAN).costs


def test_what_it_does_not_go_with() -> None:
    for more in ({"groups": 2}, {"ranges": True}, {"soft_costs": True}):
        with pytest.raises(UsageError, match="--choose"):
            LearnOptions(choose=Choose.MEAN, **more)

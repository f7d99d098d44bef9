"""What competes with plans, against listing all plans; with and without a state graph."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import logsumexp

from plancost.learning.choose.competition import Competition
from plancost.learning.exact.subproblems import full_subproblem
from plancost.learning.problem.concept import Concept
from plancost.learning.problem.cuts import cuts_of
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Run
from plancost.learning.separation.protocol import NoSeparator
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.observations.case import Case
from plancost.observations.planfile import Plan
from support.small_tasks import cases

Example = tuple[Case, list[list[Plan]]]


def tasks_of(example: Example) -> tuple[LearningTask, list[list[Plan]]]:
    return LearningTask(example[0], Concept(), None), example[1]


def overlap(one: Plan, other: Plan) -> float:
    shared = (Counter(one) & Counter(other)).total()
    return 2 * shared / (len(one) + len(other)) if one or other else 1.0


@settings(deadline=None, max_examples=15)
@given(example=cases(), data=st.data())
def test_regrets_and_overlaps_on_graphs(example: Example, data: st.DataObject) -> None:
    task, plans = tasks_of(example)
    subproblem = full_subproblem(Run.of(task.case, LearnOptions()), task)
    competition = Competition(subproblem)
    everyone = range(len(task.candidates))
    assert competition.on_graphs == frozenset(everyone)
    assert competition.fits
    size = len(task.parameters)
    costs = np.array(data.draw(st.lists(st.floats(0.5, 3), min_size=size, max_size=size)))
    regrets = competition.regrets(costs, everyone)
    overlaps = competition.overlaps(costs, everyone)
    for number, candidate in enumerate(task.candidates):
        prices = [float(task.cost(plan, costs)) for plan in plans[candidate.task]]  # type: ignore[arg-type]
        own = float(task.cost(candidate.plan, costs))  # type: ignore[arg-type]
        assert regrets[number] == pytest.approx(own - min(prices), abs=1e-9)
        cheapest = [
            plan
            for plan, price in zip(plans[candidate.task], prices, strict=True)
            if price < min(prices) + 1e-9
        ]
        assert any(
            overlaps[number] == pytest.approx(overlap(candidate.plan, plan)) for plan in cheapest
        )


@settings(deadline=None, max_examples=15)
@given(example=cases(), data=st.data())
def test_without_graphs_the_known_plans_compete(example: Example, data: st.DataObject) -> None:
    task, plans = tasks_of(example)
    subproblem = Subproblem(task, range(len(task.parameters)), NoSeparator())
    for number, candidate in enumerate(task.candidates):
        subproblem.learn(cuts_of(task, number, plans[candidate.task]))
    competition = Competition(subproblem)
    assert not competition.on_graphs
    size, everyone = len(task.parameters), range(len(task.candidates))
    costs = np.array(data.draw(st.lists(st.floats(0.5, 3), min_size=size, max_size=size)))
    likelihood = competition.likelihood(competition.weights, 1e6)
    expected = 0.0
    for candidate in task.candidates:
        known = {candidate.counts} | {
            other.counts for other in task.candidates if other.task == candidate.task
        }
        known |= {
            task.counts(cut.alternative)
            for cut in subproblem.cuts()
            if task.candidates[cut.candidate].task == candidate.task
        }
        prices = [sum(times * costs[a] for a, times in counts) for counts in known]
        own = sum(times * costs[a] for a, times in candidate.counts)
        expected += candidate.weight * (own + float(logsumexp(-np.array(prices))))
    value, gradient = likelihood.loss(costs)
    assert value == pytest.approx(expected, rel=1e-6, abs=1e-6)
    step = np.full(size, 1e-5)
    slope = (likelihood.loss(costs + step)[0] - likelihood.loss(costs - step)[0]) / 2
    assert gradient @ step == pytest.approx(slope, rel=1e-3, abs=1e-6 * max(1.0, abs(value)))
    assert min(competition.regrets(costs, everyone).values()) >= -1e-9
    assert set(competition.overlaps(costs, everyone)) == set(everyone)

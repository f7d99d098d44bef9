"""Measures against all plans of small tasks, listed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.evaluation.measures import Measurer, overlap, regret
from plancost.learning.problem.options import LearnOptions
from plancost.observations.case import Case
from plancost.observations.planfile import Plan, plan_cost
from plancost.observations.replay import replay
from support.small_tasks import cases


@settings(max_examples=60, deadline=None)
@given(cases(), st.data())
def test_against_all_plans(found: tuple[Case, list[list[Plan]]], data: st.DataObject) -> None:
    case, plans = found
    costs = {name: data.draw(st.integers(1, 9)) for name in case.actions}
    numbers = data.draw(st.lists(st.integers(0, len(case.observations) - 1), unique=True))
    measures = Measurer(case, LearnOptions()).measure(costs.__getitem__, numbers)
    assert [measure.observation for measure in measures] == numbers
    for measure in measures:
        observation = case.observations[measure.observation]
        least = min(plan_cost(plan, costs) for plan in plans[observation.task])
        assert measure.cost == plan_cost(observation.plan, costs)
        assert measure.optimal_cost == least
        assert measure.optimal == (measure.cost == least)
        assert measure.predicted is not None
        assert replay(case.tasks[observation.task].sas, measure.predicted).is_valid
        assert plan_cost(measure.predicted, costs) == least
        assert measure.overlap == overlap(measure.predicted, observation.plan)
        assert measure.regret is not None
        assert (measure.regret == 1.0) == measure.optimal
        assert measure.regret >= 1.0


PLANS = st.lists(st.sampled_from(["(a)", "(b)", "(c)"]), max_size=5).map(tuple)


@settings(max_examples=60, deadline=None)
@given(PLANS, PLANS)
def test_overlap(one: Plan, other: Plan) -> None:
    value = overlap(one, other)
    assert value == overlap(other, one)
    assert 0 <= value <= 1
    assert (value == 1) == (sorted(one) == sorted(other))
    assert (value == 0) == (not set(one) & set(other) and (one, other) != ((), ()))


def test_values() -> None:
    assert overlap(("(a)", "(a)", "(b)"), ("(a)", "(c)")) == pytest.approx(2 / 5)
    assert regret(15, 10) == pytest.approx(1.5)
    assert regret(0, 0) == 1.0
    assert regret(2, 0) == 3.0

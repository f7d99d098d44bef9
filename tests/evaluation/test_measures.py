"""Measures against all plans of small tasks, listed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import WriteGraphCase, both_ways
from plancost.evaluation.measures import Measurer, overlap, regret
from plancost.learning.problem.options import LearnOptions
from plancost.observations.case import Case, load_case
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


@settings(max_examples=60, deadline=None)
@given(cases(), st.data())
def test_second_costs_decide_between_cheapest_plans(
    found: tuple[Case, list[list[Plan]]], data: st.DataObject
) -> None:
    case, plans = found
    numbers = range(len(case.observations))
    # Few different costs, so that many plans tie; second costs are no less than costs can be.
    costs = {name: data.draw(st.integers(1, 2)) for name in case.actions}
    second = {name: data.draw(st.integers(1, 10_000)) for name in case.actions}
    measurer = Measurer(case, LearnOptions())
    measures = measurer.measure(costs.__getitem__, numbers, second=second.__getitem__)
    for measure, plain in zip(measures, measurer.measure(costs.__getitem__, numbers), strict=True):
        observation = case.observations[measure.observation]
        least = min(
            (plan_cost(plan, costs), plan_cost(plan, second)) for plan in plans[observation.task]
        )
        predicted = measure.predicted
        assert predicted is not None
        assert (plan_cost(predicted, costs), plan_cost(predicted, second)) == least
        assert measure.overlap == overlap(predicted, observation.plan)
        assert (measure.cost, measure.optimal_cost) == (plain.cost, plain.optimal_cost)


def test_second_costs_never_make_a_prediction_dearer(write_graph_case: WriteGraphCase) -> None:
    """Also where they are so large that they outweigh costs."""
    case = load_case(write_graph_case(both_ways({"ab": 1, "bd": 1, "ad": 1}), ["abd"]))
    second = {name: 1 + 10**8 * (name == "(move a d)") for name in case.actions}
    (measure,) = Measurer(case, LearnOptions()).measure(lambda _: 1, [0], second=second.__getitem__)
    assert (measure.predicted, measure.optimal_cost) == (("(move a d)",), 1)


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

"""Sums of weights up to billions, in digits, against every choice of columns."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.learning.master.weighing import Weighing, common_unit
from plancost.learning.problem.task import PlanSet
from plancost.solver import highs
from plancost.solver.model import Model, Outcome, Status
from support.conflicts import EVERY_SET, SIZE, weight_lists


def choice(excluded: list[PlanSet]) -> Model:
    """A program that chooses plans, but no more than all but one of an excluded set."""
    model = Model()
    for _ in range(SIZE):
        model.add_column(0, 1, integer=True)
    for members in excluded:
        model.add_row(dict.fromkeys(members, 1.0), upper=len(members) - 1.0)
    return model


def allowed(excluded: list[PlanSet]) -> list[PlanSet]:
    return [chosen for chosen in EVERY_SET if not any(one <= chosen for one in excluded)]


exclusions = st.lists(st.sampled_from(EVERY_SET[1:]), max_size=4)


@settings(max_examples=60, deadline=None)
@given(exclusions, weight_lists)
def test_the_largest_sum(excluded: list[PlanSet], weights: list[int]) -> None:
    model = choice(excluded)
    weighing = Weighing(model, list(enumerate(weights)))

    def solve(start: list[float] | None) -> Outcome:
        return highs.solve(model, gap=0.5, start=start)

    outcome, bound = weighing.largest(solve)
    best = max(sum(weights[plan] for plan in chosen) for chosen in allowed(excluded))
    assert outcome.status is Status.OPTIMAL
    assert outcome.values is not None
    assert bound == weighing.of(outcome.values) == best


@settings(max_examples=60, deadline=None)
@given(exclusions, weight_lists, st.sampled_from(EVERY_SET), st.integers(-1, 1))
def test_a_sum_that_is_required(
    excluded: list[PlanSet], weights: list[int], some: PlanSet, more: int
) -> None:
    """One more or less of billions makes the difference."""
    required = max(0, sum(weights[plan] for plan in some) + more)
    model = choice(excluded)
    weighing = Weighing(model, list(enumerate(weights)))
    for chosen in allowed(excluded)[-3:]:
        point = weighing.start([float(plan in chosen) for plan in range(SIZE)])
        assert weighing.of(point) == sum(weights[plan] for plan in chosen)
        for line, lower, upper in model.rows:
            assert lower <= sum(value * point[column] for column, value in line.items()) <= upper
    weighing.require(required)
    possible = any(sum(weights[plan] for plan in s) >= required for s in allowed(excluded))
    found = highs.solve(model)
    assert found.status is (Status.OPTIMAL if possible else Status.INFEASIBLE)
    if found.values is not None:
        assert weighing.of(found.values) >= required


def test_a_digit_that_is_borrowed() -> None:
    """1,000,000 is at least 500,005, although its last digit (of base 500,000) is smaller."""
    model = Model()
    columns = [model.add_column(0, most, integer=True) for most in (1, 0)]
    weighing = Weighing(model, list(zip(columns, (1_000_000, 1), strict=True)))
    weighing.require(500_005)
    assert highs.solve(model).status is Status.OPTIMAL
    weighing.require(1_000_000)
    assert highs.solve(model).status is Status.OPTIMAL
    weighing.require(1_000_001)
    assert highs.solve(model).status is Status.INFEASIBLE


@given(st.lists(st.integers(1, 50)), st.integers(1, 10**9))
def test_a_common_unit(parts: list[int], unit: int) -> None:
    found = common_unit(part * unit for part in parts)
    assert found % unit == 0 if parts else found == 1
    assert all(part * unit % found == 0 for part in parts)

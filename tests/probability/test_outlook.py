"""Probabilities and regrets under samples, against brute force over all plans."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import WriteGraphCase
from plancost.learning.problem.options import LearnOptions, OracleName
from plancost.observations.case import Case, load_case
from plancost.observations.planfile import Plan
from plancost.probability.outlook import Searcher, outlooks
from plancost.probability.sampled_costs import sampled_costs
from plancost.results.samples import Samples
from plancost.system.clock import Deadline
from support.drawn import samples
from support.small_tasks import cases

AB, BD, AC, CD = "(move a b)", "(move b d)", "(move a c)", "(move c d)"


@st.composite
def sampled_cases(draw: st.DrawFn) -> tuple[Case, list[list[Plan]], Samples]:
    """A case without observed plans, all plans of each of its tasks, and samples of costs."""
    case, plans = draw(cases(5))
    row = st.lists(st.integers(1, 9), min_size=len(case.actions), max_size=len(case.actions))
    rows = draw(st.lists(row, min_size=1, max_size=5))
    drawn = Samples(case.actions, np.array(rows, dtype=float))
    return replace(case, observations=()), plans, drawn


@settings(max_examples=80)
@given(sampled_cases())
def test_as_brute_force_says(sampled: tuple[Case, list[list[Plan]], Samples]) -> None:
    case, plans, drawn = sampled
    costs = sampled_costs(drawn, case.actions)
    searcher = Searcher.of(case, LearnOptions(), Deadline())
    given = {task: found[:1] for task, found in enumerate(plans)}
    looks = outlooks(searcher, range(len(case.tasks)), costs, Deadline(), plans=given)
    place = {name: column for column, name in enumerate(case.actions)}
    for look, everything in zip(looks, plans, strict=True):
        table = [[sum(row[place[a]] for a in plan) for row in drawn.costs] for plan in everything]
        optima = np.min(table, axis=0)
        assert look.searched == len(drawn.costs)
        for number, plan in enumerate(look.plans):
            cost = np.array([sum(row[place[a]] for a in plan) for row in drawn.costs])
            assert look.probability(number) == np.mean(cost == optima)
            regrets = 1 + (cost - optima) / np.maximum(1, optima)
            assert look.expected_regret(number) == pytest.approx(regrets.mean(), rel=1e-4)
        assert look.number(everything[0]) < len(look.plans)
        predicted = [sum(row[place[a]] for a in look.plans[0]) for row in drawn.costs]
        assert np.mean(predicted) == pytest.approx(np.mean(table, axis=1).min(), abs=1e-4)


@pytest.fixture
def square(write_graph_case: WriteGraphCase) -> tuple[Case, Samples]:
    """From a to d by b or by c; b is cheaper under two samples, c under one, and once they tie."""
    roads = {("a", "b"): 1, ("b", "d"): 1, ("a", "c"): 1, ("c", "d"): 1}
    case = load_case(write_graph_case(roads, ["abd"]))
    return replace(case, observations=()), samples(
        *({AB: ab, BD: 1, AC: ac, CD: 1} for ab, ac in ((1, 2), (1, 1), (1, 4), (5, 3)))
    )


def test_orderings_are_one_plan_and_ties_count_for_all(square: tuple[Case, Samples]) -> None:
    case, drawn = square
    costs = sampled_costs(drawn, case.actions)
    look = outlooks(Searcher.of(case, LearnOptions(), Deadline()), [0], costs, Deadline())[0]
    assert sorted(map(len, look.plans)) == [2, 2]
    by_b = look.number((BD, AB))
    assert look.plans[by_b] == (AB, BD)
    assert [look.probability(by_b), look.probability(1 - by_b)] == [0.75, 0.5]
    assert look.expected_regret(by_b) == pytest.approx((3 + 6 / 4) / 4, abs=1e-5)


def test_without_time_nothing_is_said(square: tuple[Case, Samples]) -> None:
    case, drawn = square
    costs = sampled_costs(drawn, case.actions)
    searcher = Searcher.of(case, LearnOptions(), Deadline())
    look = outlooks(searcher, [0], costs, Deadline.after(0.0))[0]
    assert (look.searched, look.probability(), look.expected_regret()) == (0, None, None)


@pytest.mark.slow
def test_planners_say_the_same(square: tuple[Case, Samples]) -> None:
    case, drawn = square
    costs = sampled_costs(drawn, case.actions)
    by = [
        outlooks(Searcher.of(case, LearnOptions(oracle=oracle), Deadline()), [0], costs, Deadline())
        for oracle in (OracleName.AUTO, OracleName.FAST_DOWNWARD)
    ]
    (one,), (two,) = by
    assert {plan: one.probability(n) for n, plan in enumerate(one.plans)} == {
        plan: two.probability(n) for n, plan in enumerate(two.plans)
    }

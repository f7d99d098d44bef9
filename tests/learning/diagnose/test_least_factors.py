"""How near to optimal a plan can be: against all integer costs, and in closed form."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from conftest import WriteGraphCase
from plancost.api import pipeline
from plancost.api.learn import learn, least_factors
from plancost.errors import PlancostError, SolverError
from plancost.learning.diagnose.least_factors import LeastFactor, find_least_factor
from plancost.learning.problem.concept import Concept
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Run
from plancost.observations.planfile import Plan
from plancost.oracles import shortest_paths
from support.brute_force import LARGEST_COST, cost_functions
from support.factor_tasks import Example, factor_tasks


def by_linear_program(task: LearningTask, plan: Plan, plans: list[Plan]) -> float | None:
    """The infimum over all costs of at least 0, with SciPy and all plans of the task listed."""
    names = sorted(set(plan))
    inside = [other for other in plans if set(other) <= set(names)]
    if not all(inside):
        return None
    counts = [[Counter(p)[name] for name in names] for p in (plan, *inside)]
    found = linprog(counts[0], A_ub=-np.array(counts), b_ub=-np.ones(len(counts)), bounds=(0, None))
    assert found.status == 0
    return float(found.fun or 0)


@settings(max_examples=150, deadline=None)
@given(factor_tasks([Fraction(1)]))
def test_the_infimum_over_free_costs(example: Example) -> None:
    task, plans = example
    for number, candidate in enumerate(task.candidates):
        found = find_least_factor(Run.of(task.case, LearnOptions()), task, number)
        if not candidate.plan:
            assert (found.infimum, found.attained) == (Fraction(1), True)
            continue
        expected = by_linear_program(task, candidate.plan, plans[candidate.task])
        if expected is None:
            assert found.infimum is None
            continue
        assert found.infimum is not None
        assert abs(float(found.infimum) - expected) < 1e-7
        alone = replace(
            LearningTask(task.case, Concept(), None), factors=_factor(task, number, found.infimum)
        )
        reached = any(
            costs_reach(alone, number, costs, plans) for costs in cost_functions(alone)[::7]
        )
        assert found.attained is not None
        assert found.attained or not reached, "brute force has found costs that reach it"


def _factor(task: LearningTask, candidate: int, factor: Fraction) -> tuple[Fraction, ...]:
    members = task.candidates[candidate].observations
    return tuple(
        factor if number in members else Fraction(1)
        for number in range(len(task.case.observations))
    )


def costs_reach(
    task: LearningTask, candidate: int, costs: np.ndarray, plans: list[list[Plan]]
) -> bool:
    own = task.candidates[candidate]
    named = dict(zip(task.case.actions, costs.tolist(), strict=True))
    cost = sum(named[name] for name in own.plan)
    return all(cost <= own.factor * sum(named[name] for name in plan) for plan in plans[own.task])


@settings(max_examples=60, deadline=None)
@given(factor_tasks([Fraction(1)]), st.integers(1, LARGEST_COST - 1))
def test_the_least_under_a_largest_cost(example: Example, most: int) -> None:
    task, plans = example
    task = replace(task, ranges=((1, most),) * len(task.case.actions))
    grid = cost_functions(task).astype(np.int64)
    names = task.case.actions
    for number, candidate in enumerate(task.candidates):
        of_task = plans[candidate.task]
        found = find_least_factor(Run.of(task.case, LearnOptions()), task, number)
        if not candidate.plan or not all(of_task):
            continue
        vectors = [
            np.array([Counter(plan)[name] for name in names]) for plan in (candidate.plan, *of_task)
        ]
        own, *others = (grid @ vector for vector in vectors)
        least = np.min(np.array(others), axis=0)
        pairs = set(zip(own.tolist(), least.tolist(), strict=True))
        best = min(Fraction(int(a), int(b)) for a, b in pairs)
        assert found.within_bounds == best
        if found.infimum is not None:
            assert found.infimum <= best


def test_a_detour(write_graph_case: WriteGraphCase) -> None:
    """A-B-A-B costs 2 x + y where A-B costs x: down to 2, never 2; with costs up to 4: 9/4."""
    case = write_graph_case({("a", "b"): 1, ("b", "a"): 1}, ["abab", "ab"])
    options = LearnOptions(max_cost=4, least_factors=True)
    detour, straight = least_factors(case, options)
    assert (detour.infimum, detour.attained) == (Fraction(2), False)
    assert detour.within_bounds == Fraction(9, 4)
    assert (straight.infimum, straight.attained) == (Fraction(1), True)
    assert straight.within_bounds == Fraction(1)
    first = learn(case, options).observations[0].to_json()
    assert first["least_factor"] == {"infimum": "2", "attained": False, "within_bounds": "9/4"}


def test_costs_beyond_exact_arithmetic_are_not_found(
    write_graph_case: WriteGraphCase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The least factor within such bounds cannot be searched for; that without bounds can."""
    case = write_graph_case({("a", "b"): 1, ("b", "a"): 1}, ["abab"])
    monkeypatch.setattr(shortest_paths, "_LARGEST_EXACT", 1000)
    (found,) = least_factors(case, LearnOptions(max_cost=1000))
    assert (found.infimum, found.attained, found.within_bounds) == (Fraction(2), False, None)


@pytest.mark.parametrize(
    ("stage", "name"),
    [
        ("explain_observations", "explaining"),
        ("find_ranges", "finding ranges"),
        ("find_least_factor", "finding least factors"),
    ],
)
def test_a_bug_in_what_is_only_added_does_not_cost_the_answer(
    stage: str,
    name: str,
    write_graph_case: WriteGraphCase,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(*_: object) -> None:
        raise KeyError("nobody expected this")

    case = write_graph_case({("a", "b"): 1, ("b", "a"): 1}, ["abab", "ab"])
    monkeypatch.setattr(pipeline, stage, fails)
    result = learn(case, LearnOptions(ranges=True, least_factors=True))
    assert (result.optimal_plans, result.proved, result.verified) == (1, True, True)
    (failure,) = result.failures
    assert failure.startswith("this is a bug in plancost (KeyError: 'nobody expected this', in ")
    assert failure.endswith(f"while {name}; the answer without that is kept; please report it")


def test_a_bug_in_explaining_groups_does_not_cost_the_answer(
    write_graph_case: WriteGraphCase, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise PlancostError("one of our own sentences")

    edges = {("a", "b"): 1, ("b", "a"): 1, ("b", "c"): 1, ("a", "c"): 1}
    case = write_graph_case(edges, ["abab", "ab", "ac"])
    monkeypatch.setattr(pipeline, "explain_observations", fails)
    result = learn(case, LearnOptions(groups=2))
    assert (result.optimal_plans, result.verified) == (2, True)
    assert result.failures == ("one of our own sentences",)


def test_a_plan_that_the_solver_fails_at_leaves_the_others(
    write_graph_case: WriteGraphCase, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails_at_the_first(run: Run, task: LearningTask, candidate: int) -> LeastFactor:
        if candidate == 0:
            raise SolverError("HiGHS ended in an unexpected way: Solve error")
        return find_least_factor(run, task, candidate)

    case = write_graph_case({("a", "b"): 1, ("b", "a"): 1}, ["abab", "ab"])
    monkeypatch.setattr(pipeline, "find_least_factor", fails_at_the_first)
    result = learn(case, LearnOptions(least_factors=True))
    found = [item.least_factor for item in result.observations]
    assert found == [LeastFactor(None, None), LeastFactor(Fraction(1), True)]
    assert result.failures == ("HiGHS ended in an unexpected way: Solve error",)

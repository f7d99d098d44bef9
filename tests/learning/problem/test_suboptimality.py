"""Plans that cost a little more than the optimum: against all costs up to a largest one."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings

from conftest import TABLE_1, WriteGraphCase
from plancost.api.learn import learn
from plancost.errors import UsageError
from plancost.learning.diagnose.explanations import Argument, Reason, explain
from plancost.learning.exact import first_objective
from plancost.learning.exact.hitting_set import find_feasible_subset
from plancost.learning.incumbent import Incumbent
from plancost.learning.problem.concept import Concept, Solution
from plancost.learning.problem.options import LearnOptions, OracleName
from plancost.learning.run import Run
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.learning.verify.oracle import oracle_for
from plancost.learning.verify.verification import check_costs
from plancost.oracles.graph_limits import GraphLimits
from plancost.system.clock import Deadline
from support.brute_force import LARGEST_COST, best_by_brute_force, is_optimal
from support.factor_tasks import Example, factor_tasks
from support.learned import learned, weight_under
from support.linear import is_infeasible
from support.small_tasks import learning_tasks


@settings(max_examples=300, deadline=None)
@given(factor_tasks())
def test_optimal_in_both_objectives(example: Example) -> None:
    task, plans = example
    answer = learned(task)
    weight = weight_under(task, answer.costs, plans)
    secondary = task.secondary(answer.costs)
    best = best_by_brute_force(task, plans)
    assert task.admits(answer.costs)
    assert weight == answer.weight == answer.upper_bound >= best.weight
    assert secondary == answer.secondary_bound
    if weight == best.weight:
        assert secondary <= best.secondary
        if max(answer.costs) <= LARGEST_COST:
            assert secondary == best.secondary
    else:
        assert max(answer.costs) > LARGEST_COST


@settings(max_examples=100, deadline=None)
@given(learning_tasks())
def test_a_factor_of_one_changes_nothing(example: Example) -> None:
    task, _ = example
    same = replace(task, factors=(Fraction(1),) * len(task.case.observations))
    assert same.candidates == task.candidates
    assert learned(task).costs == learned(same).costs


@settings(max_examples=100, deadline=None)
@given(factor_tasks())
def test_the_check_agrees_with_the_definition(example: Example) -> None:
    task, plans = example
    run, costs = Run.of(task.case, LearnOptions()), task.baseline
    oracle = oracle_for(run, task, costs)
    for number, verdict in enumerate(check_costs(run, task, costs, oracle)):
        of_task = plans[task.case.observations[number].task]
        assert verdict.optimal == is_optimal(task, number, costs, of_task)
        cheapest = min(task.cost(plan, costs) for plan in of_task)
        assert verdict.optimal_cost == cheapest


@settings(max_examples=100, deadline=None)
@given(factor_tasks())
def test_proofs_and_explanations(example: Example) -> None:
    task, plans = example
    answer = learned(task)
    for conflict in answer.conflicts:
        if conflict.secondary is None and conflict.certificate is not None:
            assert is_infeasible(conflict.certificate.rows, len(task.case.actions))
    assert answer.first is not None
    chosen = frozenset(
        number
        for number, candidate in enumerate(task.candidates)
        if is_optimal(task, candidate.observations[0], answer.costs, plans[candidate.task])
    )
    others = sorted(frozenset(range(len(task.candidates))) - chosen)
    for explanation in explain(answer.first, chosen, others, Deadline()).values():
        assert explanation.reason is not Reason.NOT_PROVEN
        for item in explanation.arguments:
            if isinstance(item, Argument) and item.factor != 1:
                assert item.plan_only == task.candidates[item.candidate].plan
                assert item.alternative_only == item.alternative


@settings(max_examples=100, deadline=None)
@given(factor_tasks([Fraction(1), Fraction(3, 2)]))
def test_more_tolerance_never_loses_plans(example: Example) -> None:
    task, _ = example
    assert task.factors is not None
    looser = replace(task, factors=tuple(factor * Fraction(4, 3) for factor in task.factors))
    assert learned(looser).weight >= learned(task).weight


def test_planners_find_the_same(write_graph_case: WriteGraphCase) -> None:
    case = write_graph_case(TABLE_1, ["acdbd", "acef", "ab"])
    options = LearnOptions(suboptimality=Fraction(3, 2))
    graph = learn(case, options)
    planner = learn(case, replace(options, oracle=OracleName.FAST_DOWNWARD))
    mixed = learn(case, replace(options, graph_limits=GraphLimits(states=1)))
    assert graph.proved
    assert graph.costs == planner.costs == mixed.costs
    assert [item.to_json() for item in graph.observations] == [
        item.to_json() for item in planner.observations
    ]


def test_one_detour_and_its_factor(write_graph_case: WriteGraphCase) -> None:
    """A-B-A-B pays A-B twice and B-A once: at best 2 times as much, and a bit."""
    case = write_graph_case({("a", "b"): 1, ("b", "a"): 1}, ["abab"])
    for factor, expected in (("2", 0), ("5/2", 1), ("3", 1)):
        result = learn(case, LearnOptions(suboptimality=Fraction(factor)))
        assert (result.optimal_plans, result.proved) == (expected, True)
        assert result.options["suboptimality"] == factor
    (item,) = learn(case, LearnOptions(suboptimality=Fraction(5, 2))).observations
    assert item.ratio == Fraction(5, 2)
    entry = item.to_json()
    assert (entry["suboptimality"], entry["ratio"], entry["ratio_decimal"]) == ("5/2", "5/2", 2.5)
    (lost,) = learn(case, LearnOptions(suboptimality=Fraction(2))).observations
    assert lost.explanation is not None
    assert lost.explanation["reason"] == "never optimal"
    (argument,) = lost.explanation["certificate"]
    assert argument["suboptimality"] == "2"
    assert Counter(argument["plan_only"]) == Counter(
        {"(move a b)": 2, "(move b a)": 1},
    )


def test_factors_of_single_plans(example_1: Path) -> None:
    """A-C-B and A-B-C are in conflict unless one of them need not be optimal."""
    path = example_1 / "plans.csv"
    path.write_text("problem,plan,suboptimality\np1.pddl,p1.plan,\np2.pddl,p2.plan,3\n")
    result = learn(path, domain=example_1 / "domain.pddl")
    assert (result.optimal_plans, result.proved) == (2, True)
    assert [item.suboptimality for item in result.observations] == [Fraction(1), Fraction(3)]


def test_strict_concepts_have_no_factors(example_1: Path) -> None:
    options = LearnOptions(Concept(Solution.SCF), suboptimality=Fraction(2))
    with pytest.raises(UsageError, match="suboptimality goes with solution='mcf' or icf"):
        learn(example_1, options)


def test_an_answer_without_factors_is_one_with_factors(
    write_graph_case: WriteGraphCase, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the search with factors finds nothing, what makes plans optimal is still kept."""

    def nothing_with_factors(
        subproblem: Subproblem, start: Incumbent, deadline: Deadline, **_: object
    ) -> Incumbent:
        if subproblem.task.factors:
            return start
        return find_feasible_subset(subproblem, start, deadline)

    case = write_graph_case({("a", "b"): 1, ("b", "c"): 1, ("a", "c"): 1}, ["abc", "ac"])
    plain = learn(case, LearnOptions())
    monkeypatch.setattr(first_objective, "find_feasible_subset", nothing_with_factors)
    result = learn(case, LearnOptions(suboptimality=Fraction("1.1")))
    assert result.optimal_plans == plain.optimal_plans == 2
    assert result.verified

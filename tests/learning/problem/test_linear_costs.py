"""Costs that are linear in features: against all small weights, and what still holds with them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from conftest import TABLE_1, WriteGraphCase
from plancost.api.learn import learn
from plancost.errors import InputError
from plancost.learning.diagnose.explanations import Reason, explain
from plancost.learning.diagnose.least_factors import find_least_factor
from plancost.learning.diagnose.ranges import Ranges, find_ranges
from plancost.learning.incumbent import Incumbent
from plancost.learning.problem.cost_model import CostModel
from plancost.learning.problem.options import LearnOptions, OracleName
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Run
from plancost.learning.subproblem.contradictions import ContradictionError
from plancost.learning.verify.incumbent import Check
from plancost.learning.verify.oracle import oracle_for
from plancost.learning.verify.verification import check_costs
from plancost.observations.bounds_files import CostBound
from plancost.system.clock import Deadline
from support.brute_force import is_optimal, weights_and_secondary
from support.factor_tasks import factor_tasks
from support.learned import learned, weight_under
from support.linear import is_infeasible
from support.linear_tasks import (
    LARGEST_WEIGHT,
    Example,
    admissible,
    as_actions,
    composed,
    compositions,
    linear_tasks,
)
from support.small_tasks import learning_tasks

BY_LENGTH = ("move (length ?a ?b)",)


def result_of(task: LearningTask) -> Incumbent:
    """The answer, unless what is known is impossible."""
    try:
        return learned(task)
    except ContradictionError:
        assert not len(admissible(task))
        assume(False)
        raise


@settings(max_examples=80, deadline=None)
@given(linear_tasks())
def test_optimal_in_both_objectives(example: Example) -> None:
    task, plans = example
    answer = result_of(task)
    assert task.admits(answer.costs)
    found = as_actions(task, np.array([answer.costs]))
    assert found.min() >= 1
    (weight,), (secondary,) = weights_and_secondary(task, found, plans)
    assert weight == answer.weight == answer.upper_bound
    assert secondary == answer.secondary_bound == task.secondary(answer.costs)
    assert secondary >= task.secondary_floor
    grid = admissible(task)
    is_small = max(answer.costs) <= LARGEST_WEIGHT
    if not len(grid):
        assert not is_small
        return
    weights, secondaries = weights_and_secondary(task, as_actions(task, grid), plans)
    assert weight >= weights.max()
    if weight == weights.max():
        assert secondary <= secondaries[weights == weight].min()
    else:
        assert not is_small


@settings(max_examples=30, deadline=None)
@given(linear_tasks(limited=True))
def test_the_best_of_all_costs_within_bounds(example: Example) -> None:
    """No action costs more than brute force tries, so neither does a weight that matters."""
    task, plans = example
    grid = admissible(task)
    answer = result_of(task)
    weights, secondaries = weights_and_secondary(task, as_actions(task, grid), plans)
    assert answer.weight == answer.upper_bound == weights.max()
    least = secondaries[weights == weights.max()].min()
    assert task.secondary(answer.costs) == answer.secondary_bound == least


@settings(max_examples=30, deadline=None)
@given(learning_tasks(5), st.data())
def test_pricing_out_and_scaling_change_nothing(example: Example, data: st.DataObject) -> None:
    """A greatest cost that nobody reaches takes both facts away, and the answer stays."""
    task, _ = example
    task = replace(task, composition=data.draw(compositions(task)))
    assert task.scales
    assert task.prices_out
    roof = replace(task, ranges=((1, 10**5),) * len(task.case.actions))
    assert not roof.scales
    assert not roof.prices_out
    with_facts, without = learned(task), learned(roof)
    assert with_facts.weight == without.weight == without.upper_bound
    assert with_facts.secondary_bound == without.secondary_bound == task.secondary(with_facts.costs)


@settings(max_examples=30, deadline=None)
@given(learning_tasks(5))
def test_without_features_it_is_one_shared_cost(example: Example) -> None:
    task, _ = example
    names = task.case.actions
    linear = replace(task, composition=composed(names, dict.fromkeys(names, (0,))))
    shared = replace(task, composition=CostModel.by_names(["(x *)"] * len(names)))
    found, other = learned(linear), learned(shared)
    assert linear.named(found.costs) == shared.named(other.costs)
    assert found.secondary_bound == other.secondary_bound


@settings(max_examples=30, deadline=None)
@given(linear_tasks())
def test_the_check_proofs_and_explanations(example: Example) -> None:
    task, plans = example
    answer = result_of(task)
    options = LearnOptions(concept=task.concept)
    run = Run.of(task.case, options)
    oracle = oracle_for(run, task, answer.costs)
    verdicts = check_costs(run, task, answer.costs, oracle)
    costs = task.structure.costs(answer.costs)
    for number, verdict in enumerate(verdicts):
        of_task = plans[task.case.observations[number].task]
        assert verdict.optimal == is_optimal(task, number, costs, of_task)
    for conflict in answer.conflicts:
        if conflict.secondary is None and conflict.certificate is not None:
            assert conflict.certificate.is_valid()
            rows = conflict.certificate.rows
            assert is_infeasible(rows, len(task.parameters), task.may_be_zero)
    chosen = Check((0,) * len(verdicts), tuple(verdicts)).optimal(task)
    others = sorted(frozenset(range(len(task.candidates))) - chosen)
    assert answer.first is not None
    for explanation in explain(answer.first, chosen, others, Deadline()).values():
        assert explanation.reason is not Reason.NOT_PROVEN


@settings(max_examples=30, deadline=None)
@given(learning_tasks(6), st.data())
def test_large_numbers(example: Example, data: st.DataObject) -> None:
    """Lengths in metres: proven all the same, in exact arithmetic."""
    task, plans = example
    task = replace(task, composition=data.draw(compositions(task, largest=5000)))
    answer = learned(task)
    costs = tuple(task.structure.costs(answer.costs))
    assert weight_under(task, costs, plans) == answer.weight == answer.upper_bound
    assert task.secondary(answer.costs) == answer.secondary_bound


@settings(max_examples=25, deadline=None)
@given(linear_tasks(limited=True))
def test_ranges_over_all_optimal_answers(example: Example) -> None:
    task, plans = example
    answer = result_of(task)
    grid = as_actions(task, admissible(task))
    weights, secondaries = weights_and_secondary(task, grid, plans)
    costs = task.structure.costs(answer.costs)
    chosen = [
        number
        for number, observation in enumerate(task.case.observations)
        if is_optimal(task, number, costs, plans[observation.task])
    ]
    good = [
        row
        for row in grid[(weights == weights.max()) & (secondaries == answer.secondary_bound)]
        if all(
            is_optimal(task, n, row.tolist(), plans[task.case.observations[n].task]) for n in chosen
        )
    ]
    assert answer.full is not None
    candidates = frozenset(task.candidate_of_observation[number] for number in chosen)
    ranges = Ranges(task, answer.costs)
    find_ranges(answer.full, candidates, ranges, Deadline())
    found = ranges.all()
    for action, span in enumerate(found):
        values = [int(row[action]) for row in good]
        assert (span.least, span.greatest, span.proven) == (min(values), max(values), True)


@settings(max_examples=25, deadline=None)
@given(factor_tasks([Fraction(1)]), st.data())
def test_least_factors(example: Example, data: st.DataObject) -> None:
    task, plans = example
    composition = data.draw(compositions(task))
    task = LearningTask(task.case, task.concept, None, composition=composition)
    for number, candidate in enumerate(task.candidates):
        if not candidate.plan or not all(plans[candidate.task]):
            continue
        infimum = find_least_factor(Run.of(task.case, LearnOptions()), task, number).infimum
        assert infimum is not None
        for costs in admissible(task)[::17]:
            named = task.named(costs.tolist())
            cheapest = min(sum(named[n] for n in plan) for plan in plans[candidate.task])
            assert sum(named[n] for n in candidate.plan) >= infimum * cheapest


def test_a_long_way_around(write_graph_case: WriteGraphCase) -> None:
    """A-B-C instead of A-C: two moves of 1 are worth no more than one of 5."""
    lengths = {("a", "b"): 1, ("b", "c"): 1, ("a", "c"): 5, ("c", "a"): 4}
    case = write_graph_case(lengths, ["abc"])
    result = learn(case, LearnOptions(linear=BY_LENGTH, compare_unshared=True, ranges=True))
    assert (result.optimal_plans, result.proved, result.secondary.proved) == (1, True, True)
    assert result.linear == {"move": {"constant": 0, "(length ?a ?b)": 1}}
    assert result.costs == {f"(move {a} {b})": length for (a, b), length in lengths.items()}
    assert result.unshared is not None
    assert result.ranges is not None
    assert result.shared is None


@pytest.mark.parametrize("oracle", [OracleName.GRAPH, OracleName.FAST_DOWNWARD])
def test_graphs_and_planners_agree(table_1: Path, oracle: OracleName) -> None:
    result = learn(table_1, LearnOptions(linear=BY_LENGTH, oracle=oracle))
    assert (result.optimal_plans, result.upper_bound, result.secondary.value) == (2, 2, 14)


def test_refinement_finds_the_line(write_graph_case: WriteGraphCase) -> None:
    """The costs in the PDDL are the lengths, which are linear in themselves."""
    result = learn(
        write_graph_case(TABLE_1, ["abd", "acd"]), LearnOptions(linear=BY_LENGTH, refine=True)
    )
    assert result.linear is not None
    assert result.secondary.proved
    assert result.initial_costs is not None
    distance = sum(abs(cost - result.initial_costs[n]) for n, cost in result.costs.items())
    assert distance == result.secondary.value


def test_bounds(table_1: Path) -> None:
    bounds = (CostBound("(move a b)", 7, 7, "test"),)
    result = learn(table_1, LearnOptions(linear=BY_LENGTH, bounds=bounds))
    assert result.costs["(move a b)"] == 7
    clash = (CostBound("(move a b)", 2, 2, "test"), CostBound("(move b d)", 5, None, "test"))
    with pytest.raises(InputError, match=r"the bounds of \(move a b\), \(move b d\)"):
        learn(table_1, LearnOptions(linear=BY_LENGTH, bounds=clash))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("(= (length a b) 2)", "", r"p1\.pddl: :init gives no value to \(length a b\)"),
        ("(= (length a b) 2)", "(= (length a b) 2.5)", r"p1\.pddl: \(length a b\) is 2\.5"),
        ("(= (length a b) 2)", "(= (length a b) -1)", r"\(length a b\) is -1"),
        ("(= (length a b) 2)", "(= (length a b) 3)", r"is 3 in .*p1\.pddl and 2 in .*p2\.pddl"),
    ],
)
def test_wrong_numbers(table_1: Path, old: str, new: str, message: str) -> None:
    problem = table_1 / "p1.pddl"
    problem.write_text(problem.read_text().replace(old, new))
    with pytest.raises(InputError, match=message):
        learn(table_1, LearnOptions(linear=BY_LENGTH))

"""Known total costs of plans: against all cost functions up to a largest cost."""

from __future__ import annotations

import itertools
from collections import Counter
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
from plancost.learning.incumbent import Incumbent
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.plan_cost_constraints import (
    PlanCostConstraint,
    deviation_row,
    least_deviation,
    total_deviation,
)
from plancost.learning.problem.rows import excess
from plancost.learning.problem.task import LearningTask
from plancost.learning.problem.terms import Term
from plancost.learning.subproblem.contradictions import ContradictionError
from plancost.observations.plan_costs import Tolerance
from plancost.observations.planfile import Plan
from plancost.system.clock import Deadline
from support.brute_force import LARGEST_COST, cost_functions, weights_and_secondary
from support.learned import learned
from support.linear import is_infeasible
from support.small_tasks import few_copies, learning_tasks

Example = tuple[LearningTask, list[list[Plan]]]


@st.composite
def known_tasks(draw: st.DrawFn) -> Example:
    """A learning task in which the costs of some plans are known, and perhaps some bounds."""
    task, plans = draw(learning_tasks(5))
    task = few_copies(task)
    if draw(st.booleans()):
        ends = st.one_of(st.none(), st.integers(2, LARGEST_COST))
        task = replace(task, ranges=tuple((1, draw(ends)) for _ in task.case.actions))
    truth = [draw(st.integers(1, 3)) for _ in task.case.actions]
    known = []
    for number, observation in enumerate(task.case.observations):
        if not draw(st.booleans()):
            continue
        counts = task.counts(observation.plan)
        cost = Fraction(sum(truth[action] * count for action, count in counts))
        cost += draw(st.sampled_from([Fraction(n, 2) for n in (0, 0, 0, 2, -2, 1)]))
        width = draw(st.sampled_from([Fraction(n, 2) for n in (0, 0, 2, 1)]))
        known.append(
            PlanCostConstraint(number, counts, observation.count, cost - width, cost + width)
        )
    return replace(task, known=tuple(known)), plans


def deviations(task: LearningTask, grid: np.ndarray) -> list[Fraction]:
    """The total deviation of each cost function, straight from the definition."""
    found = []
    for costs in grid.tolist():
        named = dict(zip(task.case.actions, costs, strict=True))
        total = Fraction(0)
        for item in task.known:
            observation = task.case.observations[item.observation]
            cost = sum(named[name] for name in observation.plan)
            outside = max(item.least - cost, cost - item.greatest, Fraction(0))
            total += observation.count * outside
        found.append(total)
    return found


def check(task: LearningTask, plans: list[list[Plan]], answer: Incumbent, most: Fraction) -> None:
    """No cost function within the deviation is better, and the answer is one of them."""
    assert task.admits(answer.costs)
    assert deviations(task, np.array([answer.costs]))[0] <= most
    grid = cost_functions(task)
    allowed = grid[np.array([deviation <= most for deviation in deviations(task, grid)])]
    (weight,), (secondary,) = weights_and_secondary(task, np.array([answer.costs]), plans)
    assert weight == answer.weight == answer.upper_bound
    assert secondary == answer.secondary_bound == task.secondary(answer.costs)
    if not len(allowed):
        assert max(answer.costs) > LARGEST_COST
        return
    weights, secondaries = weights_and_secondary(task, allowed, plans)
    assert weight >= weights.max()
    if weight == weights.max():
        least = secondaries[weights == weight].min()
        assert secondary <= least
        if max(answer.costs) <= LARGEST_COST:
            assert secondary == least
    else:
        assert max(answer.costs) > LARGEST_COST


@settings(max_examples=250, deadline=None)
@given(known_tasks())
def test_the_best_costs_that_fit(example: Example) -> None:
    task, plans = example
    try:
        answer = learned(task)
    except ContradictionError as error:
        assert min(deviations(task, cost_functions(task)), default=1) > 0
        check_minimal(task, error.plans)
        return
    check(task, plans, answer, Fraction(0))


def check_minimal(task: LearningTask, plans: tuple[str, ...]) -> None:
    """With any one plan less, some costs fit (if brute force can see them)."""
    files = [str(observation.plan_file) for observation in task.case.observations]
    members = [item for item in task.known if files[item.observation] in plans]
    assert len(members) == len(plans) > 0
    assert least_deviation(members, task.terms, Deadline()) > 0
    for left_out in members:
        rest = [item for item in members if item is not left_out]
        assert least_deviation(rest, task.terms, Deadline()) == 0


@settings(max_examples=200, deadline=None)
@given(known_tasks())
def test_the_best_costs_that_nearly_fit(example: Example) -> None:
    task, plans = example
    least = least_deviation(task.known, task.terms, Deadline())
    tried = deviations(task, cost_functions(task))
    assert not tried or least <= min(tried)
    soft = replace(task, most_deviation=least)
    check(soft, plans, learned(soft), least)


@settings(max_examples=60, deadline=None)
@given(known_tasks())
def test_nothing_known_changes_nothing(example: Example) -> None:
    task, _ = example
    plain = replace(task, known=())
    answer = learned(plain)
    # What the answer costs anyway may be known as well.
    known = [
        replace(item, least=Fraction(cost), greatest=Fraction(cost))
        for item in task.known
        for cost in [task.cost(task.case.observations[item.observation].plan, answer.costs)]
    ]
    again = learned(replace(plain, known=tuple(known)))
    assert again.weight == answer.weight
    assert task.secondary(again.costs) == task.secondary(answer.costs)


@settings(max_examples=100, deadline=None)
@given(known_tasks())
def test_proofs_name_known_costs(example: Example) -> None:
    task, _ = example
    soft = replace(task, most_deviation=least_deviation(task.known, task.terms, Deadline()))
    for conflict in learned(soft).conflicts:
        if conflict.secondary is None and conflict.certificate is not None:
            assert is_infeasible(conflict.certificate.rows, len(task.case.actions))


@settings(max_examples=200, deadline=None)
@given(known_tasks(), st.data())
def test_the_row_of_a_deviation(example: Example, data: st.DataObject) -> None:
    """Costs break it iff they deviate by more; no costs that do not deviate break it."""
    task, _ = example
    most = data.draw(st.fractions(0, 5, max_denominator=3))
    sizes = st.integers(1, 6)
    costs, others = ([data.draw(sizes) for _ in task.case.actions] for _ in range(2))
    row = deviation_row(task.known, most, costs)
    deviates = total_deviation(task.known, costs) > most
    assert deviates == (row is not None and excess(row, costs) > 0)
    if row is not None and total_deviation(task.known, others) <= most:
        assert excess(row, others) <= 0


def manifest(case: Path, costs: dict[str, str]) -> Path:
    path = case / "manifest.csv"
    lines = [f"{name}.pddl,{name}.plan,{cost}" for name, cost in costs.items()]
    path.write_text("\n".join(["problem,plan,cost", *lines]) + "\n")
    return path


def test_known_costs_of_a_manifest(table_1: Path) -> None:
    domain = table_1 / "domain.pddl"
    result = learn(manifest(table_1, {"p1": "7", "p2": ""}), domain=domain)
    first, second = result.observations
    assert (first.cost, first.known_cost, second.known_cost) == (7, Fraction(7), None)
    assert (result.optimal_plans, result.proved, result.deviation) == (2, True, Fraction(0))
    assert first.to_json()["deviation"] == 0
    with pytest.raises(UsageError, match="ignore_costs"):
        learn(table_1 / "manifest.csv", LearnOptions(alternatives="5"), domain=domain)
    ignored = learn(table_1 / "manifest.csv", LearnOptions(ignore_costs=True), domain=domain)
    assert (ignored.secondary.value, ignored.observations[0].known_cost) == (14, None)


def test_costs_that_cannot_be(write_graph_case: WriteGraphCase) -> None:
    """A-B-D and D-F add up to A-B-D-F, and A-C-E-F has nothing to do with it."""
    case = write_graph_case(TABLE_1, ["abd", "df", "abdf", "acef"])
    path = manifest(case, {"p1": "5", "p2": "2", "p3": "9", "p4": "20"})
    with pytest.raises(ContradictionError) as caught:
        learn(path, domain=case / "domain.pddl")
    assert [Path(name).name for name in caught.value.plans] == ["p1.plan", "p2.plan", "p3.plan"]
    assert "p3.plan (9)" in str(caught.value)
    within = learn(
        path, LearnOptions(cost_tolerance=Tolerance(Fraction(1))), domain=case / "domain.pddl"
    )
    assert [item.cost - (item.known_cost or 0) for item in within.observations[:2]] != [0, 0]
    assert within.deviation == 0
    soft = learn(path, LearnOptions(soft_costs=True), domain=case / "domain.pddl")
    assert soft.deviation == 2
    assert Counter(abs(o.cost - (o.known_cost or 0)) for o in soft.observations)[0] >= 1


def test_an_explanation_with_known_costs(example_1: Path) -> None:
    """A-C-B costs 3 as known, so A-B must; with A-B-C at 2 it does not."""
    path = manifest(example_1, {"p1": "3", "p2": "2"})
    result = learn(path, domain=example_1 / "domain.pddl")
    (lost,) = [item for item in result.observations if not item.optimal]
    assert lost.explanation is not None
    kinds = {item.get("given") for item in lost.explanation["certificate"]}
    assert "known cost" in kinds


def test_all_pairs_of_sides_are_seen() -> None:
    """Two plans and the rows of the four sides: 5 - x, x - 5, each with 3 - y, y - 3."""
    known = [
        PlanCostConstraint(0, ((0, 1),), 1, Fraction(5), Fraction(5)),
        PlanCostConstraint(1, ((1, 1),), 1, Fraction(3), Fraction(3)),
    ]
    rows = {
        deviation_row(known, Fraction(1), costs) for costs in itertools.product((1, 9), repeat=2)
    }
    assert rows == {(((0, sx), (1, sy)), -1 - 5 * sx - 3 * sy) for sx in (-1, 1) for sy in (-1, 1)}


def test_soft_costs_of_too_many_copies() -> None:
    """In a common unit they may be many; otherwise solvers could not add them up."""

    def seen(count: int) -> PlanCostConstraint:
        return PlanCostConstraint(0, ((0, 1),), count, Fraction(5), Fraction(5))

    terms = [Term()]
    assert least_deviation([seen(10**9), seen(10**9)], terms, Deadline()) == 0
    with pytest.raises(InputError, match="seen 1000000001 times in all, more than 1000000"):
        least_deviation([seen(10**9), seen(1)], terms, Deadline())

"""Rows, who induces them, and what they prove."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.errors import SolverError
from plancost.learning.problem.cuts import Cut, cuts_of
from plancost.learning.problem.plan_cost_constraints import PlanCostConstraint, total_deviation
from plancost.learning.problem.rows import is_violated
from plancost.learning.problem.task import LearningTask
from plancost.learning.subproblem.known_rows import DEVIATION, KNOWN_COST, KnownRows
from plancost.observations.planfile import Plan
from support.random_rows import costs_of
from support.small_tasks import few_copies, learning_tasks

Example = tuple[LearningTask, list[list[Plan]]]


def known_rows(task: LearningTask) -> KnownRows:
    return KnownRows(task, range(len(task.parameters)))


def all_cuts(task: LearningTask, plans: list[list[Plan]]) -> list[Cut]:
    return [
        cut
        for number, candidate in enumerate(task.candidates)
        for cut in cuts_of(task, number, plans[candidate.task])
    ]


@settings(max_examples=100, deadline=None)
@given(learning_tasks(), st.data())
def test_a_set_has_the_rows_of_its_plans(example: Example, data: st.DataObject) -> None:
    task, plans = example
    rows, news = known_rows(task), []
    rows.news = lambda: news.append(rows.row_count)
    cuts = all_cuts(task, plans)
    telling = [cut for cut in cuts if not task.is_void(cut.row)]
    assert rows.learn(cuts) == bool(telling) == bool(news)
    assert not rows.learn(cuts), "nothing is new"
    assert {(cut.candidate, cut.row) for cut in rows.cuts()} == {
        (cut.candidate, cut.row) for cut in telling
    }
    for cut in rows.cuts():
        alternative = rows.alternative(cut.candidate, cut.row)
        assert task.row(task.candidates[cut.candidate], alternative) == cut.row
        inducing = {other.candidate for other in telling if other.row == cut.row}
        assert rows.inducing_plans(cut.row) == inducing
    chosen = data.draw(st.frozensets(st.sampled_from(range(len(task.candidates)))))
    mine = {cut.row for cut in telling if cut.candidate in chosen}
    assert set(rows.rows_of_set(chosen)) == mine
    costs = data.draw(costs_of(task))
    broken = {rows.pool.rows[number] for number in rows.broken(costs, chosen)}
    assert broken == {row for row in mine if is_violated(row, costs)}


@settings(max_examples=100, deadline=None)
@given(learning_tasks(), st.data())
def test_known_costs_hold_for_every_set(example: Example, data: st.DataObject) -> None:
    task = few_copies(example[0])
    cost = data.draw(st.fractions(1, 9, max_denominator=2))
    plan = task.case.observations[0]
    known = PlanCostConstraint(0, task.counts(plan.plan), plan.count, cost, cost + 1)
    task = replace(task, known=(known,) if known.counts else ())
    costs = data.draw(costs_of(task))
    hard = known_rows(task)
    assert set(hard.given.values()) <= {KNOWN_COST}
    expected = {row for row, _ in task.known_rows() if is_violated(row, costs)}
    assert {hard.pool.rows[number] for number in hard.broken(costs, frozenset())} == expected
    most = data.draw(st.sampled_from([Fraction(0), Fraction(1), Fraction(3)]))
    soft = known_rows(replace(task, most_deviation=most))
    assert not soft.given
    too_far = total_deviation(task.known, costs) > most
    assert bool(soft.broken(costs, frozenset())) == too_far
    assert set(soft.given.values()) == ({DEVIATION} if too_far else set())


@settings(max_examples=100, deadline=None)
@given(learning_tasks(), st.data())
def test_only_what_is_proven_is_kept(example: Example, data: st.DataObject) -> None:
    task, plans = example
    rows = known_rows(task)
    rows.learn(all_cuts(task, plans))
    known = [cut.row for cut in rows.cuts()]
    if not known:
        return
    some = data.draw(st.lists(st.sampled_from(known), min_size=1, max_size=3, unique=True))
    times = [data.draw(st.integers(0, 2)) for _ in some]
    for _ in range(2):
        conflict = rows.prove(some, times)
        assert (conflict is None) == (not rows.proofs)
        if conflict is not None:
            assert conflict.certificate is not None
            assert conflict.certificate.is_valid()
            assert set(conflict.classes) <= {rows.inducing_plans(row) for row in some}
            assert rows.proofs == [conflict], "each once"


def test_a_question_that_the_solver_fails_at_stays_open() -> None:
    rows = KnownRows.__new__(KnownRows)
    rows.failures = {}

    def fails() -> int:
        raise SolverError("HiGHS is tired")

    assert rows.attempt(lambda: 3) == 3
    assert rows.attempt(fails) is None
    assert rows.attempt(fails) is None
    assert list(rows.failures) == ["HiGHS is tired"]
    with pytest.raises(ZeroDivisionError):
        rows.attempt(lambda: 1 // 0)

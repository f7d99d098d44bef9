"""Proofs in integers: what is none is refused."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.learning.problem.concept import Concept
from plancost.learning.problem.rows import Row, is_violated
from plancost.learning.problem.task import LearningTask
from plancost.learning.problem.terms import Term
from plancost.learning.subproblem.certificates import Certificate, certify, secondary_bound
from plancost.observations.bounds_files import Range
from plancost.observations.planfile import Plan
from support.grid_walks import grid_case, random_walks
from support.linear import is_infeasible
from support.random_rows import rows_over
from support.small_tasks import learning_tasks


def test_a_false_proof_is_refused() -> None:
    """2 x <= y and y <= x - 1 contradict each other; with wrong multipliers they do not."""
    rows: tuple[Row, ...] = ((((0, 2), (1, -1)), 0), (((0, -1), (1, 1)), 1))
    assert is_infeasible(rows, 2)
    assert Certificate(rows, (1, 1)).is_valid()
    assert not Certificate(rows, (1, 0)).is_valid()
    assert not Certificate(rows, (1, 3)).is_valid()
    assert not Certificate(rows, (-1, -1)).is_valid()
    assert not Certificate(rows, (1,)).is_valid()
    assert not Certificate((), ()).is_valid()
    assert certify(rows, [0.5, 0.5]) == Certificate(rows, (1, 1))
    assert certify(rows, [1.0, 0.0]) is None
    assert certify(rows, [0.0, 0.0]) is None


def test_a_proof_from_bounds_alone() -> None:
    """x + y <= z, where x and y cost 2 or more and z at most 3."""
    task = _Box((2, None), (2, None), (1, 3))
    row: Row = (((0, 1), (1, 1), (2, -1)), 0)
    certificate = certify([row], [0.5], task)
    assert certificate is not None
    assert certificate.rows == (row, (((0, -1),), 2), (((1, -1),), 2), (((2, 1),), -3))
    assert certify([row], [0.5]) is None


class _Box(LearningTask):
    """Only the bounds of a task."""

    def __init__(self, *ranges: Range) -> None:
        object.__setattr__(self, "ranges", ranges)
        terms = tuple(Term(None, 1, least, greatest) for least, greatest in ranges)
        object.__setattr__(self, "terms", terms)
        object.__setattr__(self, "limit_rows", {})


def test_a_wrong_certificate_is_none() -> None:
    row = (((0, 1), (1, -1)), 0)  # c0 <= c1
    other = (((0, -1), (1, 1)), 0)  # c1 <= c0
    assert not Certificate((row, other), (1, 1)).is_valid()  # both hold with equal costs
    assert not Certificate((row, other), (1, -1)).is_valid()
    assert certify([row, other], [1.0, 1.0]) is None
    strict = (((0, -1), (1, 1)), 1)  # c1 < c0
    found = certify([row, strict], [1.0, 1.0])
    assert found is not None and found.is_valid()
    assert certify([row, strict], [0.0, 0.0]) is None


@settings(max_examples=200, deadline=None)
@given(learning_tasks(), st.data())
def test_what_is_certified_is_infeasible(
    example: tuple[LearningTask, list[list[Plan]]], data: st.DataObject
) -> None:
    task, _ = example
    rows = data.draw(rows_over(task))
    numbers = st.floats(0, 4) | st.sampled_from([0.0, 0.5, 1.0, 1 / 3])
    multipliers = [data.draw(numbers) for _ in rows]
    found = certify(rows, multipliers, task)
    if found is not None:
        assert found.is_valid()
        assert is_infeasible(found.rows, len(task.parameters))
        assert set(found.rows) <= set(rows)


@settings(max_examples=200, deadline=None)
@given(learning_tasks(4), st.data())
def test_no_costs_are_below_a_bound(
    example: tuple[LearningTask, list[list[Plan]]], data: st.DataObject
) -> None:
    """Of all costs up to 5 that satisfy the rows, whatever the multipliers are."""
    task, _ = example
    if data.draw(st.booleans()):
        task = replace(task, ranges=((1, data.draw(st.integers(2, 5))),) * len(task.case.actions))
    rows = data.draw(rows_over(task))
    multipliers = [data.draw(st.floats(0, 4)) for _ in rows]
    target = data.draw(st.integers(0, 30))
    bound = secondary_bound(task, rows, multipliers, target)
    if bound is None:
        return
    assert bound <= target
    for costs in product(range(1, 6), repeat=len(task.parameters)):
        if task.admits(costs) and not any(is_violated(row, costs) for row in rows):
            assert task.secondary(costs) >= bound


def test_a_bound_that_is_reached() -> None:
    """x + 3 <= y: the sum of two costs is at least 5, by one multiplier."""
    task = grid_case(2, random_walks(2, 2, 2, seed=1))
    learning = LearningTask(task, Concept(), None)
    row: Row = (((0, 1), (1, -1)), 3)
    floor = learning.secondary_floor
    assert secondary_bound(learning, [row], [1.0], floor + 3) == floor + 3
    assert secondary_bound(learning, [row], [0.5], floor + 3) == floor + 2
    assert secondary_bound(learning, [row], [0.0], floor + 3) == floor

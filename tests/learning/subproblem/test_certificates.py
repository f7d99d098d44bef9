"""Proofs in integers: what is none is refused."""

from __future__ import annotations

from plancost.learning.problem.rows import Row
from plancost.learning.problem.task import LearningTask
from plancost.learning.problem.terms import Term
from plancost.learning.subproblem.certificates import Certificate, certify
from plancost.observations.bounds_files import Range
from support.linear import is_infeasible


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

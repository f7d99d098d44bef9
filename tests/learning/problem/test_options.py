"""Options: what is refused, and what a plain value is read as."""

from __future__ import annotations

from fractions import Fraction

import pytest

from plancost.errors import UsageError
from plancost.learning.problem.options import LearnOptions


def test_decimal_factors_are_exact() -> None:
    assert LearnOptions(suboptimality=1.1).suboptimality == Fraction(11, 10)  # type: ignore[arg-type]


def test_factors_that_are_too_fine_are_refused() -> None:
    with pytest.raises(UsageError, match="four decimal places or a denominator up to 10000"):
        LearnOptions(suboptimality=Fraction("1.000000001"))
    assert LearnOptions(suboptimality=Fraction("1.0001")).suboptimality == Fraction(10001, 10000)

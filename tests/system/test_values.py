"""Values that callers give: one reading of whole numbers, numbers and paths."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plancost.errors import UsageError
from plancost.system.values import as_path, path_or_none, real_number, shown, whole_number


@given(st.integers() | st.floats() | st.fractions() | st.decimals(allow_nan=False))
def test_a_whole_number_is_one_that_is_equal_to_it(value: float | Fraction | Decimal) -> None:
    found = whole_number(value)
    finite = not isinstance(value, float | Decimal) or math.isfinite(value)
    is_whole = finite and Fraction(value).denominator == 1
    assert found == (int(value) if is_whole else None)
    assert found is None or type(found) is int


@given(st.integers(-(2**31), 2**31 - 1))
def test_numbers_of_numpy_and_pandas(value: int) -> None:
    some = (np.int32(value), np.int64(value), np.float64(value), pd.Series([value])[0])
    found = [whole_number(item) for item in some]
    assert found == [value] * 4 and {type(item) for item in found} == {int}
    assert real_number(np.float32(0.5)) == 0.5


@pytest.mark.parametrize(
    "value",
    ["5", b"5", True, np.True_, None, pd.NA, np.nan, Decimal("sNaN"), 5.5, np.inf, [5], 5 + 0j],
)
def test_no_whole_numbers(value: object) -> None:
    assert whole_number(value) is None


@pytest.mark.parametrize("value", ["5", True, None, math.nan, Decimal("nan"), [5]])
def test_no_numbers(value: object) -> None:
    assert real_number(value) is None


def test_paths() -> None:
    assert as_path("a/b", "case") == as_path(Path("a/b"), "case") == Path("a/b")
    assert path_or_none(None, "domain") is None
    with pytest.raises(UsageError, match=r"^case must be a path \(str or Path\), not 5$"):
        as_path(5, "case")  # type: ignore[arg-type]
    assert len(shown("x" * 1000)) < 50

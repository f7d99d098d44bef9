"""Whole numbers out of what people have."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plancost.errors import InputError
from plancost.routes.numbers import exact, number_in
from plancost.routes.scale import choose_scale, in_units


def numbers(*texts: str) -> list[Fraction]:
    return [Fraction(text) for text in texts]


@pytest.mark.parametrize(
    ("values", "scale"),
    [
        (["1", "2", "7"], 1),
        (["0.5", "1.5", "3"], 2),
        (["0.1", "0.25"], 20),
        (["0.123456", "0.2", "0.3"], 1000),
        (["12.345678", "20.1", "30"], 10),
        (["123.456", "200.1", "300"], 1),
        (["0", "0"], 1),
        ([], 1),
        (["0.000001234567", "1000000.7"], 100000),
    ],
)
def test_the_scale_that_is_chosen(values: list[str], scale: int) -> None:
    assert choose_scale(numbers(*values)) == scale


@given(st.lists(st.decimals(0, 10**6, places=7), min_size=1, max_size=20))
def test_units_are_near(values: list[Decimal]) -> None:
    given_numbers = {str(place): Fraction(value) for place, value in enumerate(values)}
    scaled = in_units(given_numbers, "minutes")
    for name, value in given_numbers.items():
        units = scaled.units[name]
        assert units >= 1
        assert units == max(1, round(value * scaled.scale))
    if all(value.denominator == 1 for value in given_numbers.values()):
        assert scaled.scale == 1


def test_what_is_lost_is_said() -> None:
    given_numbers = dict(zip("abcd", numbers("0", "0.0001", "0.1234", "2"), strict=True))
    scaled = in_units(given_numbers, "minutes", 100)
    assert dict(scaled.units) == {"a": 1, "b": 1, "c": 12, "d": 200}
    assert scaled.notes == (
        "costs are in units of 1/100 of minutes",
        "1 of 4 links have 0 minutes; a cost is at least 1, so they begin with the smallest unit, "
        "1/100",
        "1 of 4 links have less than 1/100 minutes and begin with that",
        "the minutes of 1 of 4 links were rounded to units of 1/100",
    )
    with pytest.raises(InputError, match="so say a smaller scale"):
        in_units({"a": Fraction(10**6)}, "minutes", 10**9)


def test_numbers_of_programs() -> None:
    assert exact(0.1) == exact(np.float64(0.1)) == exact("0.1") == Fraction(1, 10)
    assert exact(np.int32(7)) == exact(7) == exact(Fraction(7)) == exact(Decimal(7)) == 7
    assert exact(np.float32(0.5)) == Fraction(1, 2)
    for wrong in (None, True, "x", float("nan"), float("inf"), [1], "1e999", "1" * 100):
        assert exact(wrong) is None
    assert number_in(" 1.50 ") == Fraction(3, 2)


def test_fixed_numbers_are_whole_at_the_scale() -> None:
    for fixed, scale in (("0.4", 5), ("0.001", 1000), ("0.0001", 1)):  # the last is too fine
        assert choose_scale(numbers("100", "200", fixed), numbers(fixed)) == scale
    assert choose_scale(numbers("1.23", "0.5"), numbers("0.5")) == 100
    large = numbers("1000000000000", "1000000000000", "0.5")
    assert choose_scale(large, large[2:]) == 1  # costs would be too large
    assert choose_scale([]) == 1

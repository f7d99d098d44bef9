"""Numbers of links as whole numbers: exact in a smaller unit if that is possible."""

from __future__ import annotations

import statistics
from collections.abc import Collection
from fractions import Fraction

from plancost.case.model import StreetTable
from plancost.case.values import LARGEST_GIVEN, decimal, shown
from plancost.errors import InputError

_FINEST = 5
"""Decimal places that are kept exactly."""


def is_numeric(table: StreetTable, column: str) -> bool:
    """Whether most of what stands in a column is numbers; otherwise it names classes."""
    place = table.columns.index(column)
    texts = [row[place] for row in table.rows if row[place]]
    return 2 * sum(decimal(text) is not None for text in texts) > len(texts)


def whole_column(table: StreetTable, column: str) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """The numbers of a column in a unit that makes them whole, and a note that names the unit."""
    exact = _numbers(table, column)
    scale, is_exact = _scale(exact)
    values = tuple(round(number * scale) for number in exact)
    if max(values) > LARGEST_GIVEN:
        raise InputError(f"the column {column} has numbers that are too large")
    if scale == 1:
        return values, ()
    how = "" if is_exact else ", rounded"
    return values, (f"numbers of {column} are counted in units of 1/{scale}{how}",)


def _numbers(table: StreetTable, column: str) -> list[Fraction]:
    place, name = table.columns.index(column), table.columns.index("link")
    known = {text: decimal(text) for text in {row[place] for row in table.rows}}
    found = []
    for row in table.rows:
        number = known[row[place]]
        if number is None or number < 0:
            raise InputError(
                f"the {column} of link {shown(row[name])} must be a number >= 0, not "
                f"{shown(row[place])}"
            )
        found.append(number)
    return found


def _scale(numbers: Collection[Fraction]) -> tuple[int, bool]:
    """The power of ten that makes them whole, or else leaves the median three digits."""
    denominators = {number.denominator for number in numbers}
    for places in range(_FINEST + 1):
        if all(10**places % denominator == 0 for denominator in denominators):
            return 10**places, True
    scale = 100
    median = statistics.median_low(number for number in numbers if number > 0)
    while median * scale < 100:
        scale *= 10
    return scale, False

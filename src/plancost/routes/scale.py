"""From the numbers that people have to the whole numbers that costs are.

A cost is a whole number of units, at least 1, and a *scale* says how many units are 1 of the
number: with the scale 1000 costs are thousandths of a minute.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from plancost.errors import InputError
from plancost.observations.cost_files import LARGEST_COST

_DIGITS = 3
"""Of a number in the middle: rounding changes it by half a percent at most."""
_FINEST = 1000
"""How many times as fine a scale may become for numbers that must not be rounded."""


@dataclass(frozen=True)
class Scaled:
    """Numbers in units."""

    scale: int
    units: Mapping[str, int]
    """By name; at least 1."""
    notes: tuple[str, ...]
    """What was lost on the way."""


def choose_scale(numbers: Iterable[Fraction], fixed: Iterable[Fraction] = ()) -> int:
    """How many units are 1 of these numbers.

    Whole numbers are units already. Otherwise it is the power of ten at which the median has three
    digits, or a smaller number if that makes all of them whole. Numbers that are 0 do not count.
    Some of them are `fixed` and must not be rounded: the scale is a multiple at which they are
    whole, unless that is too fine.
    """
    known = list(numbers)
    scale = _usual_scale(known)
    finer = math.lcm(scale, *(number.denominator for number in fixed))
    largest = max(known, default=Fraction(0))
    is_usable = finer <= scale * _FINEST and largest * finer <= LARGEST_COST
    return finer if is_usable else scale


def _usual_scale(numbers: Iterable[Fraction]) -> int:
    """The same where every number may be rounded."""
    values = [value for value in numbers if value > 0]
    if not values:
        return 1
    median = statistics.median_low(values)
    scale = 1
    while median * scale < 10 ** (_DIGITS - 1):
        scale *= 10
    while scale > 1 and max(values) * scale > LARGEST_COST:
        scale //= 10
    exact = 1
    for value in values:
        exact = math.lcm(exact, value.denominator)
        if exact > scale:
            return scale
    return exact


def in_units(numbers: Mapping[str, Fraction], what: str, scale: int | None = None) -> Scaled:
    """Numbers by name as whole numbers of units; `what` is what they are (minutes).

    Without a `scale` one is chosen. Numbers below one unit become one unit.
    """
    scale = choose_scale(numbers.values()) if scale is None else scale
    units: dict[str, int] = {}
    zeros = small = rounded = 0
    for name, value in numbers.items():
        exact = value * scale
        found = round(exact)
        if found > LARGEST_COST:
            raise InputError(
                f"the {what} of {name} are {float(value):g}, {found} units at the scale {scale}; "
                f"costs are counted exactly up to {LARGEST_COST}, so say a smaller --scale"
            )
        zeros += value == 0
        small += value != 0 and found < 1
        rounded += found >= 1 and exact != found
        units[name] = max(1, found)
    return Scaled(scale, units, tuple(_notes(what, scale, (zeros, small, rounded), len(numbers))))


def _notes(what: str, scale: int, counts: tuple[int, int, int], total: int) -> Iterable[str]:
    zeros, small, rounded = counts
    unit = f"1/{scale}" if scale > 1 else "1"
    if scale > 1:
        yield f"costs are in units of {unit} of {what}"
    if zeros:
        yield (
            f"{zeros} of {total} links have 0 {what}; a cost is at least 1, so they begin with the "
            f"smallest unit, {unit}"
        )
    if small:
        yield f"{small} of {total} links have less than {unit} {what} and begin with that"
    if rounded:
        yield f"the {what} of {rounded} of {total} links were rounded to units of {unit}"

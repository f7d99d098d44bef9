"""Proofs in exact arithmetic: rows that no costs satisfy together, and bounds on the second
objective.

Farkas: multiply each row by a whole number of at least 0 and add up, ``g . parameters + m <= 0``.
Every parameter lies between its least and its greatest value, so ``g . parameters`` is at least a
sum that is easy to see; if that and m are more than 0, the rows contradict each other. Lagrange:
whatever costs satisfy the rows, adding the same sum to the second objective only lowers it, and
the least of that over all values within their bounds is found parameter by parameter. The solver
proposes the multipliers in floating point; only what holds in integers counts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, lcm

from plancost.case.model import UNBOUNDED
from plancost.learn.parameters import Parameters
from plancost.learn.rows import Row

_DENOMINATORS = (1, 2, 6, 12, 60, 840, 10**4, 10**6)
"""Multipliers are rounded to fractions with these denominators at most, coarse ones first."""
_PARTS = 10**9
_SHRUNK = (1e-6, 1e-5, 1e-4)
"""Where rounding leaves nothing of a bound, multipliers are made smaller by this part first, which
leaves room for rounding errors (transport-100_0 has a bound of 0 without)."""
_NEGLIGIBLE = 1e-9
"""Multipliers below this part of the largest are rounding errors."""
_NOTHING = Fraction(-(10**30))
"""Instead of a bound where there is none."""


@dataclass(frozen=True)
class Certificate:
    """Rows with whole multipliers that prove something."""

    rows: tuple[Row, ...]
    multipliers: tuple[int, ...]


def is_contradiction(parameters: Parameters, certificate: Certificate) -> bool:
    """Whether these rows, taken so often, contradict each other."""
    if any(times < 0 for times in certificate.multipliers):
        return False
    slopes, least = _sum(certificate.rows, certificate.multipliers)
    for parameter, slope in slopes.items():
        end = int(parameters.greatest[parameter] if slope < 0 else parameters.least[parameter])
        if slope < 0 and end == UNBOUNDED:
            return False
        least += slope * end
    return least > 0


def contradiction(
    parameters: Parameters, rows: Sequence[Row], multipliers: Sequence[float]
) -> Certificate | None:
    """Whole multipliers near the given ones that prove that the rows contradict each other."""
    largest = max(multipliers, default=0.0)
    used = [(r, v) for r, v in zip(rows, multipliers, strict=True) if v > _NEGLIGIBLE * largest]
    if not used:
        return None
    for scale in (min(v for _, v in used), largest):
        for denominator in _DENOMINATORS:
            exact = [(r, Fraction(v / scale).limit_denominator(denominator)) for r, v in used]
            kept = [(r, v) for r, v in exact if v > 0]
            common = lcm(*(v.denominator for _, v in kept))
            found = Certificate(tuple(r for r, _ in kept), tuple(int(v * common) for _, v in kept))
            if kept and is_contradiction(parameters, found):
                return found
    return None


@dataclass(frozen=True)
class Priced:
    """What the second objective is at least, by rows with whole multipliers in so many parts."""

    bound: int
    certificate: Certificate
    parts: int


def least_second(
    parameters: Parameters, rows: Sequence[Row], multipliers: Sequence[float], target: int
) -> Priced:
    """What the second objective is at least.

    The target is the solver's own value: a bound that reaches it is not looked for further.
    """
    best = Priced(0, Certificate((), ()), 1)
    roundings = [*((parts, 0.0) for parts in _DENOMINATORS), *((_PARTS, part) for part in _SHRUNK)]
    for parts, part in roundings:
        if best.bound >= target:
            break
        whole = [max(0, round((1 - part) * v * parts)) for v in multipliers]
        slopes, margin = _sum(rows, [Fraction(times, parts) for times in whole])
        terms = (_least_term(parameters, n, slopes.get(n, 0)) for n in range(parameters.count))
        bound = ceil(sum(terms, start=margin))
        if bound > best.bound:
            best = Priced(bound, Certificate(tuple(rows), tuple(whole)), parts)
    return best


def _sum(
    rows: Sequence[Row], multipliers: Iterable[Fraction | int]
) -> tuple[dict[int, Fraction], Fraction]:
    """The slope in each parameter of the rows added up, and the margin."""
    slopes: dict[int, Fraction] = defaultdict(Fraction)
    margin = Fraction(0)
    for row, times in zip(rows, multipliers, strict=True):
        margin += times * row.margin
        for parameter, count in row.coefficients:
            slopes[parameter] += times * count
    return slopes, margin


def _least_term(parameters: Parameters, number: int, slope: Fraction | int) -> Fraction:
    """The least of ``function(x) + slope * x`` within the bounds of a parameter."""
    function = parameters.functions[number]
    least, greatest = int(parameters.least[number]), int(parameters.greatest[number])
    if greatest == UNBOUNDED and function.weight + len(function.targets) + slope < 0:
        return _NOTHING
    places = function.turns(least, greatest)
    return min(Fraction(function.value(x) + slope * x) for x in places if x < UNBOUNDED)

"""What the user knows about single plans: their total cost, and how far from optimal they are."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from plancost.errors import InputError, UsageError
from plancost.observations.cost_files import LARGEST_COST
from plancost.observations.files import ObservedFile

_MOST_CHARACTERS = 100
_GREAT_EXPONENT = re.compile(r"[eE][+-]?\d{3}")
LARGEST_FACTOR = 10**6
"""How many times the optimum a plan may cost at most: more says nothing."""
FINEST_FACTOR = 10**4
"""The largest denominator of a factor: finer values are numerically unreliable."""
_FINENESS = f"with four decimal places or a denominator up to {FINEST_FACTOR} at most"


@dataclass(frozen=True)
class Tolerance:
    """How far a plan's cost may be from what is known: a number, or a part of it."""

    amount: Fraction = Fraction(0)
    is_part: bool = False

    def around(self, cost: Fraction) -> tuple[Fraction, Fraction]:
        """The interval around a known cost."""
        width = self.amount * cost if self.is_part else self.amount
        return cost - width, cost + width

    def __bool__(self) -> bool:
        return bool(self.amount)

    def __str__(self) -> str:
        return f"{float(100 * self.amount):g}%" if self.is_part else f"{float(self.amount):g}"


def parse_tolerance(text: str) -> Tolerance:
    """Read ``2``, ``0.5`` or ``5%``."""
    number = text.strip()
    is_part = number.endswith("%")
    amount = exact_number(number.removesuffix("%"))
    if amount is None or not 0 <= amount <= LARGEST_COST:
        raise UsageError(f"--cost-tolerance takes a number such as 2, or 5%, not '{text[:40]}'")
    return Tolerance(amount / 100 if is_part else amount, is_part)


def known_cost(observed: ObservedFile) -> Fraction | None:
    """What the user says a plan costs in total, if anything."""
    if observed.cost is None:
        return None
    cost = exact_number(observed.cost)
    if cost is None or not 0 <= cost <= LARGEST_COST:
        raise InputError(
            f"the cost of a plan must be a number from 0 to {LARGEST_COST}, "
            f"not '{observed.cost[:40]}'",
            *(observed.place or (observed.plan,)),
        )
    return cost


def exact_number(text: str) -> Fraction | None:
    """A decimal number or a fraction ``p/q``, exactly; None: it is none."""
    number = text.strip()
    if len(number) > _MOST_CHARACTERS or _GREAT_EXPONENT.search(number):
        return None  # Python would work it out, for hours
    try:
        exact = Fraction(number)
    except (ValueError, ZeroDivisionError):
        return None
    return exact if exact.denominator <= 10**9 else None


def parse_suboptimality(text: str) -> Fraction:
    """Read a factor of at least 1: ``1.1`` or ``11/10``."""
    factor = exact_number(text)
    if factor is None or not is_factor(factor):
        raise UsageError(
            f"--suboptimality takes a number from 1 to {LARGEST_FACTOR}, such as 1.1 or 11/10, "
            f"{_FINENESS}, not '{text[:40]}'"
        )
    return factor


def is_factor(number: Fraction) -> bool:
    """Whether a plan may cost so many times the optimum."""
    return 1 <= number <= LARGEST_FACTOR and number.denominator <= FINEST_FACTOR


def suboptimality(observed: ObservedFile, otherwise: Fraction) -> Fraction:
    """How many times the optimum a plan may cost."""
    if observed.suboptimality is None:
        return otherwise
    factor = exact_number(observed.suboptimality)
    if factor is None or not is_factor(factor):
        raise InputError(
            f"the suboptimality of a plan must be a number from 1 to {LARGEST_FACTOR}, "
            f"{_FINENESS}, not '{observed.suboptimality[:40]}'",
            *(observed.place or (observed.plan,)),
        )
    return factor

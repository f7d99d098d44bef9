"""What the user knows about single plans: their total cost, and how far from optimal they are."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from plancost.errors import InputError, UsageError
from plancost.observations.cost_files import LARGEST_COST
from plancost.observations.files import ObservedFile


@dataclass(frozen=True)
class Tolerance:
    """How far a plan's cost may be from what is known: a number, or a part of it."""

    amount: Fraction = Fraction(0)
    is_part: bool = False

    def around(self, cost: Fraction) -> tuple[Fraction, Fraction]:
        """The interval around a known cost."""
        width = self.amount * cost if self.is_part else self.amount
        return cost - width, cost + width

    def __str__(self) -> str:
        return f"{float(100 * self.amount):g}%" if self.is_part else f"{float(self.amount):g}"


def parse_tolerance(text: str) -> Tolerance:
    """Read ``2``, ``0.5`` or ``5%``."""
    number = text.strip()
    is_part = number.endswith("%")
    amount = exact_number(number.removesuffix("%"))
    if amount is None or amount < 0:
        raise UsageError(f"--cost-tolerance takes a number such as 2, or 5%, not '{text}'")
    return Tolerance(amount / 100 if is_part else amount, is_part)


def known_cost(observed: ObservedFile) -> Fraction | None:
    """What the user says a plan costs in total, if anything."""
    if observed.cost is None:
        return None
    cost = exact_number(observed.cost)
    if cost is None or not 0 <= cost <= LARGEST_COST:
        raise InputError(
            f"its cost in the manifest must be a number from 0 to {LARGEST_COST}, "
            f"not '{observed.cost}'",
            observed.plan,
        )
    return cost


def exact_number(text: str) -> Fraction | None:
    """A decimal number or a fraction ``p/q``, exactly; None: it is none."""
    try:
        number = Fraction(text.strip())
    except (ValueError, ZeroDivisionError):
        return None
    return number if number.denominator <= 10**9 else None


def parse_suboptimality(text: str) -> Fraction:
    """Read a factor from 1 on: ``1.1`` or ``11/10``."""
    factor = exact_number(text)
    if factor is None or factor < 1:
        raise UsageError(
            f"--suboptimality takes a number from 1 on, such as 1.1 or 11/10, not '{text}'"
        )
    return factor


def suboptimality(observed: ObservedFile, otherwise: Fraction) -> Fraction:
    """How many times the optimum a plan may cost."""
    if observed.suboptimality is None:
        return otherwise
    factor = exact_number(observed.suboptimality)
    if factor is None or factor < 1:
        raise InputError(
            "its suboptimality in the manifest must be a number from 1 on, "
            f"not '{observed.suboptimality}'",
            observed.plan,
        )
    return factor

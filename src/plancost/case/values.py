"""Values that a caller or a file gives: whole numbers, factors and decimals, checked in one way.

A whole number may be an `int`, one of numpy, or a float or fraction without a fractional part. A
truth value, a text, NaN and infinity are none. Decimals are taken exactly as they are written.
"""

from __future__ import annotations

import math
import operator
import re
from decimal import Decimal
from fractions import Fraction
from numbers import Rational, Real
from pathlib import Path

from plancost.errors import InputError

LARGEST_GIVEN = 10**12
"""Of costs that are given: their sums stay far below 2**53, up to which they are exact."""
LARGEST_COST = 2**53 - 1
"""Of costs that were learned."""
LARGEST_COUNT = 10**9
"""How often a plan may have been seen."""
_LARGEST = 10_000
"""Of factors and their denominators."""
_MOST_CHARACTERS = 60
_WHOLE = re.compile(r"[+-]?\d+", re.ASCII)
_DECIMAL = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,2})?", re.ASCII)
_RATIO = re.compile(r"\d+\s*/\s*0*[1-9]\d*", re.ASCII)


def whole(
    value: object,
    what: str,
    *,
    least: int = 0,
    most: int = LARGEST_COST,
    path: Path | str | None = None,
    line: int | None = None,
) -> int:
    """A whole number between `least` and `most`; `what` is its name in messages."""
    number = _whole(value)
    if number is None or not least <= number <= most:
        limits = (
            f"from {least} to {most}" if number is not None and number > most else f">= {least}"
        )
        message = f"{what} must be a whole number {limits}, not {shown(value)}"
        raise InputError(message, path, line)
    return number


def whole_text(
    value: object,
    what: str,
    *,
    least: int = 0,
    most: int = LARGEST_COST,
    path: Path | str | None = None,
    line: int | None = None,
) -> int:
    """The same, also for a number that is written as text."""
    word = value.strip() if isinstance(value, str) else ""
    if len(word) <= _MOST_CHARACTERS and _WHOLE.fullmatch(word):
        value = int(word)
    return whole(value, what, least=least, most=most, path=path, line=line)


def ratio(
    value: object, what: str, *, path: Path | str | None = None, line: int | None = None
) -> Fraction:
    """A factor from 1 to 10000 such as ``1.1`` or ``11/10``, with such a denominator too."""
    number = decimal(value)
    if number is None and isinstance(value, str) and _RATIO.fullmatch(value.strip()):
        number = Fraction("".join(value.split())) if len(value) <= _MOST_CHARACTERS else None
    if number is None or not 1 <= number <= _LARGEST or number.denominator > _LARGEST:
        message = (
            f"{what} must be a number from 1 to {_LARGEST} such as 1.1 or 11/10, with at most four "
            f"decimal places, not {shown(value)}"
        )
        raise InputError(message, path, line)
    return number


def decimal(value: object) -> Fraction | None:
    """A number exactly as it is written, floats as they print; None: it is none."""
    if isinstance(value, str):
        word = value.strip()
        is_number = len(word) <= _MOST_CHARACTERS and _DECIMAL.fullmatch(word) is not None
        return Fraction(word) if is_number else None
    if isinstance(value, bool) or not isinstance(value, Real | Decimal):
        return None
    if isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    plain = float(value)
    return Fraction(repr(plain)) if math.isfinite(plain) else None


def shown(value: object, most: int = 40) -> str:
    """A value on one line for a message, shortened."""
    text = " ".join(value.split()) if isinstance(value, str) else repr(value)
    text = "".join(character if character.isprintable() else "?" for character in text)
    text = text if len(text) <= most else f"{text[:most]}..."
    return f"'{text}'" if isinstance(value, str) else text


def _whole(value: object) -> int | None:
    if isinstance(value, bool | str | bytes):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]  # whatever it is
    except TypeError:
        number = decimal(value)
    return int(number) if number is not None and number.denominator == 1 else None

"""Numbers as people have them: decimals in files, floats and numpy numbers in programs."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Rational, Real

_DECIMAL = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,2})?", re.ASCII)
_FLOAT = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?", re.ASCII)
_MOST_CHARACTERS = 60


def number_in(text: str) -> Fraction | None:
    """A decimal number, exactly as it is written; None: it is none."""
    word = text.strip()
    if len(word) > _MOST_CHARACTERS or _DECIMAL.fullmatch(word) is None:
        return None
    return Fraction(word)


def exact(value: object) -> Fraction | None:
    """A number of Python or numpy, floats as the decimals that they print as; None: it is none."""
    if isinstance(value, str):
        return number_in(value)
    if isinstance(value, bool) or not isinstance(value, Real | Decimal):
        return None
    if isinstance(value, Integral):
        return Fraction(int(value))
    if isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    plain = float(value)
    return Fraction(repr(plain)) if math.isfinite(plain) else None


def coordinate(text: str) -> float | None:
    """A coordinate; None: it is none."""
    word = text.strip()
    if len(word) > _MOST_CHARACTERS or _FLOAT.fullmatch(word) is None:
        return None
    found = float(word)
    return found if math.isfinite(found) else None

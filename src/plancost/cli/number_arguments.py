"""Numbers among the arguments."""

from __future__ import annotations

import argparse
import math
import re

from plancost.learning.problem.declaration import MOST

MOST_SECONDS = 10**9
"""About thirty years."""
_MOST_SHOWN = 40
_PART = r"(?:(\d{1,9}(?:\.\d{1,9})?)%s)?"
_DURATION = re.compile(_PART % "h" + _PART % "m(?:in)?" + _PART % "s", re.ASCII)
_UNITS = (3600, 60, 1)


def whole(text: str, least: int = 0, most: int = MOST) -> int:
    """A whole number within a range."""
    is_short = text.isdecimal() and len(text) <= 2 * len(str(MOST))
    value = int(text) if is_short else -1
    if value < least or value > most:
        raise _wrong(f"a whole number from {least} to {most}", text)
    return value


def positive(text: str) -> int:
    """1, 2, 3, ..."""
    return whole(text, 1)


def positive_list(text: str) -> tuple[int, ...]:
    """Such as ``10,100``; in increasing order, each once."""
    return tuple(sorted({positive(part.strip()) for part in text.split(",")}))


def seconds(text: str, *, with_zero: bool = False) -> float:
    """A number of seconds above 0, or a duration such as ``90s``, ``10m`` or ``1h30m``."""
    value = _duration(text)
    if not 0 < value <= MOST_SECONDS and not (with_zero and value == 0):
        range_in_words = f"from 0 to {MOST_SECONDS}" if with_zero else "above 0"
        raise _wrong(f"a number of seconds {range_in_words} (or 90s, 10m, 1h30m)", text)
    return value


def _duration(text: str) -> float:
    found = _DURATION.fullmatch(text.strip().lower())
    if found is None or not any(found.groups()):
        return _number(text)
    return sum(
        float(number) * unit for number, unit in zip(found.groups(), _UNITS, strict=True) if number
    )


def share(text: str) -> float:
    """A number between 0 and 1, exclusive."""
    value = _number(text)
    if not 0 < value < 1:
        raise _wrong("a number between 0 and 1", text)
    return value


def at_least_zero(text: str) -> float:
    """A finite number of at least 0."""
    value = _number(text)
    if not 0 <= value < math.inf:
        raise _wrong("a number of at least 0", text)
    return value


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return -1.0


def _wrong(wanted: str, text: str) -> argparse.ArgumentTypeError:
    return argparse.ArgumentTypeError(f"expected {wanted}, not '{text[:_MOST_SHOWN]}'")

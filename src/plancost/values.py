"""Values that a caller or a file gives: whole numbers, factors and decimals, checked in one way.

A whole number may be an `int`, one of numpy, or a float or fraction without a fractional part. A
truth value, a text, NaN and infinity are none. Decimals are taken exactly as they are written.
"""

from __future__ import annotations

import contextlib
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from numbers import Rational, Real
from pathlib import Path

from plancost.errors import InputError, UsageError

LARGEST_GIVEN = 10**12
"""Of costs that are given: their sums stay far below 2**53, up to which they are exact."""
LARGEST_COST = 2**53 - 1
"""Of costs that were learned."""
_MOST_NAMED = 5
"""Of many texts in one message."""
_LARGEST_RATIO = 10_000
"""Of factors and their denominators."""
_UNSAFE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Unicode categories: control, format, half of a surrogate pair, line and paragraph separators.
Such characters move the cursor, reverse text or forge a line."""
_DECIMAL = re.compile(r"[+-]?(?:\d{1,40}\.?\d{0,40}|\.\d{1,40})(?:[eE][+-]?\d{1,3})?", re.ASCII)


@contextlib.contextmanager
def at(place: Path | str | None, line: int | None = None, what: str = "") -> Iterator[None]:
    """Whatever is wrong within this block is wrong in this place."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{what}{error}", place, line) from None


def whole(
    value: object, what: str, *, least: int = 0, most: int = LARGEST_COST, text: bool = False
) -> int:
    """A whole number between `least` and `most`; `what` is its name in messages.

    With `text` it may be written as text.
    """
    number = None if isinstance(value, str) and not text else decimal(value)
    if number is None or number.denominator != 1 or not least <= number <= most:
        raise InputError(
            f"{what} must be a whole number from {least} to {most}, not {shown(value)}"
        )
    return int(number)


def ratio(value: object, what: str) -> Fraction:
    """A factor from 1 to 10000 such as ``1.1`` or ``11/10``, with such a denominator too."""
    above, slash, below = value.partition("/") if isinstance(value, str) else (value, "", "")
    number, divisor = decimal(above), decimal(below if slash else 1)
    found = number / divisor if number and divisor else Fraction(0)
    if not 1 <= found <= _LARGEST_RATIO or found.denominator > _LARGEST_RATIO:
        raise InputError(
            f"{what} must be a number from 1 to {_LARGEST_RATIO} such as 1.1 or 11/10, with at "
            f"most four decimal places, not {shown(value)}"
        )
    return found


def decimal(value: object) -> Fraction | None:
    """A number exactly as it is written, floats as they print; None: it is none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    text = repr(float(value)) if isinstance(value, Real | Decimal) else value
    match = _DECIMAL.fullmatch(text.strip()) if isinstance(text, str) else None
    return Fraction(match[0]) if match else None


def path_of(value: object, what: str) -> Path:
    """A path; `what` is its name in messages."""
    if not isinstance(value, str | Path):
        raise InputError(f"{what} must be a path, not {shown(value)}")
    return Path(value)


def shown(value: object, most: int = 40) -> str:
    """A value on one line for a message, shortened."""
    text = " ".join(value.split()) if isinstance(value, str) else repr(value)
    text = "".join(character if character.isprintable() else "?" for character in text)
    text = text if len(text) <= most else f"{text[:most]}..."
    return f"'{text}'" if isinstance(value, str) else text


def escaped(text: str) -> str:
    r"""The text with every character that is not plain text written out, as in ``\x1b``."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        char.encode("unicode_escape").decode() if unicodedata.category(char) in _UNSAFE else char
        for char in text
    )


def first_of(texts: Sequence[str]) -> str:
    """The first of many texts, and how many more there are."""
    more = [f"and {len(texts) - _MOST_NAMED} more"] if len(texts) > _MOST_NAMED else []
    return "; ".join([*texts[:_MOST_NAMED], *more])


def distinct(
    names: Iterable[str],
    taken: Iterable[str] = (),
    mark: str = "#",
    alike: Callable[[str], str] = str,
) -> list[str]:
    """The same names, with a number behind a mark where one has come before or is taken."""
    names = list(names)
    used = set(taken)
    plain = {*used, *map(alike, names)}
    found = []
    for name in names:
        unique, number = name, 1
        while alike(unique) in used or (number > 1 and alike(unique) in plain):
            number += 1
            unique = f"{name}{mark}{number}"
        used.add(alike(unique))
        found.append(unique)
    return found


def check_on_invalid(given: str) -> None:
    """What is to be done with plans that are wrong."""
    if given not in ("error", "skip"):
        raise UsageError(f"`on_invalid` must be 'error' or 'skip', not {given!r}")

"""Values that a caller of the library gives: paths and numbers, read in one way everywhere.

A whole number may be an `int`, a number of numpy or pandas, or a float or fraction without a
fractional part. A truth value, a text, NaN and infinity are none.
"""

from __future__ import annotations

import math
import numbers
import operator
import os
from decimal import Decimal
from pathlib import Path

from plancost.errors import UsageError

PathLike = str | os.PathLike[str]
"""What names a file: a text or a `Path`."""
_MOST_SHOWN = 40


def as_path(value: PathLike, name: str) -> Path:
    """The path that a parameter of this name was given."""
    try:
        return Path(value)
    except TypeError as error:
        raise UsageError(f"{name} must be a path (str or Path), not {shown(value)}") from error


def path_or_none(value: PathLike | None, name: str) -> Path | None:
    """The path that an optional parameter was given."""
    return None if value is None else as_path(value, name)


def whole_number(value: object) -> int | None:
    """The whole number that a value is, or None."""
    if isinstance(value, bool | str | bytes):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]  # whatever it is
    except TypeError:
        pass
    if not isinstance(value, numbers.Real | Decimal):
        return None
    try:
        found = int(value)  # type: ignore[arg-type]  # all real numbers have it
    except (ValueError, OverflowError):  # NaN or infinite
        return None
    return found if found == value else None


def real_number(value: object) -> float | None:
    """The number that a value is, as a float, or None."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real | Decimal):
        return None
    try:
        found = float(value)
    except (ValueError, OverflowError):
        return None
    return None if math.isnan(found) else found


def shown(value: object) -> str:
    """A value for a message, shortened."""
    found = repr(value)
    return found if len(found) <= _MOST_SHOWN else f"{found[:_MOST_SHOWN]}..."

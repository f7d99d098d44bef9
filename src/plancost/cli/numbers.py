"""Numbers among the arguments."""

from __future__ import annotations

import argparse

MOST = 10**12
"""The largest number that any option takes; costs are counted exactly up to it."""
MOST_SECONDS = 10**9
"""About thirty years."""
_MOST_SHOWN = 40


def count_from_zero(text: str) -> int:
    """0, 1, 2, ..."""
    return _whole(text, 0, MOST)


def count_from_one(text: str) -> int:
    """1, 2, 3, ..."""
    return _whole(text, 1, MOST)


def count_to_thousand(text: str) -> int:
    """1, 2, ..., 1000: of processes and the like, of which each takes its room."""
    return _whole(text, 1, 1000)


def counts_from_one(text: str) -> tuple[int, ...]:
    """Such as ``10,100``; in increasing order, each once."""
    return tuple(sorted({count_from_one(part.strip()) for part in text.split(",")}))


def seconds(text: str) -> float:
    """Any number above 0."""
    value = _number(text)
    if not 0 < value <= MOST_SECONDS:
        raise _wrong(f"a number of seconds above 0 (at most {MOST_SECONDS})", text)
    return value


def share(text: str) -> float:
    """A number between 0 and 1, without these."""
    value = _number(text)
    if not 0 < value < 1:
        raise _wrong("a number between 0 and 1", text)
    return value


def _whole(text: str, least: int, most: int) -> int:
    is_short = text.isdecimal() and len(text) <= 2 * len(str(MOST))
    value = int(text) if is_short else -1
    if value < least or value > most:
        raise _wrong(f"a whole number from {least} on (at most {most})", text)
    return value


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return -1.0


def _wrong(wanted: str, text: str) -> argparse.ArgumentTypeError:
    return argparse.ArgumentTypeError(f"expected {wanted}, not '{text[:_MOST_SHOWN]}'")

"""Numbers among the arguments."""

from __future__ import annotations

import argparse


def count_from_zero(text: str) -> int:
    """0, 1, 2, ..."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"expected a whole number from 0 on, not '{text}'")
    return int(text)


def count_from_one(text: str) -> int:
    """1, 2, 3, ..."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1 on, not '{text}'")
    return int(text)


def counts_from_one(text: str) -> tuple[int, ...]:
    """Such as ``10,100``; in increasing order, each once."""
    return tuple(sorted({count_from_one(part.strip()) for part in text.split(",")}))


def seconds(text: str) -> float:
    """Any number above 0."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"expected a number of seconds above 0, not '{text}'")
    return value


def share(text: str) -> float:
    """A number between 0 and 1, without these."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value < 1:
        raise argparse.ArgumentTypeError(f"expected a number between 0 and 1, not '{text}'")
    return value

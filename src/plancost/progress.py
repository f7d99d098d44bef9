"""What long work reports; the command line and notebooks show it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Step:
    """Where a run is: what it does, and the best answer and bound so far if there are any."""

    seconds: float
    doing: str
    optimal: int | None = None
    bound: int | None = None
    second: int | None = None
    second_bound: int | None = None


Progress = Callable[[Step], None]


def silent(step: Step) -> None:
    """Show nothing."""

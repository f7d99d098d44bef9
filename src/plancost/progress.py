"""What long work reports; the command line and notebooks show it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass

_WIDTH = 100
"""Of the line in a notebook."""


@dataclass(frozen=True)
class Step:
    """Where a run is: what it does, and the best answer and bound so far if there are any."""

    seconds: float
    doing: str
    optimal: int | None = None
    bound: int | None = None
    second: int | None = None
    second_bound: int | None = None

    def __str__(self) -> str:
        return f"{self.seconds:.1f} s  {self.words}"

    @property
    def words(self) -> str:
        """What it does, and the best answer and bound."""
        parts = [self.doing]
        if self.optimal is not None:
            bound = "" if self.bound is None else f" of at most {self.bound}"
            parts.append(f"best: {self.optimal} optimal{bound}")
        if self.second is not None:
            bound = "" if self.second_bound is None else f" (at least {self.second_bound})"
            parts.append(f"costs: {self.second}{bound}")
        return ", ".join(parts)


Progress = Callable[[Step], None]


def silent(step: object) -> None:
    """Show nothing."""


def progress_line(step: Step) -> None:
    """Show where a run is, on one line that changes: ``learn(case, progress=progress_line)``."""
    sys.stdout.write(f"\r{str(step)[:_WIDTH]:<{_WIDTH}}")
    sys.stdout.flush()

"""How the library tells what it is doing; it never prints."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Told the stage, how many of its parts are done, of how many, and what is known."""

    def __call__(self, stage: str, done: int, total: int, known: str = "") -> None:
        """Take note."""


def no_progress(stage: str, done: int, total: int, known: str = "") -> None:
    """Take no note."""

"""How the library tells what it is doing; it never prints.

Stages come one after the other: ``grounding``, ``alternatives``, ``solving`` (the MILPs of
LACFIP^k), ``first objective``, ``second objective``, ``verifying``, ``explaining``, ``ranges``;
and ``searching`` when plans are looked for.
What is decided on the way goes to the standard `logging` module, under ``plancost``.
"""

from __future__ import annotations

from typing import Protocol

COUNTABLE_STAGES = frozenset({"grounding", "alternatives", "verifying", "explaining", "ranges"})
"""Stages of many parts that take about as long as each other: what is left can be estimated.
In the others the count is what was reached, and says nothing about when they end."""


class Progress(Protocol):
    """Told the stage, how many of its parts are done, of how many, and what is known."""

    def __call__(self, stage: str, done: int, total: int, known: str = "") -> None:
        """Take note."""


def no_progress(stage: str, done: int, total: int, known: str = "") -> None:
    """Take no note."""

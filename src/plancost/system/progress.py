"""How the library reports progress; it never prints.

Stages come one after the other: ``grounding``, ``alternatives``, ``solving`` (the MILPs of
LACFIP^k), ``first objective``, ``second objective``, ``verifying``, ``explaining``, ``ranges``;
and ``searching`` in `solve`. Decisions are logged by the standard `logging` module, under
``plancost``.
"""

from __future__ import annotations

from typing import Protocol

COUNTABLE_STAGES = frozenset({"grounding", "alternatives", "verifying", "explaining", "ranges"})
"""Stages of many parts of similar length: the time left can be estimated.
In the other stages the count is the progress so far and does not predict when they end. In the two
objectives it is the answer and its bound: they are the same when all is proven."""
INTERRUPTIBLE_STAGES = frozenset({"first objective", "second objective"})
"""Stages that Ctrl-C ends with the best answer found so far."""


class Progress(Protocol):
    """Receives the stage, the number of parts done, the number of all parts, and what is known."""

    def __call__(self, stage: str, done: int, total: int, known: str = "") -> None:
        """Receive a report."""


def no_progress(stage: str, done: int, total: int, known: str = "") -> None:
    """Ignore it."""

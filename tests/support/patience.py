"""Less patience than usual, where a run has a limit to it at all."""

from __future__ import annotations

from plancost.learning.exact.waiting import Patience, patience_of
from plancost.learning.run import Run


def patience_if_any(seconds: float, run: Run) -> Patience:
    """So many seconds for runs whose patience ends some day; None for the others, as usual."""
    usual = patience_of(run)
    return lambda: None if usual() is None else seconds

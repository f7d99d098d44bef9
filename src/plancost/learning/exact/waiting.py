"""How long a search goes on without progress, where no time limit ends it."""

from __future__ import annotations

from collections.abc import Callable

from plancost.learning.run import Run
from plancost.system.clock import Deadline
from plancost.system.schedule import SCHEDULE

Patience = Callable[[], float | None]
"""How many seconds to go on without progress, as things stand; None: as long as it takes."""


def patience_of(run: Run) -> Patience:
    """That of a run: without a time limit it ends some day, unless everything is to be proven."""

    def patience() -> float | None:
        if run.deadline.at is not None or run.options.prove:
            return None
        used_s = run.stopwatch.seconds()["total"]
        return max(SCHEDULE.patience_s, SCHEDULE.patience_times * used_s)

    return patience


class Waiting:
    """Waits for progress, anew after each."""

    def __init__(self, patience: Patience = lambda: None) -> None:
        self._patience = patience
        self._reached: object = None
        self.until = Deadline()
        """When to give up."""
        self.seconds: float | None = None
        """How long it waits."""

    def note(self, reached: object) -> None:
        """Say what is reached; the waiting begins again if that is something else than before."""
        if self._reached is None or reached != self._reached:
            self._reached = reached
            self.seconds = self._patience()
            self.until = Deadline.after(self.seconds)

    @property
    def is_over(self) -> bool:
        """Whether it has waited long enough."""
        return self.until.is_over

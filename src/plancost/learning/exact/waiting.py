"""How long a search goes on without progress, where no time limit ends it."""

from __future__ import annotations

from collections.abc import Callable

from plancost.system.clock import Deadline

Patience = Callable[[], float | None]
"""How many seconds to go on without progress, as things stand; None: as long as it takes."""


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

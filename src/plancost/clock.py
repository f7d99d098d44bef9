"""When the work has to be done, and where the seconds went."""

from __future__ import annotations

import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Deadline:
    """A moment on the monotonic clock, or never."""

    at: float | None = None

    @classmethod
    def after(cls, seconds: float | None) -> Deadline:
        """So many seconds from now; None is never."""
        return cls(None if seconds is None else time.monotonic() + seconds)

    def remaining(self) -> float | None:
        """The seconds left, at least 0; None if there is no deadline."""
        return None if self.at is None else max(0.0, self.at - time.monotonic())

    @property
    def is_over(self) -> bool:
        """Whether the time is up."""
        return self.at is not None and time.monotonic() >= self.at

    def within(self, seconds: float) -> Deadline:
        """This deadline or the given time from now, whichever comes first."""
        soon = time.monotonic() + seconds
        return Deadline(soon if self.at is None else min(soon, self.at))

    def share(self, part: float) -> Deadline:
        """An earlier deadline, after this part of the time that is left."""
        remaining = self.remaining()
        return self if remaining is None else Deadline.after(remaining * part)


class Stopwatch:
    """Seconds by stage."""

    def __init__(self) -> None:
        self._started = self._last = time.monotonic()
        self._laps: dict[str, float] = {}

    def lap(self, stage: str) -> None:
        """All time since the last lap belongs to this stage."""
        now = time.monotonic()
        self._laps[stage] = self._laps.get(stage, 0.0) + now - self._last
        self._last = now

    def seconds(self) -> dict[str, float]:
        """The stages, and the total until now."""
        return {"total": time.monotonic() - self._started, **self._laps}

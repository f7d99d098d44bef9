"""Deadlines, and the seconds that each stage took.

Code checks its deadline between two steps. If a step takes far too long, an `alarm` interrupts
it from outside, as Ctrl-C does.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

from plancost.system.importing import AGAIN_S, is_importing

_ALARM_AFTER_S = 1.0
"""Seconds from a deadline to its alarm: code that keeps its deadline has ended by then."""


@dataclass(frozen=True)
class Deadline:
    """A moment on the monotonic clock, or never."""

    at: float | None = None

    @classmethod
    def after(cls, seconds: float | None, since: float | None = None) -> Deadline:
        """This many seconds from now, or `since` a moment on the monotonic clock; None is never."""
        begun = time.monotonic() if since is None else since
        return cls(None if seconds is None else begun + seconds)

    def remaining(self) -> float | None:
        """The seconds left, at least 0; None if there is no deadline."""
        return None if self.at is None else max(0.0, self.at - time.monotonic())

    @property
    def is_over(self) -> bool:
        """Whether the time is up."""
        return self.at is not None and time.monotonic() >= self.at

    def within(self, seconds: float | None) -> Deadline:
        """This deadline or the given time from now, whichever comes first; None is never."""
        if seconds is None:
            return self
        soon = time.monotonic() + seconds
        return Deadline(soon if self.at is None else min(soon, self.at))

    def before(self, seconds: float) -> Deadline:
        """An earlier deadline, by so many seconds."""
        return self if self.at is None else Deadline(self.at - seconds)

    def share(self, part: float) -> Deadline:
        """An earlier deadline, after this part of the time that is left."""
        remaining = self.remaining()
        return self if remaining is None else Deadline.after(remaining * part)


class TimeIsUp(KeyboardInterrupt):
    """An alarm went off. Handlers of Ctrl-C handle it too, but no user interrupted."""


@contextmanager
def alarm(deadline: Deadline) -> Iterator[None]:
    """Raise `TimeIsUp` in the block if it has not ended soon after the deadline.

    It works only in the main thread, and only if the timer of the process is free; otherwise
    it does nothing.
    """
    remaining = deadline.remaining()
    if remaining is None or not _timer_is_free():
        yield
        return
    signal.signal(signal.SIGALRM, _time_is_up)
    try:
        signal.setitimer(signal.ITIMER_REAL, remaining + _ALARM_AFTER_S)
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


def postpone(deadline: Deadline) -> None:
    """Let the alarm of the block at work go off after another deadline, if it has an alarm."""
    remaining = deadline.remaining()
    if remaining is not None and is_alarm_set():
        signal.setitimer(signal.ITIMER_REAL, remaining + _ALARM_AFTER_S)


def is_alarm_set() -> bool:
    """Whether a block with an alarm is at work."""
    return (
        threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGALRM) is _time_is_up
    )


def _timer_is_free() -> bool:
    return (
        threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
        and signal.getitimer(signal.ITIMER_REAL)[0] == 0.0
    )


def _time_is_up(number: int, frame: FrameType | None) -> None:
    if is_importing(frame):
        signal.setitimer(signal.ITIMER_REAL, AGAIN_S)
        return
    raise TimeIsUp


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

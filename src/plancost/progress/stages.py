"""What a bar shows of each stage, wherever it is shown."""

from __future__ import annotations

import time

from plancost.system.progress import COUNTABLE_STAGES, INTERRUPTIBLE_STAGES

_LEAST_DONE = 2
_LEAST_S = 2.0
"""An estimate of the rest needs at least this many parts and seconds."""


class Stage:
    """How far a stage is, when it began, and when another took over."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.done = 0
        self.total = 0
        self.known = ""
        self._began = time.monotonic()
        self._ended: float | None = None

    def tell(self, done: int, total: int, known: str) -> None:
        """This stage is at work (again)."""
        self.done, self.total, self.known = done, total, known
        self._ended = None

    def end(self) -> None:
        """Another stage has begun."""
        self._ended = time.monotonic()

    @property
    def is_over(self) -> bool:
        """Whether another stage is at work."""
        return self._ended is not None

    @property
    def is_countable(self) -> bool:
        """Whether a bar can show how far it is: one part of one says nothing until it is done."""
        return self.total > 1 or self.done >= self.total

    @property
    def counts(self) -> str:
        """How many parts are done, and of how many."""
        return f"{self.done}/{self.total}" if self.is_countable else ""

    @property
    def seconds(self) -> float:
        """How long it has taken."""
        return (time.monotonic() if self._ended is None else self._ended) - self._began


class Stages:
    """The stages so far, and the time limit of all of them."""

    def __init__(self, time_limit_s: float | None = None) -> None:
        self._started = time.monotonic()
        self._time_limit_s = time_limit_s
        self._stages: dict[str, Stage] = {}
        self._current: Stage | None = None

    def tell(self, name: str, done: int, total: int, known: str = "") -> Stage:
        """Take in a report; the stage before it is over."""
        stage = self._stages.setdefault(name, Stage(name))
        if self._current is not None and self._current is not stage:
            self._current.end()
        self._current = stage
        stage.tell(done, total, known)
        return stage

    @property
    def all(self) -> tuple[Stage, ...]:
        """In the order in which they began."""
        return tuple(self._stages.values())

    @property
    def keeps_the_best(self) -> bool:
        """Whether an interrupt would end the search with the best answer so far."""
        return self._current is not None and self._current.name in INTERRUPTIBLE_STAGES

    def seconds_of(self, stage: Stage) -> str:
        """Seconds of a stage, and seconds left of the time limit.

        Without a limit, an estimate of those left where that is reliable.
        """
        if stage.is_over:
            return f"{stage.seconds:.0f} s"
        if self._time_limit_s is not None:
            left = self._started + self._time_limit_s - time.monotonic()
            return f"{stage.seconds:.0f} s, {max(0.0, left):.0f} s left of the limit"
        rest = seconds_left(stage.name, stage.done, stage.total, stage.seconds)
        return f"{stage.seconds:.0f} s" + ("" if rest is None else f", about {rest:.0f} left")


def seconds_left(stage: str, done: int, total: int, seconds: float) -> float | None:
    """An estimate of the seconds left of a stage; None if it would not be reliable."""
    if stage not in COUNTABLE_STAGES or done >= total:
        return None
    if done < _LEAST_DONE or seconds < _LEAST_S:
        return None
    return seconds / done * (total - done)

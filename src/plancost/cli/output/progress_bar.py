"""Progress on standard error, for work that takes longer than a second."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterable

from rich.console import RenderableType
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
)
from rich.text import Text

from plancost.cli.output.console import PlainConsole
from plancost.files.escape import escaped
from plancost.system.progress import COUNTABLE_STAGES, INTERRUPTIBLE_STAGES

_log = logging.getLogger(__name__)

_QUIET_S = 1.0
_BETWEEN_LINES_S = 5.0
"""Seconds between two lines in the log about the same stage."""
_LEAST_DONE = 2
_LEAST_S = 2.0
"""An estimate of the rest needs at least this many parts and seconds."""


class ProgressBar:
    """A bar that appears only on a terminal, and only after a second.

    With a time limit it says how much of it is left.
    """

    def __init__(self, *, quiet: bool, time_limit_s: float | None = None) -> None:
        self.console = PlainConsole(stderr=True, highlight=False)
        self._enabled = not quiet and self.console.is_terminal
        self._started = time.monotonic()
        self._stages: dict[str, _Stage] = {}
        self._current: str | None = None
        self._last_line = 0.0
        self._bar = _Bars(
            TextColumn("{task.description:<16}"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            _Seconds(self._started, time_limit_s),
            TextColumn("{task.fields[known]}"),
            console=self.console,
            transient=True,
        )
        self._appearing = threading.Timer(_QUIET_S, self._bar.start)
        self._appearing.daemon = True

    def __enter__(self) -> ProgressBar:
        if self._enabled:
            self._appearing.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._enabled:
            self._appearing.cancel()
            self._appearing.join()
            self._bar.stop()

    def __call__(self, stage: str, done: int, total: int, known: str = "") -> None:
        """Show the state of a stage."""
        self._log(stage, done, total, known)
        if not self._enabled:
            return
        if stage != self._current and self._current is not None:
            self._stages[self._current].end()
        if stage not in self._stages:
            timing = _Stage(stage)
            timing.row = self._bar.add_task(stage, total=total, known="", timing=timing)
            self._stages[stage] = timing
        self._current = stage
        self._stages[stage].go_on()
        # The names in `known` are the user's; brackets in them are not markup.
        shown = escaped(known).replace("[", r"\[")
        self._bar.update(self._stages[stage].row, completed=done, total=total, known=shown)

    def _log(self, stage: str, done: int, total: int, known: str) -> None:
        """Log when a stage begins or ends, and now and then between."""
        now = time.monotonic()
        begins = stage != self._current
        if not self._enabled:
            self._current = stage
        if begins or done >= total or now - self._last_line >= _BETWEEN_LINES_S:
            self._last_line = now
            _log.info("%s: %d of %d%s", stage, done, total, f", {known}" if known else "")


class _Bars(Progress):
    """The bars, and below them what Ctrl-C does, while there is an answer to keep."""

    def get_renderables(self) -> Iterable[RenderableType]:
        """See rich."""
        yield from super().get_renderables()
        stages = (task.fields["timing"] for task in self.tasks)
        if any(stage.name in INTERRUPTIBLE_STAGES and not stage.is_over for stage in stages):
            yield Text("Ctrl-C ends the search and keeps the best answer")


class _Stage:
    """When a stage began, and when another took over."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.row = TaskID(0)
        self._began = time.monotonic()
        self._ended: float | None = None

    def end(self) -> None:
        """Another stage has begun."""
        self._ended = time.monotonic()

    def go_on(self) -> None:
        """This stage is at work (again)."""
        self._ended = None

    @property
    def is_over(self) -> bool:
        """Whether another stage is at work."""
        return self._ended is not None

    @property
    def seconds(self) -> float:
        """How long it has taken."""
        return (time.monotonic() if self._ended is None else self._ended) - self._began


class _Seconds(ProgressColumn):
    """Seconds of the stage and seconds left of the time limit.

    Without a limit, an estimate of those left where that is reliable.
    """

    def __init__(self, started: float, time_limit_s: float | None) -> None:
        super().__init__()
        self._started = started
        self._time_limit_s = time_limit_s

    def render(self, task: Task) -> Text:
        """See rich."""
        stage: _Stage = task.fields["timing"]
        if stage.is_over:
            return Text(f"{stage.seconds:.0f} s")
        if self._time_limit_s is not None:
            left = self._started + self._time_limit_s - time.monotonic()
            return Text(f"{stage.seconds:.0f} s, {max(0.0, left):.0f} s left of the limit")
        rest = seconds_left(stage.name, task.completed, task.total, stage.seconds)
        return Text(f"{stage.seconds:.0f} s" + ("" if rest is None else f", about {rest:.0f} left"))


def seconds_left(stage: str, done: float, total: float | None, seconds: float) -> float | None:
    """An estimate of the seconds left of a stage; None if it would not be reliable."""
    if stage not in COUNTABLE_STAGES or total is None or done >= total:
        return None
    if done < _LEAST_DONE or seconds < _LEAST_S:
        return None
    return seconds / done * (total - done)

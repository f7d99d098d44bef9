"""Progress on standard error, for work that takes longer than a second."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskID, TextColumn
from rich.segment import Segment
from rich.text import Text

from plancost.files.escape import escaped
from plancost.progress.stages import Stage, Stages

_log = logging.getLogger(__name__)

_QUIET_S = 1.0
_BETWEEN_LINES_S = 5.0
"""Seconds between two lines in the log about the same stage."""


class PlainConsole(Console):
    """A console whose only control characters are its own."""

    def on_broken_pipe(self) -> None:
        """Leave it to the command line; rich would exit with status 1."""
        raise BrokenPipeError

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """See rich."""
        for segment in super().render(renderable, options):
            text, style, control = segment
            if control or text.isprintable():
                yield segment
            else:
                yield Segment("\n".join(map(escaped, text.split("\n"))), style)


class TerminalBar:
    """A bar that appears only on a terminal, and only after a second.

    With a time limit it says how much of it is left.
    """

    def __init__(self, *, quiet: bool = False, time_limit_s: float | None = None) -> None:
        self.console = PlainConsole(stderr=True, highlight=False)
        self._enabled = not quiet and self.console.is_terminal
        self._stages = Stages(time_limit_s)
        self._rows: dict[str, TaskID] = {}
        self._logged = ""
        self._last_line = 0.0
        self._bar = _Bars(self._stages, self.console)
        self._appearing = threading.Timer(_QUIET_S, self._bar.start)
        self._appearing.daemon = True

    def __enter__(self) -> TerminalBar:
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
        found = self._stages.tell(stage, done, total, known)
        if stage not in self._rows:
            self._rows[stage] = self._bar.add_task(stage, stage=found)
        self._bar.update(
            self._rows[stage], completed=done, total=total if found.is_countable else None
        )

    def _log(self, stage: str, done: int, total: int, known: str) -> None:
        """Log when a stage begins or ends, and now and then between."""
        now = time.monotonic()
        begins = stage != self._logged
        self._logged = stage
        if begins or done >= total or now - self._last_line >= _BETWEEN_LINES_S:
            self._last_line = now
            _log.info("%s: %d of %d%s", stage, done, total, f", {known}" if known else "")


class _Bars(Progress):
    """The bars, and below them what Ctrl-C does, while there is an answer to keep."""

    def __init__(self, stages: Stages, console: Console) -> None:
        self._all = stages
        super().__init__(
            TextColumn("{task.description:<16}"),
            BarColumn(bar_width=24),
            _Words(stages),
            console=console,
            transient=True,
        )

    def get_renderables(self) -> Iterable[RenderableType]:
        """See rich."""
        yield from super().get_renderables()
        if self._all.keeps_the_best:
            yield Text("Ctrl-C ends the search and keeps the best answer")


class _Words(ProgressColumn):
    """Counts, seconds, and what is known; the names in it are the user's, and no markup."""

    def __init__(self, stages: Stages) -> None:
        super().__init__()
        self._stages = stages

    def render(self, task: Task) -> Text:
        """See rich."""
        stage: Stage = task.fields["stage"]
        words = (stage.counts, self._stages.seconds_of(stage), escaped(stage.known))
        return Text("  ".join(filter(None, words)))

"""Progress on standard error, for work that takes longer than a second."""

from __future__ import annotations

import time

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

_QUIET_S = 1.0


class ProgressBar:
    """A bar that appears only on a terminal, and only after a second."""

    def __init__(self, *, quiet: bool) -> None:
        self._console = Console(stderr=True)
        self._enabled = not quiet and self._console.is_terminal
        self._started = time.monotonic()
        self._bar: Progress | None = None
        self._rows: dict[str, object] = {}

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, stage: str, done: int, total: int, known: str = "") -> None:
        """Show the state of a stage."""
        if not self._enabled:
            return
        if self._bar is None:
            if time.monotonic() - self._started < _QUIET_S:
                return
            self._bar = Progress(
                TextColumn("{task.description:<13}"),
                BarColumn(bar_width=30),
                MofNCompleteColumn(),
                TimeElapsedColumn(),
                TextColumn("{task.fields[known]}"),
                console=self._console,
                transient=True,
            )
            self._bar.start()
        if stage not in self._rows:
            self._rows[stage] = self._bar.add_task(stage, total=total, known=known)
        self._bar.update(self._rows[stage], completed=done, total=total, known=known)  # type: ignore[arg-type]

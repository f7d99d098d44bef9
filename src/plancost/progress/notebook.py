"""Progress in a notebook: a small table below the cell, gone when the work is done."""

from __future__ import annotations

import threading
import time
from typing import Any

from plancost.files.escape import html_text
from plancost.progress.stages import Stage, Stages

_QUIET_S = 1.0
_TICK_S = 1.0
"""Seconds count on although no stage reports."""
_LEAST_BETWEEN_S = 0.2
"""A notebook need not draw every report."""


class NotebookBar:
    """A table that IPython shows and draws again."""

    def __init__(self, time_limit_s: float | None = None) -> None:
        self._stages = Stages(time_limit_s)
        self._began = self._drawn = time.monotonic()
        self._handle: Any = None
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._ticking = threading.Thread(target=self._tick, daemon=True)

    def __enter__(self) -> NotebookBar:
        self._ticking.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._ticking.join()
        if self._handle is not None:
            self._handle.update(_html(""))

    def __call__(self, stage: str, done: int, total: int, known: str = "") -> None:
        """Show the state of a stage."""
        with self._lock:
            self._stages.tell(stage, done, total, known)
        now = time.monotonic()
        if now - self._began >= _QUIET_S and now - self._drawn >= _LEAST_BETWEEN_S:
            self._draw(begin=True)

    def _tick(self) -> None:
        """Draw again; the first time is left to the thread that the cell runs in."""
        while not self._over.wait(_TICK_S):
            self._draw(begin=False)

    def _draw(self, *, begin: bool) -> None:
        from IPython.display import display

        with self._lock:
            if self._handle is None and not begin:
                return
            self._drawn = time.monotonic()
            shown = _html(self.html())
            if self._handle is not None:
                self._handle.update(shown)
            else:
                self._handle = display(shown, display_id=True)  # type: ignore[no-untyped-call]

    def html(self) -> str:
        """What is shown now."""
        rows = "".join(map(self._row, self._stages.all))
        hint = "Interrupting the kernel ends the search and keeps the best answer."
        return f"<table>{rows}</table>" + (f"<p>{hint}</p>" if self._stages.keeps_the_best else "")

    def _row(self, stage: Stage) -> str:
        far = f' value="{stage.done}" max="{stage.total}"' if stage.is_countable else ""
        cells = (stage.counts, self._stages.seconds_of(stage), stage.known)
        words = "".join(f"<td>{html_text(cell)}</td>" for cell in cells)
        return (
            f"<tr><th>{html_text(stage.name)}</th><td><progress{far}></progress></td>{words}</tr>"
        )


def _html(text: str) -> Any:  # noqa: ANN401 (of IPython)
    from IPython.display import HTML

    return HTML(text)  # type: ignore[no-untyped-call]


def is_notebook() -> bool:
    """Whether this is a kernel of Jupyter."""
    try:
        from IPython.core.getipython import get_ipython
    except ModuleNotFoundError:
        return False
    return hasattr(get_ipython(), "kernel")

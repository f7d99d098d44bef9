"""What notebooks show: a page within a cell, and where a run is on one line."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from html import escape

from plancost.progress import Step

_WIDTH = 100


@dataclass(frozen=True)
class Page:
    """A report, which notebooks show; `html` is its text."""

    html: str = field(repr=False)

    def _repr_html_(self) -> str:
        style = "width: 100%; height: 45em; border: 0"
        return f'<iframe srcdoc="{escape(self.html)}" style="{style}"></iframe>'


def progress_line(step: Step) -> None:
    """Show where a run is, on one line that changes: ``learn(case, progress=progress_line)``."""
    sys.stdout.write(f"\r{str(step)[:_WIDTH]:<{_WIDTH}}")
    sys.stdout.flush()

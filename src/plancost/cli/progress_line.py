"""What a run does, on standard error.

On a terminal this is one line that changes, with --verbose a line for each step.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from plancost.cli.streams import complain
from plancost.clock import Clock
from plancost.progress import Progress, Step, silent
from plancost.values import escaped


@contextmanager
def shown(clock: Clock, *, quiet: bool, verbose: bool) -> Iterator[Progress]:
    """Show progress while a block runs."""
    if verbose:
        yield _lines(clock)
    elif quiet or not sys.stderr.isatty():
        yield silent
    else:
        with _live(clock) as progress:
            yield progress


def _lines(clock: Clock) -> Progress:
    last = ""

    def tell(step: Step) -> None:
        nonlocal last
        words = step.words
        if words != last:
            last = words
            complain(f"{clock.seconds:.1f} s  {words}")

    return tell


@contextmanager
def _live(clock: Clock) -> Iterator[Progress]:
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    words = "reads the case"

    def line() -> Text:
        return Text(f"{clock.seconds:.0f} s  {escaped(words)}", no_wrap=True, overflow="ellipsis")

    def tell(step: Step) -> None:
        nonlocal words
        words = step.words

    console = Console(stderr=True)
    with Live(get_renderable=line, console=console, refresh_per_second=4, transient=True):
        yield tell

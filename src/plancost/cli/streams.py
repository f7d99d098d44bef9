"""Standard output and error, whatever the shell made of them, and progress.

A stream that is closed counts as ``/dev/null``: otherwise the next file that is opened would get
its number. A reader that has gone away (``| head``) is no error.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, cast

if TYPE_CHECKING:
    from plancost.clock import Clock
    from plancost.progress import Progress, Step


def prepare() -> None:
    """Make the three streams usable; once, before anything is printed."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
    sys.stdin = sys.stdin or _nowhere("r")
    sys.stdout = sys.stdout or _nowhere("w")
    sys.stderr = sys.stderr or _nowhere("w")


def say(text: str) -> None:
    """Print to standard output."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")


def show(found: Any, lines: Iterable[str], arguments: argparse.Namespace) -> None:
    """Print an answer (a `Result` or a dataclass): as JSON, as lines, or not at all."""
    if arguments.json:
        is_result = hasattr(found, "to_json")
        say(found.to_json().rstrip() if is_result else json.dumps(asdict(found), indent=1))
    elif not arguments.quiet:
        for line in lines:
            say(line)


def complain(text: str) -> None:
    """Print one line to standard error, if anybody can read it."""
    from plancost.values import escaped

    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(f"plancost: {escaped(text)}\n")
        sys.stderr.flush()


@contextlib.contextmanager
def progress_shown(clock: Clock, *, quiet: bool, verbose: bool) -> Iterator[Progress]:
    """Show what a run does while a block runs: on a terminal on one line that changes, with
    `verbose` on a line for each step.
    """
    from plancost.progress import silent

    if verbose:
        last = ""

        def tell(step: Step) -> None:
            nonlocal last
            if step.words != last:
                last = step.words
                complain(f"{clock.seconds:.1f} s  {last}")

        yield tell
    elif quiet or not sys.stderr.isatty():
        yield silent
    else:
        with _changing_line() as progress:
            yield progress


@contextlib.contextmanager
def _changing_line() -> Iterator[Progress]:
    from rich import console, progress

    from plancost.values import escaped

    words = progress.TextColumn("{task.description}", markup=False)
    place = console.Console(stderr=True)
    with progress.Progress(
        progress.TimeElapsedColumn(), words, console=place, transient=True
    ) as line:
        task = line.add_task("reads the case", total=None)
        yield lambda step: line.update(task, description=escaped(step.words))


def show_cursor() -> None:
    """On a terminal, in case that progress was ended while it had hidden it."""
    with contextlib.suppress(OSError, ValueError):
        if sys.stderr.isatty():
            os.write(sys.stderr.fileno(), b"\x1b[?25h")


def let_go() -> None:
    """Write what is left or drop it: Python would try again at its end, and complain."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            with contextlib.suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _nowhere(mode: str) -> TextIO:
    return cast("TextIO", Path(os.devnull).open(mode, encoding="utf-8"))

"""Standard input, output and error, whatever the shell made of them.

A stream that is closed counts as ``/dev/null``. Otherwise the next file that is opened would get
its number, and what planners print would go there. What a library prints by mistake, as the solver
does, goes nowhere and does not mix with the answer. If standard error cannot be written, its lines
are dropped. If standard output cannot be written, that is an error with one sentence; a reader that
has gone away (``| head``) is not an error.
"""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from plancost.errors import PlancostError


class StandardOutputError(PlancostError):
    """Standard output cannot be written."""


class _Output(io.TextIOWrapper):
    """Standard output, with errors of our own."""

    def write(self, text: str, /) -> int:
        """See io."""
        try:
            return super().write(text)
        except OSError as error:
            raise _error(error) from error

    def flush(self) -> None:
        """See io."""
        try:
            super().flush()
        except OSError as error:
            raise _error(error) from error


class _Errors(io.TextIOWrapper):
    """Standard error, without errors."""

    def write(self, text: str, /) -> int:
        """See io."""
        with suppress(OSError):
            return super().write(text)
        return len(text)

    def flush(self) -> None:
        """See io."""
        with suppress(OSError):
            super().flush()


def prepare() -> None:
    """Make the three streams usable. Once, before anything is printed."""
    _fill_gaps()
    if sys.stdin is None:
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_RDONLY), encoding="utf-8")
    sys.stdout = _again(_Output, sys.stdout, _our_own(sys.stdout))
    sys.__stdout__ = sys.stdout  # type: ignore[misc] # who asks how wide the terminal is, asks this
    sys.stderr = _again(_Errors, sys.stderr)


def let_go() -> None:
    """Print what is left, or else drop it: Python would try again at its end, and complain."""
    try:
        sys.stdout.flush()
    except (StandardOutputError, OSError):
        _lead_nowhere(sys.stdout.fileno())


def _our_own(output: TextIO | None) -> io.BufferedWriter | None:
    """Standard output under a number that only we know; its own leads nowhere."""
    if not isinstance(output, io.TextIOWrapper) or output.fileno() != 1:
        return None
    output.flush()
    again = os.fdopen(os.dup(1), "wb")
    _lead_nowhere(1)
    return again


def _lead_nowhere(number: int) -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC)
    os.dup2(nowhere, number)
    os.close(nowhere)


def _fill_gaps() -> None:
    """Open ``/dev/null`` in the place of each stream that is closed."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            # The lowest number that is free, which is this one.
            handle = os.open(os.devnull, os.O_RDWR)
            os.set_inheritable(handle, True)


def _again(
    kind: type[io.TextIOWrapper], old: TextIO | None, own: io.BufferedWriter | None = None
) -> io.TextIOWrapper:
    """The same stream, or one to nowhere, as one of ours; `own` is where it leads now."""
    if not isinstance(old, io.TextIOWrapper):
        return kind(Path(os.devnull).open("wb"), encoding="utf-8")
    return kind(
        old.buffer if own is None else own,
        encoding=old.encoding,
        errors=old.errors,
        line_buffering=old.line_buffering or kind is _Errors,
        write_through=old.write_through,
    )


def _error(error: OSError) -> Exception:
    if isinstance(error, BrokenPipeError):
        return error
    return StandardOutputError(f"standard output cannot be written ({error.strerror})")

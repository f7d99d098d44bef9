r"""What the library logs, as lines: on standard error (``--verbose``) and in a file.

The names in these lines come from files. Whatever could move a cursor, begin a new line or
turn text around is written as ``\x1b`` and the like, so that no file can forge a line.
"""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from plancost.cli.output.terminal import print_line
from plancost.errors import InputError
from plancost.files.atomic import make_folder_of
from plancost.files.escape import escaped

LOGGER = "plancost"


class _FileFormatter(logging.Formatter):
    """Lines with timestamp, level and logger."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        """See logging."""
        return escaped(super().format(record))


class _File(logging.FileHandler):
    """If the log can no longer be written, it ends, after one sentence about it."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 (as in logging)
        """See logging."""
        error = sys.exc_info()[1]
        if self.level <= logging.CRITICAL:
            print_line(f"plancost: {self.baseFilename}: the log ends here ({error})", error=True)
        self.setLevel(logging.CRITICAL + 1)


class _Lines(logging.Handler):
    """Hands each message, with the seconds since the start, to a function."""

    def __init__(self, write: Callable[[str], None]) -> None:
        super().__init__(logging.INFO)
        self._write = write
        self._started = time.monotonic()

    def emit(self, record: logging.LogRecord) -> None:
        """See logging."""
        seconds = time.monotonic() - self._started
        self._write(f"[{seconds:6.1f} s] {escaped(record.getMessage())}")


@contextmanager
def log_lines(write: Callable[[str], None] | None, file: Path | None) -> Iterator[None]:
    """For a ``with`` block, write what is decided, and append all there is to a file."""
    handlers: list[logging.Handler] = [] if write is None else [_Lines(write)]
    if file is not None:
        handlers.append(_file_handler(file))
    logger = logging.getLogger(LOGGER)
    before = logger.level
    if handlers:
        logger.setLevel(logging.INFO if file is None else logging.DEBUG)
    for handler in handlers:
        logger.addHandler(handler)
    try:
        yield
    finally:
        logger.setLevel(before)
        for handler in handlers:
            logger.removeHandler(handler)
            with suppress(OSError):  # a full disk has been reported already
                handler.close()


def _file_handler(path: Path) -> logging.Handler:
    try:
        make_folder_of(path)
        handler = _File(path, mode="a", encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write a log here ({error.strerror})", path) from error
    handler.setFormatter(_FileFormatter())
    return handler

"""What does not fit in a file: an error, or left out and listed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from plancost.errors import InputError


class Invalid:
    """Raises the first thing that does not fit, or lists all of them."""

    def __init__(self, *, skip: bool = False) -> None:
        self.skip = skip
        self.notes: list[str] = []
        """What was left out, one sentence each."""

    def found(self, message: str, path: Path | None, line: int | None) -> None:
        """Something does not fit."""
        with self.listed():
            raise InputError(message, path, line)

    @contextmanager
    def listed(self) -> Iterator[None]:
        """In this block an `InputError` ends the block and is listed, if all are to be listed."""
        try:
            yield
        except InputError as error:
            if not self.skip:
                raise
            self.notes.append(f"left out: {error}")

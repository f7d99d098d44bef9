"""What does not fit in a file: an error, or left out and listed."""

from __future__ import annotations

from collections.abc import Iterator, Sized
from contextlib import contextmanager
from pathlib import Path

from plancost.errors import InputError

_LEFT_OUT = "left out: "


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
            self.notes.append(f"{_LEFT_OUT}{error}")

    def require(self, found: Sized, what: str, path: Path, before: int) -> None:
        """An `InputError` unless there is something in a file.

        `what` is what there should be: trips; `before` is how many notes there were before it.
        """
        if len(found):
            return
        notes = self.notes[before:]
        if not notes:
            raise InputError(f"there are no {what} in this file", path)
        first = notes[0].removeprefix(_LEFT_OUT)
        raise InputError(f"none of the {len(notes)} {what} in this file fits; the first: {first}")

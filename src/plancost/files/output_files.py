"""Files that users ask for: written atomically; one missing folder above is created."""

from __future__ import annotations

from pathlib import Path

from plancost.errors import InputError
from plancost.files.atomic import make_folder_of, write_atomically


def write_file(path: Path, content: str | bytes, what: str = "this file") -> None:
    """Write a file, and make the folder that it is in; `what` is what a message calls the file.

    Text is written in UTF-8.
    """
    data = content if isinstance(content, bytes) else content.encode("utf-8", "replace")
    try:
        make_folder_of(path)
        write_atomically(path, data)
    except OSError as error:
        raise InputError(f"cannot write {what} ({error.strerror})", path) from error


def make_folder(folder: Path, what: str = "into this folder") -> None:
    """Make a folder and the one above it, if they are missing; `what` is for the message."""
    try:
        make_folder_of(folder)
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot write {what} ({error.strerror})", folder) from error

"""Files that plancost writes for users: whole or not at all, and one sentence where it cannot."""

from __future__ import annotations

from pathlib import Path

from plancost.errors import InputError
from plancost.files.atomic import write_atomically


def write_file(path: Path, content: str | bytes, what: str = "this file") -> None:
    """Write a file, and the folders above it if need be; `what` is what a message calls it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, content.encode("utf-8") if isinstance(content, str) else content)
    except OSError as error:
        raise InputError(f"cannot write {what} ({error.strerror})", path) from error

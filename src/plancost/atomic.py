"""Files that others see whole or not at all."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

UNFINISHED = ".writing-"
"""How the temporary files begin; one that is old was left behind by a killed run."""


def write_atomically(
    path: Path, content: bytes, mode: int = 0o644, *, durable: bool = True
) -> None:
    """Write a file under a temporary name beside it and move it into place.

    A `durable` file is on the disk before it gets its name, so that it is whole even after a
    power cut. What is no file, such as ``/dev/null`` or a pipe, is written to and stays what
    it is. Raises `OSError` if that cannot be done; nothing is left behind then.
    """
    if _is_special(path):
        path.write_bytes(content)
        return
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=UNFINISHED)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        Path(name).chmod(mode)
        Path(name).replace(path)
    except BaseException:  # an interrupt must not leave the file behind either
        Path(name).unlink(missing_ok=True)
        raise


def _is_special(path: Path) -> bool:
    try:
        kind = path.stat().st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(kind) or stat.S_ISDIR(kind))

"""Files that others see whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

UNFINISHED = ".writing-"
"""How the temporary files begin; one that is old was left behind by a killed run."""


def write_atomically(path: Path, content: bytes, mode: int = 0o644) -> None:
    """Write a file under a temporary name beside it and move it into place.

    Raises `OSError` if that cannot be done; nothing is left behind then.
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=UNFINISHED)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(name).chmod(mode)
        Path(name).replace(path)
    except BaseException:  # an interrupt must not leave the file behind either
        Path(name).unlink(missing_ok=True)
        raise

"""Binaries that the user names instead of the bundled ones, and the versions of both.

The planners and the translator come as wheels. Whoever has a build of their own names it in
an environment variable; it is run with the same arguments as the bundled one.
"""

from __future__ import annotations

import importlib.metadata
import os
from pathlib import Path

from plancost.errors import PlannerError

FAST_DOWNWARD = "PLANCOST_FAST_DOWNWARD"
SYMK = "PLANCOST_SYMK"
TRANSLATOR = "PLANCOST_TRANSLATOR"


def named_binary(variable: str) -> Path | None:
    """The binary that an environment variable names; None if it is not set, or empty."""
    named = os.environ.get(variable)
    if not named:
        return None
    path = Path(named).absolute()  # programs run in directories of their own
    if not path.is_file():
        raise PlannerError(f"{variable} names {named}, and there is no such file")
    if not os.access(path, os.X_OK):
        raise PlannerError(f"{variable} names {named}, which is not executable: chmod +x it")
    return path


def binary_version(path: Path) -> str:
    """What tells one build from another at the same place."""
    status = path.stat()
    return f"{path} of {status.st_size} bytes, {status.st_mtime_ns}"


def installed_version(distribution: str) -> str | None:
    """The version of an installed distribution; None if there is none."""
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None

"""Binaries that the user names instead of the bundled ones, and the versions of both.

The planners and the translator are installed as wheels. Users can name their own builds in
environment variables; they are run with the same arguments as the bundled ones.
"""

from __future__ import annotations

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
    """What distinguishes one build from another at the same path."""
    status = path.stat()
    return f"{path} of {status.st_size} bytes, {status.st_mtime_ns}"


def installed_version(distribution: str) -> str | None:
    """The version of an installed distribution; None if there is none."""
    import importlib.metadata  # takes as long to load as all else that --help needs of others

    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None

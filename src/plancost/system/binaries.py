"""Programs of the user's own that stand in for the bundled ones.

The planners and the translator come as wheels. Whoever has a build of their own names it in
an environment variable; it is run with the same arguments as the bundled one.
"""

from __future__ import annotations

import os
from pathlib import Path

from plancost.errors import PlannerError

FAST_DOWNWARD = "PLANCOST_FAST_DOWNWARD"
SYMK = "PLANCOST_SYMK"
TRANSLATOR = "PLANCOST_TRANSLATOR"
VARIABLES = (FAST_DOWNWARD, SYMK, TRANSLATOR)


def own_program(variable: str) -> Path | None:
    """The program that an environment variable names; None if it is not set, or empty."""
    named = os.environ.get(variable)
    if not named:
        return None
    path = Path(named).absolute()  # programs run in directories of their own
    if not path.is_file():
        raise PlannerError(f"{variable} names {named}, and there is no such file")
    if not os.access(path, os.X_OK):
        raise PlannerError(f"{variable} names {named}, which is not executable: chmod +x it")
    return path


def own_version(path: Path) -> str:
    """What tells one build from another at the same place."""
    status = path.stat()
    return f"{path} of {status.st_size} bytes, {status.st_mtime_ns}"

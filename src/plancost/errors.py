"""All exceptions that plancost raises on purpose.

An exception means wrong input or a broken environment. Its text is one sentence that
names the file, the line or step, and what to do. Expected outcomes (a planner ran out
of time, no cheaper plan exists) are values, not exceptions.
"""

from __future__ import annotations

import re
from pathlib import Path

_LONG_WORD = re.compile(r"\S{300,}")
_LONGEST = 800


def _shortened(message: str) -> str:
    """Truncate very long words, and a very long message."""
    short = _LONG_WORD.sub(lambda word: f"{word.group()[:60]}...", message)
    return short if len(short) <= _LONGEST else f"{short[:_LONGEST]}..."


class PlancostError(Exception):
    """The root of all errors that plancost raises on purpose."""


class InputError(PlancostError):
    """A file of the user is wrong."""

    def __init__(self, message: str, path: Path | None = None, line: int | None = None) -> None:
        self.path = path
        self.line = line
        place = "" if path is None else f"{path}: " if line is None else f"{path}:{line}: "
        super().__init__(place + _shortened(message))


class InvalidPlanError(InputError):
    """An observed plan does not solve its problem."""


class UnsolvableError(InputError):
    """A problem is proven to have no plan."""


class UsageError(PlancostError):
    """The options contradict each other."""


class LimitError(PlancostError):
    """A limit on time or memory was reached before there was any answer."""


class CalledOffError(PlancostError):
    """The work was cancelled from outside, as by Ctrl-C; its outcome is not known."""


class PlannerError(PlancostError):
    """A planner or the translator is missing, or behaved in an undocumented way."""


class SolverError(PlancostError):
    """The LP or MILP solver is missing or failed."""


class ClusterError(PlancostError):
    """A cluster cannot be used, or the connection to it was lost."""

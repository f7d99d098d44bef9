"""All exceptions that plancost raises on purpose.

An exception means wrong input or a broken environment. Its text is one sentence that names the
file, the line or step, and what to do. Expected outcomes (a planner ran out of time, there is no
cheaper plan) are values, not exceptions.
"""

from __future__ import annotations

from pathlib import Path


class PlancostError(Exception):
    """The root of all errors that plancost raises on purpose."""


class InputError(PlancostError):
    """A file, or a value that a caller gave, is wrong."""

    def __init__(
        self, message: str, path: Path | str | None = None, line: int | None = None
    ) -> None:
        place = "" if path is None else f"{path}: " if line is None else f"{path}:{line}: "
        super().__init__(place + message)


class InvalidPlanError(InputError):
    """An observed plan does not solve its problem."""


class UnsolvableError(InputError):
    """A problem has no plan."""


class UsageError(PlancostError):
    """The options are wrong, or contradict each other."""


class LimitError(PlancostError):
    """A limit on time or memory was reached before there was any answer."""


class PlannerError(PlancostError):
    """A planner or the translator is missing, or behaved in an undocumented way."""


class SolverError(PlancostError):
    """A solver of linear or integer programs is missing or failed."""

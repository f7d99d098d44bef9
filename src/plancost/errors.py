"""All exceptions that plancost raises on purpose, and the one for what is not installed.

An exception means wrong input or a broken environment. Its text is one sentence that names the
file, the line or step, and what to do. Expected outcomes (a planner ran out of time, there is no
cheaper plan) are values, not exceptions.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any


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


EXTRAS = {
    "cbc": ("cbcbox", "--solver cbc"),
    "cluster": ("distributed", "--scheduler"),
    "networkx": ("networkx", "cases of its graphs"),
    "pandas": ("pandas", "tables of results"),
    "plots": ("matplotlib", "pictures"),
    "unified-planning": ("unified_planning", "cases of its problems"),
}
"""Libraries that only some things need: of each extra of plancost the module, and who needs it."""
INSTALL = "pip install 'plancost[{}]'"


def needed(extra: str, error: type[PlancostError] = UsageError) -> Any:
    """The module of an extra; an error of one sentence if it is not installed."""
    module, purpose = EXTRAS[extra]
    try:
        return import_module(module)
    except ImportError:
        words = f"{module}, for {purpose}, is missing: run {INSTALL.format(extra)}"
        raise error(words) from None

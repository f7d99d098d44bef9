"""Libraries that only some things need, and the extras of plancost that install them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from plancost.errors import PlancostError, UsageError

EXTRAS = {
    "cbc": ("cbcbox", "--solver cbc"),
    "cluster": ("distributed", "--scheduler"),
    "networkx": ("networkx", "cases of its graphs"),
    "pandas": ("pandas", "tables of results"),
    "plots": ("matplotlib", "pictures"),
    "unified-planning": ("unified_planning", "cases of its problems"),
}
"""Of each extra the module, and who needs it."""
INSTALL = "pip install 'plancost[{}]'"


def needed(extra: str, error: type[PlancostError] = UsageError) -> Any:
    """The module of an extra; an error of one sentence if it is not installed."""
    try:
        return import_module(EXTRAS[extra][0])
    except ImportError:
        module, purpose = EXTRAS[extra]
        words = f"{module}, for {purpose}, is missing: run {INSTALL.format(extra)}"
        raise error(words) from None

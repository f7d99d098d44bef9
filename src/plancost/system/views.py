"""How values show themselves in notebooks.

What is shown is written by `report`, which is built on the values and which they do not know. So
this is the one call upwards, by name and only when a notebook asks.
"""

from __future__ import annotations

from importlib import import_module

_WRITER = "plancost.report.notebook"


def html_of(value: object) -> str:
    """A value as a piece of HTML that needs nothing else."""
    return str(import_module(_WRITER).html_of(value))

"""Graphs of networkx that a caller gives."""

from __future__ import annotations

from plancost.errors import UsageError
from plancost.system.values import shown

_OF_A_GRAPH = ("nodes", "edges", "is_directed", "is_multigraph")


def check_is_graph(value: object) -> None:
    """A `UsageError` if this is no graph; networkx need not be there to say so."""
    if not all(hasattr(value, name) for name in _OF_A_GRAPH):
        raise UsageError(f"graph must be a graph of networkx, not {shown(value)}")

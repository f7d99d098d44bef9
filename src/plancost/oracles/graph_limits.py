"""How large a state graph may get. On its own, so that reading options does not load NumPy."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class GraphLimits:
    """When to give up; `memory_mb` includes the shortest-path searches to come."""

    states: int = 6_000_000
    transitions: int = 60_000_000
    memory_mb: int = 4000

"""How large a state graph may get. On its own, so that reading options does not load NumPy."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from plancost.system.memory import machine_mb


@dataclass(frozen=True)
class GraphLimits:
    """When to give up; `memory_mb` includes the shortest-path searches to come.

    The memory is for all graphs of a case together, the rest for each.
    """

    states: int = 6_000_000
    transitions: int = 60_000_000
    memory_mb: int = field(default_factory=lambda: machine_mb() // 2)
    growth: int = 1
    """How many times as large graphs of all actions may be together, once there is an answer."""

    def larger(self, graphs: int) -> GraphLimits:
        """The limits for so many graphs where there is an answer already, so less to lose."""
        times = max(1, self.growth // graphs)
        return replace(self, states=times * self.states, transitions=times * self.transitions)

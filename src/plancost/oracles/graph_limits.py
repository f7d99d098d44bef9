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
    """How many times as large graphs may be, all together, where that is worth the time; in the
    check, those built for one group of tasks."""

    def larger(self, graphs: int, tasks: int | None = None) -> GraphLimits:
        """The limits for so many graphs that are worth more time.

        Such as those of all actions, once there is an answer; or those that the check builds for
        several `tasks` each, which may be no more times as large than that.
        """
        times = max(1, self.growth // graphs)
        if tasks is not None:
            times = min(times, tasks)
        return replace(self, states=times * self.states, transitions=times * self.transitions)

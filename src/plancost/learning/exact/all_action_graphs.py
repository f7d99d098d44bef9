"""State graphs of all actions, built a few at a time where that takes long.

What was built stays, and how long it took says how long the rest will take. So the second objective
knows how much time to set aside for graphs, and when it is better off without.
"""

from __future__ import annotations

import time

from plancost.learning.run import Run
from plancost.oracles.graph_oracle import TaskGraph
from plancost.oracles.state_graph import TooLarge
from plancost.system.clock import Deadline
from plancost.system.schedule import SCHEDULE

_NOT_READY = 2.0
"""A graph that was not ready is expected to take so many times as long as it was given."""


class AllActionGraphs:
    """The state graphs of all actions of a run."""

    def __init__(self, run: Run) -> None:
        self._store = run.oracles.graphs
        self._is_wanted = run.options.oracle.uses_graphs
        self.spent_s = 0.0
        """How long building them has taken so far."""
        self._built = 0
        self._late: int | None = None
        """How many graphs only lack time; None: it was not tried."""

    @property
    def is_decided(self) -> bool:
        """Whether each task has its graph, or cannot have one."""
        return not self._is_wanted or self._late == 0

    @property
    def expected_s(self) -> float | None:
        """How long the rest is expected to take; None: it was not tried."""
        if self.is_decided:
            return 0.0
        if self._late is None:
            return None
        each_s = self.spent_s / self._built if self._built else _NOT_READY * self.spent_s
        return each_s * self._late

    def build(self, deadline: Deadline) -> bool:
        """Build as many as that time allows, unless they are not expected to fit; see above."""
        remaining, expected = deadline.remaining(), self.expected_s
        part = SCHEDULE.all_action_graphs
        if expected is None:
            part = SCHEDULE.graphs_for_separation
        if self.is_decided or (
            expected is not None and remaining is not None and expected > part * remaining
        ):
            return self.is_decided
        began = time.monotonic()
        limits = self._store.limits.larger(len(self._store.groups))
        built = self._store.graphs(None, deadline.share(part), limits=limits)
        self.spent_s += time.monotonic() - began
        # Tasks of one world share a graph.
        of_groups = [built[group[0]] for group in self._store.groups]
        self._built = sum(isinstance(graph, TaskGraph) for graph in of_groups)
        self._late = sum(isinstance(g, TooLarge) and g.limit == "time" for g in of_groups)
        return self.is_decided

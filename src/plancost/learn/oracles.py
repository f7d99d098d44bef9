"""The state graphs and planners of a run, made once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from plancost.case.model import Case, Task
from plancost.clock import Clock
from plancost.learn.rows import Mask
from plancost.options import LearnOptions
from plancost.search.transitions import Reached, state_graph

if TYPE_CHECKING:
    from plancost.search.planners import Planners

_MOST_KEPT_BYTES = 2**31


class Oracles:
    """Graphs are kept while they fit; a second question about the same actions finds them again."""

    def __init__(self, case: Case, options: LearnOptions) -> None:
        self.case, self.options = case, options
        self._graphs: dict[object, Reached] = {}
        self._bytes = 0

    def graph(
        self, world: int, tasks: Sequence[Task], allowed: Mask, most_states: int, clock: Clock
    ) -> Reached | None:
        """See `state_graph`."""
        key = world, tuple((t.initial, t.goal, t.goal_states) for t in tasks), allowed.tobytes()
        known = self._graphs.get(key)
        if known is None:
            own = self.case.worlds[world]
            known = state_graph(own, tasks, allowed, most_states, clock)
            if known is not None and self._bytes + known.graph.nbytes < _MOST_KEPT_BYTES:
                self._bytes += known.graph.nbytes
                self._graphs[key] = known
        return known

    @cached_property
    def planners(self) -> Planners:
        """Fast Downward and SymK."""
        from plancost.search.planners import Planners

        options = self.options
        return Planners(self.case, memory_mb=options.memory_limit, jobs=options.jobs)

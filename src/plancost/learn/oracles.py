"""The state graphs and planners of a run, made once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

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
        self._graphs: dict[object, dict[bytes, Reached]] = defaultdict(dict)
        """By world and tasks, then by actions."""
        self._bytes = 0

    def graph(
        self, world: int, tasks: Sequence[Task], allowed: Mask, most_states: int, clock: Clock
    ) -> Reached | None:
        """See `state_graph`."""
        made = self._graphs[_key(world, tasks)]
        known = made.get(allowed.tobytes())
        if known is None:
            own = self.case.worlds[world]
            known = state_graph(own, tasks, allowed, most_states, clock)
            if known is not None and self._bytes + known.graph.nbytes < _MOST_KEPT_BYTES:
                self._bytes += known.graph.nbytes
                made[allowed.tobytes()] = known
        return known

    def wider_graph(
        self, world: int, tasks: Sequence[Task], allowed: Mask, most_states: int, clock: Clock
    ) -> Reached | None:
        """A graph of these actions, with more if there is one already."""
        for mask, known in self._graphs[_key(world, tasks)].items():
            if (np.frombuffer(mask, dtype=bool) >= allowed).all():
                return known
        return self.graph(world, tasks, allowed, most_states, clock)

    @cached_property
    def planners(self) -> Planners:
        """Fast Downward and SymK."""
        from plancost.search.planners import Planners

        options = self.options
        return Planners(self.case, memory_mb=options.memory_limit, jobs=options.jobs)


def _key(world: int, tasks: Sequence[Task]) -> object:
    return world, tuple((task.initial, task.goal, task.goal_states) for task in tasks)

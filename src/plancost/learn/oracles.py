"""The state graphs and planners of a run, made once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from plancost.case.model import Case, Task
from plancost.clock import Clock
from plancost.learn.outcome import Ending
from plancost.learn.rows import Mask
from plancost.options import LearnOptions
from plancost.search.planners import Planners
from plancost.search.transitions import Reached, state_graph

_MOST_KEPT_BYTES = 2**31


class Oracles:
    """Graphs are kept while they fit; a second question about the same actions finds them again."""

    def __init__(self, case: Case, options: LearnOptions) -> None:
        self.case, self.options = case, options
        self.planners = Planners(case, memory_mb=options.memory_limit, jobs=options.jobs)
        """Fast Downward and SymK."""
        self._graphs: dict[object, list[tuple[Mask, Reached]]] = defaultdict(list)
        """By world and tasks; each with its actions."""
        self._bytes = 0

    def undecided(self, clock: Clock) -> Ending:
        """Why a check did not decide about all plans."""
        if clock.is_over:
            return "time limit"
        return "out of memory" if self.planners.ran_out_of_memory else "gave up"

    def graph(
        self, world: int, tasks: Sequence[Task], allowed: Mask, most_states: int, clock: Clock
    ) -> Reached | None:
        """See `state_graph`; if there is one already that has more actions, that one."""
        key = world, tuple((task.initial, task.goal, task.goal_states) for task in tasks)
        for actions, known in self._graphs[key]:
            if (actions >= allowed).all():
                return known
        made = state_graph(self.case.worlds[world], tasks, allowed, most_states, clock)
        if made is not None and self._bytes + made.graph.nbytes < _MOST_KEPT_BYTES:
            self._bytes += made.graph.nbytes
            self._graphs[key].append((allowed.copy(), made))
        return made

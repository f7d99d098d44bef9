"""Who looks for cheaper plans: state graphs where they fit, planners elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from plancost.learning.problem.cuts import Cut
from plancost.learning.problem.task import LearningTask, PlanSet
from plancost.learning.run import Run
from plancost.learning.separation.by_planners import PlannerSeparator
from plancost.learning.separation.on_graphs import GraphSeparator
from plancost.learning.separation.paths import Paths
from plancost.learning.separation.protocol import Separator
from plancost.oracles.graph_oracle import TaskGraph
from plancost.system.clock import Deadline
from plancost.system.schedule import SCHEDULE


class CombinedSeparator:
    """Asks for each candidate the separator that its task has."""

    def __init__(
        self,
        task: LearningTask,
        parts: Sequence[tuple[frozenset[int], Separator]],
        description: str,
    ) -> None:
        self.description = description
        self._task = task
        self._parts = parts

    def paths(self) -> Paths | None:
        """The candidates as paths, if some have a state graph."""
        return next(filter(None, (part.paths() for _, part in self._parts)), None)

    def graphs(self) -> Mapping[int, TaskGraph] | None:
        """The state graphs, if every task has one."""
        return next(filter(None, (part.graphs() for _, part in self._parts)), None)

    def effort(self, chosen: Sequence[int]) -> int:
        """See `protocol.Separator`."""
        return sum(part.effort(members) for members, part in self._split(chosen))

    def undecided(self) -> PlanSet:
        """See `protocol.Separator`."""
        return frozenset().union(*(part.undecided() for _, part in self._parts))

    def violated(
        self, costs: np.ndarray, chosen: Sequence[int], *, exact: bool, deadline: Deadline
    ) -> list[Cut] | None:
        """See `protocol.Separator`."""
        found: list[Cut] = []
        is_decided = True
        for members, part in self._split(chosen):
            cuts = part.violated(costs, members, exact=exact, deadline=deadline)
            found += cuts or ()
            is_decided &= cuts is not None
        return found if found or is_decided else None

    def _split(self, chosen: Sequence[int]) -> Iterator[tuple[list[int], Separator]]:
        for tasks, part in self._parts:
            members = [n for n in chosen if self._task.candidates[n].task in tasks]
            if members:
                yield members, part


def build_separator(
    run: Run,
    task: LearningTask,
    actions: frozenset[str] | None,
    graphs_until: Deadline | None = None,
) -> CombinedSeparator:
    """A separator over these actions (None: all), as the options ask.

    `graphs_until` is when to stop building state graphs, if not after their usual part.
    """
    everything = range(len(task.case.tasks))
    graphs: dict[int, TaskGraph] = {}
    reasons: set[str] = set()
    if run.options.oracle.uses_graphs:
        # A graph that takes most of the time to build leaves none to use it.
        until = graphs_until or run.deadline.share(SCHEDULE.graphs_for_separation)
        built = run.oracles.graphs.graphs(actions, until)
        for number, graph in built.items():
            if isinstance(graph, TaskGraph):
                graphs[number] = graph
            else:
                reasons.add(graph.reason)
    parts: list[tuple[frozenset[int], Separator]] = []
    said = []
    if graphs:
        parts.append((frozenset(graphs), GraphSeparator(task, graphs)))
        sizes = {id(graph.graph): graph.graph.state_count for graph in graphs.values()}
        said.append(f"state graphs for {len(graphs)} tasks ({sum(sizes.values())} states)")
    others = frozenset(number for number in everything if number not in graphs)
    if others:
        parts.append(
            (
                others,
                PlannerSeparator(
                    task,
                    actions,
                    run.oracles.planners,
                    run.oracles.planner_oracle,
                    run.executor,
                ),
            )
        )
        why = f" ({'; '.join(sorted(reasons))})" if reasons else ""
        said.append(f"planners for {len(others)} tasks{why}")
    return CombinedSeparator(task, parts, ", ".join(said))

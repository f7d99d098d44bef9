"""State graphs of a case, each built once and shared by learner and check."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from plancost.clock import Deadline
from plancost.observations.case import Case, Task
from plancost.oracles.graph_oracle import TaskGraph
from plancost.oracles.state_graph import (
    GraphLimits,
    StateGraph,
    TooLarge,
    Unsupported,
    build_state_graph,
    groups,
)

_ALIKE = 1.1
"""A task with a tenth fewer actions is taken to be no smaller."""

Built = TaskGraph | TooLarge | Unsupported


class GraphStore:
    """The graphs of all tasks, for one set of actions or another."""

    def __init__(self, case: Case, limits: GraphLimits) -> None:
        self._case = case
        self._limits = limits
        self._groups = groups(case.domain, case.tasks)
        self._known: dict[frozenset[str] | None, dict[int, Built]] = {}

    def graphs(
        self,
        actions: frozenset[str] | None,
        deadline: Deadline,
        *,
        tasks: Collection[int] | None = None,
    ) -> dict[int, Built]:
        """The graph of every task (or of these), or why there is none.

        Tasks of one world share a graph; the limits hold for each graph.
        """
        known = self._known.setdefault(actions, {})
        for group in self._groups:
            if tasks is not None and not set(group) & set(tasks):
                continue
            if all(number in known for number in group):
                continue
            built = self._build(group, actions, known, deadline)
            for position, number in enumerate(group):
                if isinstance(built, StateGraph):
                    known[number] = TaskGraph(built, position)
                elif not (isinstance(built, TooLarge) and built.limit == "time"):
                    known[number] = built
        late = TooLarge("time", 0)
        return {
            number: known.get(number, late)
            for number in range(len(self._case.tasks))
            if tasks is None or number in tasks
        }

    def _build(
        self,
        group: Sequence[int],
        actions: frozenset[str] | None,
        known: Mapping[int, Built],
        deadline: Deadline,
    ) -> StateGraph | TooLarge | Unsupported:
        """Build a graph, unless one of a smaller task has been too large already."""
        size = self._size(group, actions)
        for number, built in known.items():
            if isinstance(built, TooLarge) and self._size([number], actions) <= _ALIKE * size:
                return TooLarge(built.limit, built.states)
        return build_state_graph(
            self._case.domain, self._tasks(group), actions, self._limits, deadline
        )

    def _size(self, group: Sequence[int], actions: frozenset[str] | None) -> int:
        """How large a task looks: the number of its ground actions."""
        names = frozenset[str]().union(*(self._case.tasks[number].actions for number in group))
        return len(names if actions is None else names & actions)

    def full(self) -> dict[int, TaskGraph]:
        """The graphs over all actions that were built already."""
        known = self._known.get(None, {})
        return {number: graph for number, graph in known.items() if isinstance(graph, TaskGraph)}

    def _tasks(self, group: Sequence[int]) -> list[Task]:
        return [self._case.tasks[number] for number in group]

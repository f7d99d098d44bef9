"""Who looks for cheaper plans: state graphs where they fit, planners elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from plancost.clock import Deadline
from plancost.learning.graph_separator import GraphSeparator
from plancost.learning.plan_sets import Finding, Separator
from plancost.learning.task import LearningTask
from plancost.oracles.graph_oracle import TaskGraph
from plancost.oracles.graph_store import GraphStore


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

    def violated(
        self, costs: np.ndarray, chosen: Sequence[int], *, exact: bool, deadline: Deadline
    ) -> list[Finding] | None:
        """See `plan_sets.Separator`."""
        found: list[Finding] = []
        for tasks, part in self._parts:
            members = [n for n in chosen if self._task.candidates[n].task in tasks]
            if not members:
                continue
            rows = part.violated(costs, members, exact=exact, deadline=deadline)
            if rows is None:
                return None
            found += rows
        return found


def build_separator(
    task: LearningTask,
    actions: frozenset[str] | None,
    store: GraphStore,
    deadline: Deadline,
) -> CombinedSeparator:
    """Build graphs over these actions (None: all)."""
    built = store.graphs(actions, deadline)
    graphs = {number: graph for number, graph in built.items() if isinstance(graph, TaskGraph)}
    sizes = {id(graph.graph): graph.graph.state_count for graph in graphs.values()}
    description = f"graph ({len(sizes)} with {sum(sizes.values())} states)"
    return CombinedSeparator(task, [(frozenset(graphs), GraphSeparator(task, graphs))], description)

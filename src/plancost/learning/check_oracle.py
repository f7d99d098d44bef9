"""The oracle that checks an answer: graphs where they fit, planners elsewhere.

An action that costs more than a plan observed on a task is in no optimal plan of that
task. So the check may leave such actions out, and a task whose full state space is far
too large is still checked on a graph while its unused actions are priced out.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Mapping

from plancost.clock import Deadline
from plancost.learning.options import LearnOptions, OracleName
from plancost.learning.searchers import Searchers
from plancost.learning.task import Costs, LearningTask
from plancost.oracles.graph_oracle import GraphOracle, TaskGraph
from plancost.oracles.oracle import Allowed, Answer, Oracle


class CheckOracle:
    """Asks for each task the oracle that it has.

    Planners may be many on other machines; graphs are searched here, `jobs` at a time.
    """

    def __init__(self, graphs: Mapping[int, TaskGraph], planner: Oracle, jobs: int = 1) -> None:
        self._graphs = graphs
        self._searching = threading.BoundedSemaphore(jobs)
        self._graph_oracle = GraphOracle(graphs)
        self._planner = planner
        self.name = planner.name if not graphs else "graph"

    @contextlib.contextmanager
    def _asking(self, task: int) -> Iterator[Oracle]:
        """Who answers for this task, when it is its turn."""
        if task not in self._graphs:
            yield self._planner
            return
        with self._searching:
            yield self._graph_oracle

    def cheapest(self, task: int, costs: Mapping[str, int], deadline: Deadline) -> Answer:
        """See `oracles.oracle.Oracle`."""
        with self._asking(task) as oracle:
            return oracle.cheapest(task, costs, deadline)

    def outside(
        self, task: int, costs: Mapping[str, int], allowed: Allowed, cost: int, deadline: Deadline
    ) -> Answer:
        """See `oracles.oracle.Oracle`."""
        with self._asking(task) as oracle:
            return oracle.outside(task, costs, allowed, cost, deadline)


def oracle_for(
    task: LearningTask,
    costs: Costs,
    options: LearnOptions,
    searchers: Searchers,
    deadline: Deadline,
) -> CheckOracle:
    """The oracle for checking these costs, as the options ask."""
    case = task.case
    planner = searchers.planner_oracle
    if options.oracle in (OracleName.SYMK, OracleName.FAST_DOWNWARD):
        return CheckOracle({}, planner)
    graphs = dict(searchers.graphs.full())
    missing = [number for number in range(len(case.tasks)) if number not in graphs]
    if missing:
        roof = max(task.cost(observation.plan, costs) for observation in case.observations)
        cheap = frozenset(n for n, cost in zip(case.actions, costs, strict=True) if cost <= roof)
        actions = None if len(cheap) == len(case.actions) else cheap
        built = searchers.graphs.graphs(actions, deadline.share(0.5), tasks=missing)
        graphs |= {n: graph for n, graph in built.items() if isinstance(graph, TaskGraph)}
    return CheckOracle(graphs, planner, options.jobs)

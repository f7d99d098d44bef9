"""The oracle that checks an answer: graphs where they fit, planners elsewhere.

An action that costs more than a plan observed on a task is in no optimal plan of that
task. So the check may leave such actions out, and a task whose full state space is far
too large is still checked on a graph while its unused actions are priced out.
"""

from __future__ import annotations

from collections.abc import Mapping

from plancost.clock import Deadline
from plancost.learning.options import LearnOptions, OracleName
from plancost.learning.searchers import Searchers
from plancost.learning.task import Costs, LearningTask
from plancost.oracles.graph_oracle import GraphOracle, TaskGraph
from plancost.oracles.oracle import Allowed, Answer, Oracle


class CheckOracle:
    """Asks for each task the oracle that it has."""

    def __init__(self, graphs: Mapping[int, TaskGraph], planner: Oracle) -> None:
        self._graphs = graphs
        self._graph_oracle = GraphOracle(graphs)
        self._planner = planner
        self.name = planner.name if not graphs else "graph"

    def of(self, task: int) -> Oracle:
        """Who answers for this task."""
        return self._graph_oracle if task in self._graphs else self._planner

    def cheapest(self, task: int, costs: Mapping[str, int], deadline: Deadline) -> Answer:
        """See `oracles.oracle.Oracle`."""
        return self.of(task).cheapest(task, costs, deadline)

    def outside(
        self, task: int, costs: Mapping[str, int], allowed: Allowed, cost: int, deadline: Deadline
    ) -> Answer:
        """See `oracles.oracle.Oracle`."""
        return self.of(task).outside(task, costs, allowed, cost, deadline)


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
    return CheckOracle(graphs, planner)

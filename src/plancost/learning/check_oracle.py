"""The oracle that checks an answer: graphs where they fit, planners elsewhere.

An action that costs more than a plan observed on a task is in no optimal plan of that
task. So the check may leave such actions out, and a task whose full state space is far
too large is still checked on a graph while its unused actions are priced out.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Iterator, Mapping

from plancost.clock import Deadline
from plancost.learning.options import LearnOptions, OracleName
from plancost.learning.searchers import Searchers
from plancost.learning.task import Costs, LearningTask
from plancost.oracles.graph_oracle import GraphOracle, TaskGraph
from plancost.oracles.graph_store import GraphStore
from plancost.oracles.oracle import Allowed, Answer, Oracle
from plancost.oracles.state_graph import TooLarge

_log = logging.getLogger(__name__)

_BUILDING_SHARE = 0.5


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
    planner = searchers.planner_oracle
    if options.oracle in (OracleName.SYMK, OracleName.FAST_DOWNWARD):
        return CheckOracle({}, planner)
    graphs = _graphs(task, costs, searchers.graphs, deadline)
    others = len(task.case.tasks) - len(graphs)
    _log.info("to be checked: %d tasks on state graphs, %d by planners", len(graphs), others)
    return CheckOracle(graphs, planner, options.jobs)


def _graphs(
    task: LearningTask, costs: Costs, store: GraphStore, deadline: Deadline
) -> dict[int, TaskGraph]:
    """For each task, if it fits, a graph of the actions that could be in an optimal plan."""
    needed = [_needed_actions(task, number, costs) for number in range(len(task.case.tasks))]
    covering = {number: store.covering(number, names) for number, names in enumerate(needed)}
    graphs = {number: graph for number, graph in covering.items() if graph is not None}
    missing: list[tuple[frozenset[str], list[int]]] = []
    for group in store.groups:
        if not all(number in graphs for number in group):
            missing.append((frozenset().union(*(needed[number] for number in group)), group))
    until = deadline.share(_BUILDING_SHARE)
    # The smallest first, and none that is larger than one that was too large.
    for actions, group in sorted(missing, key=lambda item: (len(item[0]), item[1])):
        built = store.graphs(actions, until, tasks=group)
        graphs |= {n: graph for n, graph in built.items() if isinstance(graph, TaskGraph)}
        if any(isinstance(graph, TooLarge) for graph in built.values()):
            break
    return graphs


def _needed_actions(task: LearningTask, number: int, costs: Costs) -> frozenset[str]:
    """The actions of a task that cost no more than the cheapest plan observed on it."""
    case = task.case
    roof = min(
        task.cost(case.observations[member].plan, costs)
        for member in case.observations_of_task[number]
    )
    return frozenset(
        name for name in case.tasks[number].actions if costs[task.action_number[name]] <= roof
    )

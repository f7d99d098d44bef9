"""The oracle that checks an answer: graphs where they fit, planners elsewhere.

An action that costs more than a plan observed on a task is in no optimal plan of that
task. So the check may leave such actions out, and a task whose full state space is far
too large is still checked on a graph while its unused actions are priced out.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from plancost.learning.problem.task import Costs, LearningTask
from plancost.learning.run import Run
from plancost.oracles.graph_oracle import GraphOracle, TaskGraph
from plancost.oracles.graph_store import GraphStore
from plancost.oracles.oracle import Allowed, Answer, Oracle
from plancost.oracles.state_graph import is_walk
from plancost.system.clock import Deadline
from plancost.system.schedule import SCHEDULE

_log = logging.getLogger(__name__)

_ALIKE = 1.25
"""Tasks of one world with up to a quarter more actions share a graph in the check."""


class CheckOracle:
    """Asks for each task the oracle that it has.

    Planners may be many on other machines; graphs are searched here, `jobs` at a time.
    """

    def __init__(
        self,
        graphs: Mapping[int, TaskGraph],
        planner: Oracle,
        jobs: int = 1,
        bounds: Mapping[int, int] | None = None,
    ) -> None:
        """`bounds` says what some plan of a task costs."""
        self._graphs = graphs
        self._searching = threading.BoundedSemaphore(jobs)
        self._graph_oracle = GraphOracle(graphs, bounds)
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


def oracle_for(run: Run, task: LearningTask, costs: Costs) -> CheckOracle:
    """The oracle for checking these costs, as the options ask."""
    planner = run.oracles.planner_oracle
    if not run.options.oracle.uses_graphs:
        return CheckOracle({}, planner)
    needs = _Needs(task, costs)
    graphs = _graphs(needs, run.oracles.graphs, run.deadline)
    others = len(needs.bounds) - len(graphs)
    _log.info("to be checked: %d tasks on state graphs, %d by planners", len(graphs), others)
    return CheckOracle(graphs, planner, run.options.jobs, needs.bounds)


def _graphs(needs: _Needs, store: GraphStore, deadline: Deadline) -> dict[int, TaskGraph]:
    """For each task, if it fits, a graph of the actions that could be in an optimal plan."""
    graphs: dict[int, TaskGraph] = {}
    for group in store.groups:
        if needs.on_a_map(group[0]):
            store.graphs(None, deadline, tasks=group)  # the map itself: quick, and always enough
    for number in needs.bounds:
        covering = store.covering(number, partial(needs.actions, number))
        if covering is not None:
            graphs[number] = covering
    until = deadline.share(SCHEDULE.graphs_for_checking)
    worlds = [[n for n in group if n in needs.bounds and n not in graphs] for group in store.groups]
    # The smallest first, and none that is larger than one that was too large.
    for group in sorted(filter(None, worlds), key=lambda group: (len(needs.of_all(group)), group)):
        found, fits = _graphs_of_a_world(needs, group, store, until)
        graphs |= found
        if not fits:
            break
    return graphs


def _graphs_of_a_world(
    needs: _Needs, group: Sequence[int], store: GraphStore, deadline: Deadline
) -> tuple[dict[int, TaskGraph], bool]:
    """Graphs of tasks that share one, those first that need few actions; and whether all fit.

    A plan that one graph has for another task is often enough to see that this needs no more.
    A graph that serves several tasks may be larger: each of them would be a planner's search.
    """
    graphs: dict[int, TaskGraph] = {}
    left = sorted(group, key=lambda number: (len(needs.actions(number)), number))
    while left:
        most = _ALIKE * len(needs.actions(left[0]))
        alike = [number for number in left if len(needs.actions(number)) <= most]
        actions = needs.of_all(alike)
        limits = store.limits.larger(len(store.groups), len(left))
        wanted = None if needs.is_everything(actions, group) else actions
        built = store.graphs(wanted, deadline, tasks=left, limits=limits)
        for number in left:
            graph = built[number]
            if not isinstance(graph, TaskGraph):
                return graphs, False
            if number not in alike:
                needs.improve_bound(number, graph, deadline)
            if needs.actions(number) <= actions:
                graphs[number] = graph
        left = [number for number in left if number not in graphs]
    return graphs, True


class _Needs:
    """The actions of each task that cost no more than some plan of it: no others are optimal."""

    def __init__(self, task: LearningTask, costs: Costs) -> None:
        self._task = task
        self._costs = task.named(costs)
        case = task.case
        self.bounds = {
            number: min(task.cost(case.observations[member].plan, costs) for member in members)
            for number, members in enumerate(case.observations_of_task)
            if members
        }
        """What some plan of each task costs that has observed ones."""
        self._known: dict[int, frozenset[str]] = {}

    def on_a_map(self, number: int) -> bool:
        """Whether the state graph of a task is a map."""
        return is_walk(self._task.case.tasks[number])

    def actions(self, number: int) -> frozenset[str]:
        """Those of one task."""
        if number not in self._known:
            bound = self.bounds[number]
            names = self._task.case.tasks[number].actions
            self._known[number] = frozenset(n for n in names if self._costs[n] <= bound)
        return self._known[number]

    def of_all(self, numbers: Sequence[int]) -> frozenset[str]:
        """Those of several tasks."""
        return frozenset[str]().union(*map(self.actions, numbers))

    def is_everything(self, actions: frozenset[str], numbers: Sequence[int]) -> bool:
        """Whether these are all actions of some tasks, as for the graphs of the learner."""
        tasks = self._task.case.tasks
        return all(actions.issuperset(tasks[number].actions) for number in numbers)

    def improve_bound(self, number: int, graph: TaskGraph, deadline: Deadline) -> None:
        """Look for a cheaper plan than those that were observed."""
        cost = GraphOracle({number: graph}).cheapest(number, self._costs, deadline).cost
        if cost is not None and cost < self.bounds[number]:
            self.bounds[number] = cost
            del self._known[number]

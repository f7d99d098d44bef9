"""State graphs of a case, each built once and shared by learner and check."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace

from plancost.errors import PlancostError
from plancost.observations.case import Case, actions_of
from plancost.oracles.graph_limits import GraphLimits
from plancost.oracles.graph_oracle import TaskGraph
from plancost.oracles.state_graph import (
    StateGraph,
    TooLarge,
    Unsupported,
    build_state_graph,
    groups,
)
from plancost.system.clock import Deadline
from plancost.system.memory import WORKER_PROCESS_MB, MemoryShares, graphs_mb
from plancost.system.worker_process import WorkerProcess

_ALIKE = 1.1
"""A task with a tenth fewer actions is taken to be no smaller."""
_WORTH_S = 2.0
"""Another process is started only for so many seconds of work."""

Built = TaskGraph | TooLarge | Unsupported


class GraphStore:
    """The graphs of all tasks, for one set of actions or another.

    With several `jobs`, other processes build some of them; with `memory`, within their share.
    """

    def __init__(
        self,
        case: Case,
        limits: GraphLimits,
        jobs: int = 1,
        memory: MemoryShares | None = None,
    ) -> None:
        self._case = case
        self.limits = limits
        self._jobs = jobs if memory is None else memory.fitting(jobs, WORKER_PROCESS_MB)
        self._memory = memory
        self.groups = groups(case.domain, case.tasks)
        self._known: dict[frozenset[str] | None, dict[int, Built]] = {}

    def graphs(
        self,
        actions: frozenset[str] | None,
        deadline: Deadline,
        *,
        tasks: Collection[int] | None = None,
        limits: GraphLimits | None = None,
    ) -> dict[int, Built]:
        """The graph of every task (or of these), or why there is none.

        Tasks of one world share a graph. The limits, if not the usual ones, are for new graphs.
        """
        limits = limits or self.limits
        known = self._known.setdefault(actions, {})
        missing = [
            group
            for group in self.groups
            if (tasks is None or not set(group).isdisjoint(tasks))
            and not all(n in known and _holds(known[n], limits) for n in group)
        ]
        started = time.monotonic()
        self._build(missing[:1], actions, deadline, limits)
        expected_s = (time.monotonic() - started) * len(missing[1:])
        own, *shares = self._shares(missing[1:], known, expected_s)
        with ExitStack() as stack:
            most_mb, theirs_at_most = self._worker_limits(len(shares), limits)
            until = (actions, deadline.remaining())
            helpers = [
                _asked(stack, most_mb, (self._case, theirs_at_most), until, theirs)
                for theirs in shares
            ]
            self._build(own, actions, deadline, limits)
            for helper, theirs in zip(helpers, shares, strict=True):
                answer = None if helper is None else _answer(helper)
                if answer is None:
                    self._build(theirs, actions, deadline, limits)
                else:
                    known.update(_lasting(answer))
        late = TooLarge("time", 0)
        return {
            number: known.get(number, late)
            for number in range(len(self._case.tasks))
            if tasks is None or number in tasks
        }

    def built(
        self, actions: frozenset[str] | None, seconds: float | None, tasks: Collection[int]
    ) -> dict[int, Built]:
        """The graphs of these tasks, for a process with another clock."""
        return self.graphs(actions, Deadline.after(seconds), tasks=tasks)

    def _worker_limits(self, count: int, limits: GraphLimits) -> tuple[int | None, GraphLimits]:
        """What each of so many worker processes may use, and its graphs."""
        limits = replace(limits, memory_mb=self._free_mb(limits) // (count + 1))
        if self._memory is None or not count:
            return None, limits
        each_mb = self._memory.each_of(count)
        return each_mb, replace(limits, memory_mb=min(limits.memory_mb, graphs_mb(each_mb)))

    def _free_mb(self, limits: GraphLimits) -> int:
        """What the graphs that there are leave to new ones."""
        kept = {
            id(built.graph): built.graph.kept_bytes
            for known in self._known.values()
            for built in known.values()
            if isinstance(built, TaskGraph)
        }
        return max(0, limits.memory_mb - sum(kept.values()) // 1_000_000)

    def _shares(
        self, missing: list[list[int]], known: Mapping[int, Built], expected_s: float
    ) -> list[list[list[int]]]:
        """Which graphs this process builds, and which each of the others.

        None of the others if that takes no longer than they take to start, or if graphs seem
        to be too large.
        """
        others = min(self._jobs, len(missing), int(expected_s / _WORTH_S))
        if others < 2 or any(isinstance(built, TooLarge) for built in known.values()):
            return [missing]
        return [missing[number::others] for number in range(others)]

    def _build(
        self,
        groups: Sequence[Sequence[int]],
        actions: frozenset[str] | None,
        deadline: Deadline,
        limits: GraphLimits,
    ) -> None:
        """Build graphs here, unless one of a smaller task has been too large already."""
        known = self._known[actions]
        for group in groups:
            built = self._too_large(group, actions, limits) or build_state_graph(
                self._case.domain,
                [self._case.tasks[number] for number in group],
                actions,
                replace(limits, memory_mb=self._free_mb(limits)),
                deadline,
            )
            for position, number in enumerate(group):
                at = TaskGraph(built, position) if isinstance(built, StateGraph) else built
                known.update(_lasting({number: at}))

    def _too_large(
        self, group: Sequence[int], actions: frozenset[str] | None, limits: GraphLimits
    ) -> TooLarge | None:
        """Why a graph of these tasks is expected to be too large, if it is."""
        size = self._size(group, actions)
        for number, built in self._known[actions].items():
            if not isinstance(built, TooLarge) or not _holds(built, limits):
                continue
            if self._size([number], actions) <= _ALIKE * size:
                return built
        return None

    def _size(self, group: Sequence[int], actions: frozenset[str] | None) -> int:
        """How large a task looks: the number of its ground actions."""
        names = actions_of([self._case.tasks[number] for number in group])
        return len(names if actions is None else names & actions)

    def covering(self, task: int, actions: Callable[[], frozenset[str]]) -> TaskGraph | None:
        """A graph of the task that was built already and has at least these actions.

        They are asked for only if there is no graph of all actions.
        """
        everything = self._known.get(None, {}).get(task)
        if isinstance(everything, TaskGraph):
            return everything
        for built_for, known in self._known.items():
            graph = known.get(task)
            if isinstance(graph, TaskGraph) and built_for is not None and actions() <= built_for:
                return graph
        return None


def _holds(built: Built, limits: GraphLimits) -> bool:
    """Whether that is still so under other limits: more states may be allowed now."""
    if not isinstance(built, TooLarge) or built.limit != "states":
        return True
    return built.states >= limits.states


def _asked(
    stack: ExitStack,
    memory_mb: int | None,
    store: tuple[Case, GraphLimits],
    wanted: tuple[frozenset[str] | None, float | None],
    groups: Sequence[Sequence[int]],
) -> WorkerProcess | None:
    """A worker process that builds these graphs now; None if it died, as for want of memory."""
    try:
        helper = stack.enter_context(WorkerProcess(memory_mb))
        helper.make(GraphStore, *store)
        helper.ask("built", *wanted, [number for group in groups for number in group])
    except PlancostError:
        return None
    return helper


def _answer(helper: WorkerProcess) -> dict[int, Built] | None:
    """The graphs that a worker process built; None if it died."""
    try:
        found: dict[int, Built] = helper.answer()
    except PlancostError:
        return None
    return found


def _lasting(found: Mapping[int, Built]) -> dict[int, Built]:
    """Without those that only lacked time; there may be more the next time."""
    return {
        number: built
        for number, built in found.items()
        if not (isinstance(built, TooLarge) and built.limit == "time")
    }

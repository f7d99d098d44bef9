"""Worker processes that insert plans in other orders at the same time.

Each has its own linear program and its own rows, and is told the conflicts that others
found. A conflict comes with its rows and multipliers, which are added up again here, and costs
are checked by a search of ours. Only that an alternative is a plan is taken from a worker
process as from our own search: it is the same program on the same graph. Each
order has its worker process, so the answer depends on their number but not on who is faster.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

import numpy as np

from plancost.errors import PlancostError
from plancost.learning.exact.insertion import Inserter, Pass
from plancost.learning.exact.local_search import Guide, LocalSearch
from plancost.learning.problem.cuts import Cut
from plancost.learning.problem.task import LearningTask, PlanSet
from plancost.learning.separation.on_graphs import GraphSeparator
from plancost.learning.subproblem.conflict import Conflict
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.oracles.graph_oracle import TaskGraph
from plancost.system.clock import Deadline
from plancost.system.memory import WORKER_PROCESS_MB, MemoryShares
from plancost.system.worker_process import WorkerProcess


@dataclass(frozen=True)
class Errand:
    """What one worker process is to do: insert plans in these orders, then search from a set."""

    orders: Sequence[Sequence[int]]
    start: PlanSet
    better_than: int
    """Costs are wanted for sets that weigh more."""
    guide: Guide | None = None


@dataclass(frozen=True)
class Report:
    """A worker process's pass, and the rows that its conflicts rest on."""

    found: Pass
    cuts_of: list[Cut]


class WorkerPool:
    """As many worker processes as asked for; with none it does nothing."""

    def __init__(
        self,
        subproblem: Subproblem,
        graphs: Mapping[int, TaskGraph],
        count: int,
        memory: MemoryShares | None = None,
    ) -> None:
        self._subproblem = subproblem
        self._graphs = graphs
        if count and memory is not None:
            count = memory.fitting(count, WORKER_PROCESS_MB, least=0)
        self._count = count
        self._most_mb = memory.each_of(count) if count and memory is not None else None
        self._stack = ExitStack()
        self._workers: list[WorkerProcess] = []
        self._told = 0
        self._busy: list[WorkerProcess] = []

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def __len__(self) -> int:
        return self._count

    def start(
        self,
        errands: Sequence[Errand],
        conflicts: Sequence[Conflict],
        deadline: Deadline,
    ) -> None:
        """Send every process on its errand, with the conflicts known by now."""
        news = [conflict.classes for conflict in conflicts[self._told :]]
        self._told = len(conflicts)
        try:
            if not self._workers and self._count:
                self._begin()
            for worker, errand in zip(self._workers, errands, strict=True):
                worker.ask("run", errand, news, deadline.remaining())
                self._busy.append(worker)
        except PlancostError:
            self._disband()

    def collect(self, deadline: Deadline) -> list[Pass]:
        """Wait for the worker processes, and check what they found."""
        try:
            answers: list[list[Report]] = [worker.answer() for worker in self._busy]
        except PlancostError:
            self._disband()
            return []
        self._busy.clear()
        return [self._checked(report, deadline) for reports in answers for report in reports]

    def _begin(self) -> None:
        self._workers = [
            self._stack.enter_context(WorkerProcess(self._most_mb)) for _ in range(self._count)
        ]
        for worker in self._workers:
            worker.make(_Member, self._subproblem.task, self._graphs, self._subproblem.start)

    def _disband(self) -> None:
        """Go on alone: one that died, perhaps for want of memory, is not started again."""
        self._stack.close()
        self._workers.clear()
        self._busy.clear()
        self._count = 0

    def _checked(self, report: Report, deadline: Deadline) -> Pass:
        for cut in report.cuts_of:
            self._subproblem.add(cut)
        proved = []
        for conflict in report.found.conflicts:
            if conflict.certificate is not None:
                rows, multipliers = conflict.certificate.rows, conflict.certificate.multipliers
                proved.append(self._subproblem.prove(rows, multipliers))
        answer = report.found.answer
        if answer is not None and not self._subproblem.check(answer[1], answer[0], deadline):
            answer = None
        return Pass(answer, [conflict for conflict in proved if conflict is not None])


class _Member:
    """What a worker process holds."""

    def __init__(
        self, task: LearningTask, graphs: Mapping[int, TaskGraph], start: np.ndarray
    ) -> None:
        separator = GraphSeparator(task, graphs)
        self._subproblem = Subproblem(
            task, task.deciding_actions, separator, prices_out=task.prices_out
        )
        self._subproblem.start = start
        self._inserter = Inserter(self._subproblem)

    def run(
        self, errand: Errand, news: list[tuple[PlanSet, ...]], seconds: float | None
    ) -> list[Report]:
        for classes in news:
            self._inserter.learn(Conflict(classes, None))
        deadline = Deadline.after(seconds)
        best = errand.better_than
        reports = []
        for order in errand.orders:
            found = self._inserter.insert(order, deadline, best)
            if found.answer is not None:
                best = self._subproblem.task.weight(found.chosen)
            reports.append(self._report(found))
        if errand.guide is not None:
            search = LocalSearch(self._inserter, errand.guide, deadline)
            reports.append(self._report(search.improve(errand.start, best)))
        return reports

    def _report(self, found: Pass) -> Report:
        rows = {
            row: None
            for conflict in found.conflicts
            if conflict.certificate is not None
            for row in conflict.certificate.rows
        }
        return Report(
            found,
            [
                Cut(owner, row, self._subproblem.alternative(owner, row))
                for row in rows
                if row not in self._subproblem.given
                for owner in sorted(self._subproblem.inducing_plans(row))
            ],
        )

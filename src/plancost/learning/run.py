"""One run of learning or checking: what stays the same from its first step to its last.

A `Run` holds the options, the oracles, the deadline and those who are told about progress.
Functions take it and what is their own. A part of the run with less time is the same run with an
earlier deadline.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial

from plancost.learning.problem.options import LearnOptions
from plancost.learning.subproblem.earlier import Earlier
from plancost.observations.case import Case
from plancost.observations.planfile import Plan
from plancost.observations.replay import replay
from plancost.oracles.graph_store import GraphStore
from plancost.oracles.planner_oracle import PlannerOracle
from plancost.oracles.portfolio import PlannerPortfolio
from plancost.system.clock import Deadline, Stopwatch
from plancost.system.executors import Executor, LocalExecutor
from plancost.system.progress import Progress, no_progress


@dataclass(frozen=True)
class Oracles:
    """State graphs and planners, shared by learning and checking; both remember what they found.

    The planners run where the executor says; the graphs are always here.
    """

    graphs: GraphStore
    planners: PlannerPortfolio
    planner_oracle: PlannerOracle
    executor: Executor = LocalExecutor()  # noqa: RUF009 (frozen)

    @classmethod
    def of(cls, case: Case, options: LearnOptions, executor: Executor | None = None) -> Oracles:
        """The oracles for a case; None: on this machine."""
        executor = executor or LocalExecutor.within(options.jobs, options.memory)
        only = None if options.oracle.uses_graphs else options.oracle.value
        known = [
            [case.observations[member].plan for member in members]
            for members in case.observations_of_task
        ]
        planners = PlannerPortfolio(case.tasks, options.memory_limit_mb, only, executor, known)
        graphs = GraphStore(case, options.graph_limits, options.jobs, options.memory)
        return cls(graphs, planners, PlannerOracle(planners), executor)


@dataclass(frozen=True)
class Run:
    """Options, oracles, time and progress of one run on one case."""

    options: LearnOptions
    oracles: Oracles
    deadline: Deadline = Deadline()  # noqa: RUF009 (frozen)
    progress: Progress = no_progress
    stopwatch: Stopwatch = field(default_factory=Stopwatch)
    known_plans: Mapping[str, Iterable[Plan]] = field(default_factory=dict)
    """Other plans of tasks (by `Task.key`) that were met before."""
    earlier: Earlier = Earlier()  # noqa: RUF009 (frozen)
    """What earlier questions about the same plans have found."""
    ends: Deadline = Deadline()  # noqa: RUF009 (frozen)
    """When checking what was learned must have ended too."""

    @classmethod
    def of(cls, case: Case, options: LearnOptions, deadline: Deadline | None = None) -> Run:
        """A run on this machine; None: without a time limit."""
        return cls(options, Oracles.of(case, options), deadline or Deadline())

    @property
    def executor(self) -> Executor:
        """Where planners run."""
        return self.oracles.executor

    def until(self, deadline: Deadline) -> Run:
        """The same run with another deadline."""
        return replace(self, deadline=deadline)

    def share(self, part: float) -> Run:
        """The same run with this part of the time that is left."""
        return self.until(self.deadline.share(part))

    def on(self, case: Case) -> Run:
        """The same run on another case, with oracles of its own."""
        return replace(self, oracles=Oracles.of(case, self.options, self.executor))

    def progress_of(self, stage: str) -> partial[None]:
        """Who is told about the progress of one stage."""
        return partial(self.progress, stage)

    def valid_plans(self, case: Case) -> list[list[Plan]]:
        """For each task the known plans that solve it: nothing else may become a row."""
        return [
            [
                plan
                for plan in dict.fromkeys(self.known_plans.get(task.key, ()))
                if replay(task.sas, plan).is_valid
            ]
            for task in case.tasks
        ]

    @contextmanager
    def lap(self, stage: str) -> Iterator[None]:
        """A block whose time is counted under this name."""
        try:
            yield
        finally:
            self.stopwatch.lap(stage)

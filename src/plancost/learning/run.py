"""What looks for cheaper plans, shared by learning and checking in one run."""

from __future__ import annotations

from dataclasses import dataclass

from plancost.learning.problem.options import LearnOptions, OracleName
from plancost.observations.case import Case
from plancost.oracles.graph_store import GraphStore
from plancost.oracles.planner_oracle import PlannerOracle
from plancost.oracles.portfolio import PlannerPortfolio
from plancost.system.executors import Executor, LocalExecutor


@dataclass(frozen=True)
class Oracles:
    """State graphs and planners; both remember what they have found.

    The planners run where the executor says; the graphs are always here.
    """

    graphs: GraphStore
    planners: PlannerPortfolio
    planner_oracle: PlannerOracle
    executor: Executor = LocalExecutor()  # noqa: RUF009 (frozen)

    @classmethod
    def of(cls, case: Case, options: LearnOptions, executor: Executor | None = None) -> Oracles:
        """The searchers for a case; None: on this machine."""
        executor = executor or LocalExecutor.within(options.jobs, options.memory)
        only = None
        if options.oracle in (OracleName.FAST_DOWNWARD, OracleName.SYMK):
            only = options.oracle.value
        known = [
            [case.observations[member].plan for member in members]
            for members in case.observations_of_task
        ]
        planners = PlannerPortfolio(case.tasks, options.memory_limit_mb, only, executor, known)
        graphs = GraphStore(case, options.graph_limits, options.jobs, options.memory)
        return cls(graphs, planners, PlannerOracle(planners, known), executor)

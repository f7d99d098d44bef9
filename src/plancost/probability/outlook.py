"""Plans of one task under many samples of costs: how probably is each optimal, and at what regret?

A plan is *optimal* under a sample if no plan is cheaper, up to what rounding can change. Its
*regret* is its cost over the optimal cost, 1 where it is optimal. The share of the samples and
the mean over them are the probability and the expected regret. Of plans with the same actions in
another order one stands for all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from plancost.learning.problem.options import LearnOptions
from plancost.learning.run import Run
from plancost.learning.verify.oracle import CheckOracle
from plancost.observations.case import Case
from plancost.observations.planfile import Plan
from plancost.oracles.graph_oracle import TaskGraph
from plancost.oracles.oracle import Answer
from plancost.probability.sampled_costs import Numbers, SampledCosts
from plancost.system.clock import Deadline
from plancost.system.progress import Progress, no_progress
from plancost.system.schedule import SCHEDULE


@dataclass(frozen=True)
class Outlook:
    """What samples say of one task; each of them was searched to the end.

    The first plan is the one to predict: the cheapest under the mean of the samples.
    """

    plans: tuple[Plan, ...]
    costs: Numbers
    """A row for each plan, a column for each sample that was searched."""
    best: Numbers
    """The plan that a search found for each of these samples."""
    unit: float = 1.0
    """What a cost of 1 is in these costs."""

    @property
    def searched(self) -> int:
        """How many samples were searched in time."""
        return len(self.best)

    @cached_property
    def optimal_costs(self) -> Numbers:
        """The cost of the optimum under each sample."""
        found: Numbers = self.costs[self.best, np.arange(self.searched)]
        return found

    @cached_property
    def optimal(self) -> npt.NDArray[np.bool_]:
        """Whether each plan is optimal under each sample."""
        steps = np.array([len(plan) for plan in self.plans])
        rounding = steps[:, None] + steps[self.best]
        found: npt.NDArray[np.bool_] = self.costs - self.optimal_costs <= rounding
        return found

    @cached_property
    def regrets(self) -> npt.NDArray[np.float64]:
        """Cost over optimal cost, of each plan under each sample."""
        above = (self.costs - self.optimal_costs) / np.maximum(self.unit, self.optimal_costs)
        return np.where(self.optimal, 1.0, 1.0 + above)

    def probability(self, plan: int = 0) -> float | None:
        """The share of the samples under which a plan is optimal; None: none was searched."""
        return float(self.optimal[plan].mean()) if self.searched else None

    def expected_regret(self, plan: int = 0) -> float | None:
        """The mean regret of a plan over the samples; None: none was searched."""
        return float(self.regrets[plan].mean()) if self.searched else None

    def number(self, plan: Plan) -> int:
        """Which of the plans has these actions, in any order."""
        return [_actions(known) for known in self.plans].index(_actions(plan))


def _actions(plan: Plan) -> tuple[str, ...]:
    return tuple(sorted(plan))


class Searcher:
    """Cheapest plans of tasks under any costs: on state graphs where they fit, else by planners.

    The case need not have an observed plan of each task.
    """

    def __init__(self, run: Run, case: Case) -> None:
        self._run = run
        options, built = run.options, {}
        if options.oracle.uses_graphs:
            until = run.deadline.share(SCHEDULE.graphs_for_checking)
            built = run.oracles.graphs.graphs(None, until)
        graphs = {number: at for number, at in built.items() if isinstance(at, TaskGraph)}
        self._by_planners = set(range(len(case.tasks))) - graphs.keys()
        self._oracle = CheckOracle(graphs, run.oracles.planner_oracle, options.jobs)

    @classmethod
    def of(cls, case: Case, options: LearnOptions, deadline: Deadline) -> Searcher:
        """With oracles of its own."""
        return cls(Run.of(case, options, deadline), case)

    def cheapest(self, task: int, costs: Mapping[str, int], deadline: Deadline) -> Answer:
        """The cheapest plan of a task; proven without a plan: there is none."""
        planners = self._run.oracles.planners
        if task in self._by_planners and not planners.found(task):
            until = deadline.within(SCHEDULE.first_plan_s)
            if planners.first_plan(task, costs, until) is None:
                return Answer(None, None, proven=False)
        return self._oracle.cheapest(task, costs, deadline)


class _Pool:
    """The plans of a task, one for each multiset of actions, and what was found."""

    def __init__(self) -> None:
        self.plans: list[Plan] = []
        self._known: dict[tuple[str, ...], int] = {}
        self.best: list[int] = []
        self.is_open = True
        """Whether searches for this task have come to their ends so far."""

    def add(self, plan: Plan) -> int:
        key = _actions(plan)
        if key not in self._known:
            self._known[key] = len(self.plans)
            self.plans.append(plan)
        return self._known[key]

    def take(self, answer: Answer) -> None:
        """What a search found for the next sample."""
        if answer.proven and answer.plan is not None:
            self.best.append(self.add(answer.plan))
        else:
            self.is_open = False

    def outlook(self, costs: SampledCosts) -> Outlook:
        searched = len(self.best)
        rows = [costs.of_plan(plan)[:searched] for plan in self.plans]
        table = np.array(rows, dtype=np.int64).reshape(len(self.plans), searched)
        return Outlook(tuple(self.plans), table, np.array(self.best, dtype=np.int64), costs.unit)


def outlooks(
    searcher: Searcher,
    tasks: Sequence[int],
    costs: SampledCosts,
    deadline: Deadline,
    *,
    plans: Mapping[int, Iterable[Plan]] | None = None,
    progress: Progress = no_progress,
) -> list[Outlook]:
    """The outlook of each of these tasks, and of these `plans` of them.

    Samples are searched in their order, all tasks under one before the next. When the time is
    up, what was searched by then counts: samples are as probable as each other, so the first of
    them say the same, less exactly.
    """
    pools = {task: _Pool() for task in tasks}
    for task, pool in pools.items():
        answer = searcher.cheapest(task, costs.mean, deadline)
        pool.is_open = answer.proven and answer.plan is not None
        if answer.plan is not None:
            pool.add(answer.plan)
        for plan in (plans or {}).get(task, ()):
            pool.add(plan)
    for number in range(costs.count):
        progress("samples", number, costs.count)
        asked = [task for task, pool in pools.items() if pool.is_open]
        if deadline.is_over or not asked:
            break
        sample = costs.sample(number)
        for task in asked:
            pools[task].take(searcher.cheapest(task, sample, deadline))
    progress("samples", costs.count, costs.count)
    return [pools[task].outlook(costs) for task in tasks]

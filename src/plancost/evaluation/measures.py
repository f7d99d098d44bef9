"""What costs say about a plan: is it optimal, how expensive is it, and what is predicted instead?

*Optimal*: no plan of the task costs less. *Regret*: what the plan costs over what the optimum
costs, both under the same costs; 1 is optimal. *Overlap*: the actions of the predicted plan
(the cheapest one that the oracle returns) against those of the observed plan, as multisets:
F1 = 2 · common / (steps of one + steps of the other), between 0 and 1. Second costs, if there are
any, say which of the cheapest plans is predicted: the one for which they are least.

The optimum is found by search, by the same oracles that check what was learned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from plancost.learning.problem.concept import Concept
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Run
from plancost.learning.verify.oracle import oracle_for
from plancost.observations.case import Case
from plancost.observations.planfile import Plan, plan_cost
from plancost.oracles.oracle import Answer
from plancost.system.clock import Deadline

CostOf = Callable[[str], int]
_FIRST = 10**7
"""Of equally cheap plans the one with the least second cost is predicted: costs count so much more
than second costs. A plan whose second cost is larger may not be found; any cheapest one does then.
"""


@dataclass(frozen=True)
class Measure:
    """One observed plan under some costs. None: the search could not finish in time."""

    observation: int
    cost: int
    optimal_cost: int | None = None
    predicted: Plan | None = None
    overlap: float | None = None

    @property
    def optimal(self) -> bool | None:
        """Whether no plan of the task costs less."""
        return None if self.optimal_cost is None else self.cost == self.optimal_cost

    @property
    def regret(self) -> float | None:
        """Its cost over the optimal cost."""
        return None if self.optimal_cost is None else regret(self.cost, self.optimal_cost)


def regret(cost: int, optimal_cost: int) -> float:
    """Cost over optimal cost; where the optimum is to do nothing, 1 more than the cost."""
    return 1.0 + (cost - optimal_cost) / max(1, optimal_cost)


def overlap(one: Plan, other: Plan) -> float:
    """F1 of two plans as multisets of actions; 1 if both are empty."""
    if not one and not other:
        return 1.0
    common = sum((Counter(one) & Counter(other)).values())
    return 2 * common / (len(one) + len(other))


class Measurer:
    """Measures observations of one case under any costs, with graphs that are built once."""

    def __init__(self, case: Case, options: LearnOptions, deadline: Deadline | None = None) -> None:
        self._task = LearningTask(case, Concept(), None)
        self._options = options
        self.run = Run.of(case, options)
        if options.oracle.uses_graphs:
            limit = deadline or Deadline.after(options.time_limit_s)
            self.run.oracles.graphs.graphs(None, limit)

    @property
    def case(self) -> Case:
        """What is measured."""
        return self._task.case

    def measure(
        self,
        cost_of: CostOf,
        observations: Iterable[int],
        deadline: Deadline | None = None,
        second: CostOf | None = None,
    ) -> list[Measure]:
        """The measures of these observations, in their order."""
        case = self.case
        deadline = deadline or Deadline.after(self._options.time_limit_s)
        numbers = list(observations)
        tasks = sorted({case.observations[number].task for number in numbers})
        costs = {name: cost_of(name) for name in case.actions}
        answers = self._cheapest(costs, tasks, deadline)
        if second is not None:
            both = {name: _FIRST * cost + second(name) for name, cost in costs.items()}
            for task, other in self._cheapest(both, tasks, deadline).items():
                if other.plan is not None and plan_cost(other.plan, costs) == answers[task].cost:
                    answers[task] = replace(answers[task], plan=other.plan)
        found = []
        for number in numbers:
            observation = case.observations[number]
            best = answers[observation.task]
            measure = Measure(number, plan_cost(observation.plan, costs))
            if best.proven and best.plan is not None:
                common = overlap(best.plan, observation.plan)
                measure = replace(
                    measure, optimal_cost=best.cost, predicted=best.plan, overlap=common
                )
            found.append(measure)
        return found

    def _cheapest(
        self, costs: dict[str, int], tasks: Sequence[int], deadline: Deadline
    ) -> dict[int, Answer]:
        """The cheapest plan of each task."""
        run = self.run.until(deadline)
        oracle = oracle_for(run, self._task, tuple(map(costs.__getitem__, self.case.actions)))
        return {
            task: oracle.cheapest(task, costs, deadline.share(1 / (len(tasks) - done)))
            for done, task in enumerate(tasks)
        }

    def regrets(
        self, cost_of: CostOf, observations: Iterable[int], deadline: Deadline
    ) -> list[float]:
        """Those that were found in time, each as often as its plan was observed."""
        case = self.case
        return [
            measure.regret
            for measure in self.measure(cost_of, observations, deadline)
            if measure.regret is not None
            for _ in range(case.observations[measure.observation].count)
        ]

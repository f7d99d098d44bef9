"""Learning by planners alone, with planners that know all plans: the same optima.

The stand-ins answer as vaguely as real planners may: any plan below the bound, any plan
outside the allowed set.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.learning.exact.strategy import learn_exactly
from plancost.learning.incumbent import Incumbent
from plancost.learning.problem.options import LearnOptions, OracleName
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Oracles, Run
from plancost.learning.verify.verification import check_costs
from plancost.observations.planfile import Plan
from plancost.oracles.graph_store import GraphStore
from plancost.oracles.oracle import Allowed, Answer
from plancost.oracles.planner_oracle import PlannerOracle
from plancost.oracles.portfolio import Below, PlannerPortfolio
from plancost.system.clock import Deadline
from support.learned import weight_under
from support.small_tasks import learning_tasks

Example = tuple[LearningTask, list[list[Plan]]]


def cost_of(plan: Plan, costs: Mapping[str, int]) -> int:
    return sum(costs[name] for name in plan)


class AnyPlan(PlannerPortfolio):
    """Any plan below the bound; now and then it gives up."""

    def __init__(self, plans: Sequence[Sequence[Plan]], random: Random, failures: float) -> None:
        self._plans = plans
        self._random = random
        self._failures = failures

    def below(
        self,
        task: int,
        costs: Mapping[str, int],
        bound: int,
        deadline: Deadline,
        actions: frozenset[str] | None = None,
    ) -> Below:
        if self._random.random() < self._failures:
            return Below(None, proven=False)
        found = [
            plan
            for plan in self._plans[task]
            if cost_of(plan, costs) < bound and (actions is None or actions.issuperset(plan))
        ]
        return Below(self._random.choice(found) if found else None, proven=True)

    def optimum(self, task: int, costs: Mapping[str, int]) -> Plan:
        return min(self._plans[task], key=lambda plan: cost_of(plan, costs))

    def outside(
        self, task: int, costs: Mapping[str, int], allowed: Allowed, cost: int
    ) -> Plan | None:
        found = [
            plan
            for plan in self._plans[task]
            if cost_of(plan, costs) <= cost and not allowed.contains(plan)
        ]
        return self._random.choice(found) if found else None


class AnyOracle(PlannerOracle):
    """The questions of the check, answered from the list."""

    def __init__(self, search: AnyPlan) -> None:
        self._list = search

    def cheapest(self, task: int, costs: Mapping[str, int], deadline: Deadline) -> Answer:
        plan = self._list.optimum(task, costs)
        return Answer(plan, cost_of(plan, costs), proven=True)

    def outside(
        self, task: int, costs: Mapping[str, int], allowed: Allowed, cost: int, deadline: Deadline
    ) -> Answer:
        plan = self._list.outside(task, costs, allowed, cost)
        return Answer(plan, None if plan is None else cost_of(plan, costs), proven=True)


def learned(
    task: LearningTask, plans: list[list[Plan]], seed: int, failures: float = 0.0
) -> tuple[Incumbent, Oracles]:
    options = LearnOptions(task.concept, oracle=OracleName.FAST_DOWNWARD)
    search = AnyPlan(plans, Random(seed), failures)
    searchers = Oracles(GraphStore(task.case, options.graph_limits), search, AnyOracle(search))
    answer = Incumbent.baseline(task)
    learn_exactly(Run(options, searchers, Deadline()), task, answer)
    return answer, searchers


@settings(max_examples=150, deadline=None)
@given(learning_tasks(), st.integers(0, 99))
def test_planners_and_graphs_learn_the_same(example: Example, seed: int) -> None:
    task, plans = example
    answer, searchers = learned(task, plans, seed)
    by_graphs, options = Incumbent.baseline(task), LearnOptions(task.concept)
    graphs = Oracles.of(task.case, options)
    learn_exactly(Run(options, graphs, Deadline()), task, by_graphs)
    assert answer.upper_bound == answer.weight == by_graphs.upper_bound
    assert answer.weight == weight_under(task, answer.costs, plans)
    assert task.secondary(answer.costs) == answer.secondary_bound == by_graphs.secondary_bound
    assert answer.costs == by_graphs.costs, "the tie-break does not depend on who searched"
    verdicts = check_costs(Run(options, graphs), task, answer.costs, searchers.planner_oracle)
    confirmed = sum(
        observation.count
        for observation, verdict in zip(task.case.observations, verdicts, strict=True)
        if verdict.optimal
    )
    assert confirmed == answer.weight


@settings(max_examples=100, deadline=None)
@given(learning_tasks(), st.integers(0, 99))
def test_planners_that_give_up_cost_proofs_but_nothing_else(example: Example, seed: int) -> None:
    task, plans = example
    answer, _ = learned(task, plans, seed, failures=0.3)
    best, _ = learned(task, plans, seed)
    assert answer.weight <= weight_under(task, answer.costs, plans)
    assert answer.upper_bound >= best.upper_bound
    if weight_under(task, answer.costs, plans) == best.upper_bound:
        assert answer.secondary_bound <= best.secondary_bound <= task.secondary(answer.costs)

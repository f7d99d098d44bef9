"""Explanations, checked again with nothing of the learner's: plans, definitions and an LP."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.optimize import linprog

from plancost.api.learn import learn
from plancost.learning.diagnose.explanations import Reason, explain
from plancost.learning.exact.insertion import Inserter
from plancost.learning.exact.subproblems import first_subproblem
from plancost.learning.problem.concept import Concept, Reorderings, Solution, Ties
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.task import LearningTask, PlanSet
from plancost.learning.run import Run
from plancost.learning.subproblem.conflict import Conflict, Possible, Undecided
from plancost.observations.case import Observation
from plancost.observations.planfile import Plan
from plancost.observations.replay import replay
from plancost.results.result import ExplanationKeys, Inequality, Result
from plancost.system.clock import Deadline
from support.small_tasks import learning_tasks

Example = tuple[LearningTask, list[list[Plan]]]
Demand = tuple[Counter[str], int]
"""Signed counts of actions and a margin: their cost and the margin are at most 0."""


def can_hold(task: LearningTask, demands: Iterable[Demand]) -> bool:
    """Whether some costs of at least 1 meet all demands, by SciPy's linear programming."""
    listed = list(demands)
    names = task.case.actions
    matrix = np.array([[counts[name] for name in names] for counts, _ in listed], dtype=float)
    limits = [-margin for _, margin in listed]
    if not listed:
        return True
    found = linprog(
        np.zeros(len(names)), A_ub=matrix, b_ub=limits, bounds=(1, None), method="highs-ds"
    )
    assert found.status in (0, 2), found.message
    return bool(found.status == 0)


def demands_of(
    task: LearningTask, observation: Observation, plans: Sequence[Plan]
) -> Iterable[Demand]:
    """What the definitions demand for a plan to be optimal, from all plans of its task."""
    concept = task.concept
    tolerated = [observation.plan]
    if concept.ties is Ties.OBSERVED:
        tolerated += [o.plan for o in task.case.observations if o.task == observation.task]
    for plan in plans:
        same = plan in tolerated
        if concept.reorderings is Reorderings.SAME:
            same = any(Counter(plan) == Counter(other) for other in tolerated)
        difference = Counter(observation.plan)
        difference.subtract(plan)
        yield difference, int(concept.is_strict and not same)


def result_of(task: LearningTask) -> Result:
    return learn(task.case, LearnOptions(task.concept))


@settings(max_examples=150, deadline=None)
@given(learning_tasks())
def test_every_reason_can_be_checked(example: Example) -> None:
    task, plans = example
    task = LearningTask(task.case, task.concept, None)
    result = result_of(task)
    by_file = {str(o.plan_file): o for o in task.case.observations}
    for item in result.observations:
        if item.optimal:
            assert item.explanation is None
            continue
        observation = by_file[item.plan]
        assert item.explanation is not None
        reason = item.explanation["reason"]
        assert reason in ("redundant", "never optimal", "in conflict")
        certificate = item.explanation["certificate"]
        for argument in certificate:
            check_argument(task, by_file[argument["plan"]], argument)
        assert not can_hold(task, map(demand_of, certificate)), "the certificate is a proof"
        members = [item.plan]
        if reason == "in conflict":
            members = item.explanation["plans"]
            assert len(members) > 1
        identities = {identity(by_file[member]) for member in members}
        assert item.plan in members
        assert {identity(by_file[argument["plan"]]) for argument in certificate} <= identities
        # By the definitions: all of them together cannot be optimal, any fewer can.
        everything = {
            member: list(demands_of(task, by_file[member], plans[by_file[member].task]))
            for member in members
        }
        assert not can_hold(task, [d for demands in everything.values() for d in demands])
        for left_out in members if len(members) > 1 else ():
            rest = [d for member in members if member != left_out for d in everything[member]]
            assert can_hold(task, rest), "none of the plans in conflict can be spared"
        if reason == "redundant":
            check_redundant(task, observation, item.explanation)


@settings(max_examples=50, deadline=None)
@given(learning_tasks())
def test_conflicts_that_are_known_are_not_looked_for_again(example: Example) -> None:
    """A question about all plans that are optimal takes long where they are many."""
    task, _ = example
    subproblem = first_subproblem(Run.of(task.case, LearnOptions(task.concept)), task)
    everyone = range(len(task.candidates))
    chosen = Inserter(subproblem).insert(everyone, Deadline(), 0).chosen
    asked: list[PlanSet] = []
    decide = subproblem.decide

    def noted(plans: PlanSet, deadline: Deadline) -> Possible | Conflict | Undecided:
        asked.append(plans)
        return decide(plans, deadline)

    known = [
        number
        for number in everyone
        if number not in chosen
        and any(conflict.contains(chosen | {number}) for conflict in subproblem.proofs)
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subproblem, "decide", noted)
        found = explain(subproblem, chosen, known, Deadline())
    assert all(found[number].reason is not Reason.NOT_PROVEN for number in known)
    assert not {chosen | {number} for number in known}.intersection(asked)


def identity(observation: Observation) -> tuple[int, Plan]:
    """Copies of a plan cost the same."""
    return observation.task, tuple(sorted(observation.plan))


def demand_of(argument: Inequality) -> Demand:
    counts = Counter(argument["plan_only"])
    counts.subtract(argument["alternative_only"])
    return counts, int(argument["strict"])


def check_argument(task: LearningTask, observation: Observation, argument: Inequality) -> None:
    """The alternative is a plan of the same task, and the demand is the difference."""
    alternative = tuple(argument["alternative"])
    assert replay(task.case.tasks[observation.task].sas, alternative).is_valid
    own, other = Counter(observation.plan), Counter(alternative)
    assert Counter(argument["plan_only"]) == own - other
    assert Counter(argument["alternative_only"]) == other - own
    assert argument["times"] >= 1
    assert not argument["strict"] or task.concept.is_strict


def check_redundant(
    task: LearningTask, observation: Observation, explanation: ExplanationKeys
) -> None:
    (argument,) = explanation["certificate"]
    steps = [step - 1 for step in explanation["redundant_steps"]]
    assert steps and explanation["redundant"] == [observation.plan[step] for step in steps]
    rest = [name for step, name in enumerate(observation.plan) if step not in steps]
    assert argument["alternative"] == rest


@settings(max_examples=150, deadline=None)
@given(learning_tasks())
def test_rivals_are_cheaper_plans(example: Example) -> None:
    task, _ = example
    task = LearningTask(task.case, task.concept, None)
    result = result_of(task)
    for observation, item in zip(task.case.observations, result.observations, strict=True):
        if item.optimal:
            assert item.rival is None
            continue
        assert item.rival is not None
        assert item.optimal_cost is not None
        assert replay(task.case.tasks[observation.task].sas, item.rival).is_valid
        cost = sum(result.costs[name] for name in item.rival)
        assert cost == item.optimal_cost <= item.cost
        assert cost < item.cost or task.concept.is_strict


@settings(max_examples=80, deadline=None)
@given(learning_tasks())
def test_the_conflict_of_ideal_costs_that_do_not_exist(example: Example) -> None:
    task, plans = example
    strict = task.concept.is_strict
    concept = Concept(Solution.ICF, strict, task.concept.reorderings, task.concept.ties)
    task = LearningTask(task.case, concept, None)
    result = result_of(task)
    by_file = {str(o.plan_file): o for o in task.case.observations}
    everything = [
        demand for o in task.case.observations for demand in demands_of(task, o, plans[o.task])
    ]
    assert result.exists is can_hold(task, everything)
    if not result.exists:
        members = [by_file[name] for name in result.conflict]
        assert members
        rows = [demand for o in members for demand in demands_of(task, o, plans[o.task])]
        assert not can_hold(task, rows)


def test_example_1(example_1: Path) -> None:
    """A-C-B and A-B-C: each would need the shorter way of the other to cost nothing."""
    result = learn(example_1, LearnOptions())
    (lost,) = [item for item in result.observations if not item.optimal]
    assert lost.explanation is not None
    assert lost.explanation["reason"] == "in conflict"
    assert sorted(lost.explanation["plans"]) == ["p1.plan", "p2.plan"]


def test_example_2(example_2: Path) -> None:
    (item,) = learn(example_2, LearnOptions()).observations
    assert item.explanation is not None
    assert item.explanation["reason"] == "redundant"
    assert item.explanation["redundant"] == ["(unstack d c)", "(putdown d)"]

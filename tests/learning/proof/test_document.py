"""Proofs of random small tasks, checked by the checker and against brute force."""

from __future__ import annotations

import contextlib
import copy
import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.cli import check_proof
from plancost.errors import UsageError
from plancost.learning.exact.required_plans import RequiredPlansError
from plancost.learning.incumbent import Incumbent
from plancost.learning.problem.concept import Concept, Solution, Ties
from plancost.learning.problem.cost_model import CostModel
from plancost.learning.problem.plan_cost_constraints import PlanCostConstraint, least_deviation
from plancost.learning.problem.task import LearningTask
from plancost.learning.proof.document import proof_of, refuse_proof
from plancost.observations.case import Case, Observation, Task
from plancost.observations.files import ObservedFile
from plancost.observations.planfile import Plan
from plancost.observations.sas import Effect, Operator, SasTask, Variable, sas_text
from plancost.system.clock import Deadline
from support.brute_force import is_optimal
from support.factor_tasks import factor_tasks
from support.learned import learned
from support.linear_tasks import linear_tasks
from support.small_tasks import DOMAIN, PROBLEM, few_copies, learning_tasks

Example = tuple[LearningTask, list[list[Plan]]]


def result_of(task: LearningTask, answer: Incumbent, plans: list[list[Plan]]) -> dict[str, Any]:
    """What RESULT.json says, as far as a proof is about it."""
    named = task.named(answer.costs)
    observations: list[dict[str, Any]] = [
        {
            "problem": str(item.source.problem),
            "plan": str(item.source.plan),
            "count": item.count,
            "optimal": is_optimal(task, number, tuple(named.values()), plans[item.task]),
            "suboptimality": str(task.factor(number)),
        }
        for number, item in enumerate(task.case.observations)
    ]
    optimal = sum(item["count"] for item in observations if item["optimal"])
    value = task.secondary(answer.costs)
    initial = task.initial_costs
    names = task.case.actions
    return {
        "strict": task.concept.is_strict,
        "options": {
            "reorderings": task.concept.reorderings.value,
            "ties": task.concept.ties.value,
            "require": [str(task.case.observations[n].source.plan) for n in sorted(task.required)],
        },
        "optimal_plans": optimal,
        "upper_bound": answer.most_plans,
        "proved": optimal == answer.most_plans,
        "secondary": {
            "value": value,
            "lower_bound": answer.secondary_bound,
            "proved": value == answer.secondary_bound,
        },
        "costs": named,
        "initial_costs": None if initial is None else dict(zip(names, initial, strict=True)),
        "observations": observations,
    }


class InMemory:
    """Grounded tasks and plans in place of files."""

    def __init__(self, task: LearningTask) -> None:
        costs = dict.fromkeys(task.case.actions, 1)
        observations = task.case.observations
        self.tasks = {
            str(item.source.problem): sas_text(task.case.tasks[item.task].sas, costs)
            for item in observations
        }
        self.plans = {str(item.source.plan): item.plan for item in observations}

    def check(self, result: dict[str, Any], proof: dict[str, Any]) -> list[str]:
        """What the checker says; it raises what it finds wrong."""
        proof = json.loads(json.dumps(proof))
        tasks = {text: check_proof.Task(name, text) for name, text in self.tasks.items()}
        own = [tasks[self.tasks[item["problem"]]] for item in result["observations"]]
        plans = [self.plans[item["plan"]] for item in result["observations"]]
        said: list[str] = []
        check_proof.Proof(result, proof, own, plans).check(said)
        return said


@st.composite
def questions(draw: st.DrawFn) -> Example:
    """Concepts, factors, bounds, shared and known costs (missed or not), required plans."""
    task, plans = draw(st.one_of(learning_tasks(5), factor_tasks()))
    if draw(st.integers(0, 2)) == 0:
        names = [f"(c{draw(st.integers(0, 3))} *)" for _ in task.case.actions]
        task = replace(task, ranges=None, composition=CostModel.by_names(names))
    if draw(st.integers(0, 2)) == 0:
        costs = [draw(st.integers(t.least, t.greatest or t.least + 3)) for t in task.terms]
        chosen = [n for n in range(len(task.case.observations)) if draw(st.booleans())]
        task = replace(task, known=tuple(known(task, n, costs, draw(SLACKS)) for n in chosen))
        if draw(st.booleans()):
            task = missed(few_copies(task), draw(st.integers(0, 3)))
    if draw(st.integers(0, 2)) == 0:
        numbers = range(len(task.case.observations))
        required = draw(st.frozensets(st.sampled_from(numbers), min_size=1, max_size=2))
        with contextlib.suppress(RequiredPlansError):
            learned(replace(task, required=required))
            task = replace(task, required=required)
    return task, plans


def missed(task: LearningTask, by: int) -> LearningTask:
    """Soft known costs, shifted so that some may have to be missed."""
    shifted = tuple(
        replace(
            item,
            count=task.case.observations[item.observation].count,
            least=item.least + by,
            greatest=item.greatest + by,
        )
        for item in task.known
    )
    least = least_deviation(shifted, task.terms, Deadline())
    return replace(task, known=shifted, most_deviation=least)


ANYTHING = st.one_of(questions(), linear_tasks())
"""All that a proof can be about, linear costs too."""


SLACKS = st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(1), Fraction(2)])


def known(task: LearningTask, number: int, costs: list[int], slack: Fraction) -> PlanCostConstraint:
    """That a plan costs about what it does under these costs."""
    item = task.case.observations[number]
    cost = task.cost(item.plan, costs)
    return PlanCostConstraint(
        number, task.counts(item.plan), item.count, cost - slack, cost + slack
    )


def has_open_case(tree: dict[str, Any]) -> bool:
    if "plan" in tree:
        return has_open_case(tree["with"]) or has_open_case(tree["without"])
    return "open" in tree


@settings(max_examples=100, deadline=None)
@given(ANYTHING)
def test_every_proof_is_accepted(example: Example) -> None:
    task, plans = example
    answer = learned(task)
    proof = proof_of(answer, Deadline())
    assert proof is not None
    result = result_of(task, answer, plans)
    incomplete = any(has_open_case(proof[key]["tree"]) for key in ("most", "least") if key in proof)
    if incomplete:
        # Only whole numbers within bounds can need more than linear programs.
        assert not task.scales or task.initial_costs is not None or task.composition is not None
        with pytest.raises(check_proof.VerdictError) as error:
            InMemory(task).check(result, proof)
        assert error.value.args[0] == "not proven"
        return
    said = InMemory(task).check(result, proof)
    assert f"no costs make more than {answer.most_plans} plans optimal" in said
    if answer.proved:
        assert any(f"second objective is {answer.secondary_bound} or more" in text for text in said)


def two_roads(*counts: int, required: frozenset[int] = frozenset()) -> LearningTask:
    """Two roads to one place, with how often each was taken; one of them can be the best."""
    places = Variable("var0", -1, ("Atom at(0)", "Atom at(1)"))
    roads = [Operator(f"(road {n})", ((0, 0),), (Effect((), 0, 1),)) for n in range(2)]
    sas = SasTask((places,), (), (0,), ((0, 1),), tuple(roads), ())
    observations = tuple(
        Observation(
            0, (road.name,), False, ObservedFile(Path("p.pddl"), Path(f"p.{n}.plan"), count)
        )
        for n, (road, count) in enumerate(zip(roads, counts, strict=True))
    )
    case = Case(Path(), DOMAIN, (), (Task(PROBLEM, sas, "t", "w"),), observations, ())
    return LearningTask(case, Concept(Solution.SCF), None, required=required)


ROADS: list[list[Plan]] = [[("(road 0)",), ("(road 1)",)]]


@pytest.mark.parametrize("counts", [(2, 2), (3, 3), (2, 4), (1, 3)])
def test_counts_with_a_common_divisor(counts: tuple[int, int]) -> None:
    """Of two roads to one place one is taken; half of a plan's weight is no weight of a set."""
    task = two_roads(*counts)
    answer = learned(task)
    proof = proof_of(answer, Deadline())
    assert proof is not None and answer.most_plans == max(counts)
    said = InMemory(task).check(result_of(task, answer, ROADS), proof)
    assert f"no costs make more than {max(counts)} plans optimal" in said


@settings(max_examples=100, deadline=None)
@given(ANYTHING)
def test_no_proof_says_more(example: Example) -> None:
    """A bound that is lower by one than what can be reached has no proof, whatever the tree."""
    task, plans = example
    answer = learned(task)
    result = result_of(task, answer, plans)
    proof = proof_of(answer, Deadline())
    if not result["proved"] or proof is None or has_open_case(proof["most"]["tree"]):
        return
    less = {**proof, "most": {**proof["most"], "plans": answer.most_plans - 1}}
    claimed = {**result, "upper_bound": answer.most_plans - 1, "proved": False}
    with pytest.raises(check_proof.VerdictError) as error:
        InMemory(task).check(claimed, less)
    assert error.value.args[0] == "wrong"


@settings(max_examples=100, deadline=None)
@given(questions(), st.data())
def test_a_plan_that_is_not_optimal_is_found(example: Example, data: st.DataObject) -> None:
    """The search of the checker agrees with the definitions on every plan, whatever the costs."""
    task, plans = example
    parameters = [data.draw(st.integers(t.least, t.greatest or 4)) for t in task.terms]
    answer = replace(
        learned(task), functions=[replace(learned(task).only, costs=tuple(parameters))]
    )
    result = result_of(task, answer, plans)
    observations, costs = result["observations"], result["costs"]
    memory = InMemory(task)
    tasks = {text: check_proof.Task(name, text) for name, text in memory.tasks.items()}
    for number, item in enumerate(observations):
        checker = object.__new__(check_proof.Proof)
        checker.tasks = [tasks[memory.tasks[other["problem"]]] for other in observations]
        checker.plans = [memory.plans[other["plan"]] for other in observations]
        checker.observed = [
            {**other, "optimal": place == number} for place, other in enumerate(observations)
        ]
        checker.must = set()
        checker.costs, checker.strict = costs, result["strict"]
        checker.ordered = checker.strict and result["options"]["reorderings"] != "same"
        checker.ties = checker.strict and result["options"]["ties"] == "observed"
        if item["optimal"]:
            checker.check_optimal()
        else:
            with pytest.raises(check_proof.VerdictError):
                checker.check_optimal()


def test_one_task_in_two_files_is_refused_with_ties() -> None:
    """The checker would not take the plan of the one for observed on the other."""
    sas = SasTask((Variable("var0", -1, ("Atom a()",)),), (), (0,), ((0, 0),), (), ())
    observations = tuple(
        Observation(0, (), False, ObservedFile(Path(f"{name}.pddl"), Path(f"{name}.plan")))
        for name in "pq"
    )
    case = Case(Path(), DOMAIN, (), (Task(PROBLEM, sas, "t", "w"),), observations, ())
    refuse_proof(LearningTask(case, Concept(Solution.SCF), None))
    tied = LearningTask(case, Concept(Solution.SCF, ties=Ties.OBSERVED), None)
    with pytest.raises(UsageError, match=r"p\.pddl and q\.pddl are one task"):
        refuse_proof(tied)


def test_a_required_plan_lowers_the_bound() -> None:
    for required, most in (frozenset[int](), 3), (frozenset({1}), 1), (frozenset({0}), 3):
        task = two_roads(3, 1, required=required)
        answer = learned(task)
        proof = proof_of(answer, Deadline())
        assert proof is not None
        result = result_of(task, answer, ROADS)
        assert f"no costs make more than {most} plans optimal" in InMemory(task).check(
            result, proof
        )


def test_a_required_plan_that_is_not_optimal_is_found() -> None:
    """Whoever takes out the branches of a plan by requiring it has to have it."""
    task = two_roads(3, 1, required=frozenset({1}))
    answer = learned(task)
    proof = proof_of(answer, Deadline())
    assert proof is not None
    result = result_of(task, answer, ROADS)
    damaged = copy.deepcopy(result)
    damaged["costs"] = {"(road 0)": 1, "(road 1)": 2}
    for item, optimal in zip(damaged["observations"], (True, False), strict=True):
        item["optimal"] = optimal
    damaged |= {"optimal_plans": 3, "proved": False}
    with pytest.raises(check_proof.VerdictError):
        InMemory(task).check(damaged, proof)
    damaged |= {"upper_bound": 3, "proved": True}
    claim = {**proof, "most": {**proof["most"], "plans": 3}}
    with pytest.raises(check_proof.VerdictError, match=r"p\.1\.plan is not optimal"):
        InMemory(task).check(damaged, claim)


def test_only_the_result_says_what_is_required() -> None:
    """A proof that takes a plan for required proves less than the result claims without it."""
    task = two_roads(3, 1, required=frozenset({1}))
    answer = learned(task)
    proof = proof_of(answer, Deadline())
    assert proof is not None
    result = result_of(task, answer, ROADS)
    InMemory(task).check(result, proof)
    with pytest.raises(check_proof.VerdictError, match="a case may have more than 1"):
        InMemory(task).check({**result, "options": {}}, {**proof, "required": [1]})

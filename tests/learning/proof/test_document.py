"""Proofs of random small tasks, checked by the checker and against brute force."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from plancost.cli import check_proof
from plancost.errors import UsageError
from plancost.learning.incumbent import Incumbent
from plancost.learning.problem.task import LearningTask
from plancost.learning.proof.document import proof_of, refuse_proof
from plancost.observations.planfile import Plan
from plancost.observations.sas import sas_text
from plancost.system.clock import Deadline
from support.brute_force import is_optimal
from support.learned import learned
from support.small_tasks import learning_tasks

Example = tuple[LearningTask, list[list[Plan]]]


def result_of(task: LearningTask, answer: Incumbent, plans: list[list[Plan]]) -> dict[str, Any]:
    """What RESULT.json says, as far as a proof is about it."""
    observations: list[dict[str, Any]] = [
        {
            "problem": str(item.source.problem),
            "plan": str(item.source.plan),
            "count": item.count,
            "optimal": is_optimal(task, number, answer.costs, plans[item.task]),
        }
        for number, item in enumerate(task.case.observations)
    ]
    optimal = sum(item["count"] for item in observations if item["optimal"])
    value = task.secondary(answer.costs)
    initial = task.initial_costs
    names = task.case.actions
    return {
        "strict": task.concept.is_strict,
        "optimal_plans": optimal,
        "upper_bound": answer.upper_bound,
        "proved": optimal == answer.upper_bound,
        "secondary": {
            "value": value,
            "lower_bound": answer.secondary_bound,
            "proved": value == answer.secondary_bound,
        },
        "costs": dict(zip(names, answer.costs, strict=True)),
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
        self.plans = {str(item.source.plan): list(item.plan) for item in observations}

    def check(self, result: dict[str, Any], proof: dict[str, Any]) -> list[str]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(check_proof, "translate", lambda _, problem: self.tasks[problem.name])
            patch.setattr(check_proof, "read_plan", lambda path: self.plans[path.name])
            proof = json.loads(json.dumps(proof))
            return check_proof.Proof(Path(), Path(), result, proof).check()


@settings(max_examples=100, deadline=None)
@given(learning_tasks().filter(lambda example: not example[0].concept.is_strict))
def test_every_proof_is_accepted(example: Example) -> None:
    task, plans = example
    answer = learned(task)
    assert answer.proved
    proof = proof_of(answer, Deadline())
    assert proof is not None
    said = InMemory(task).check(result_of(task, answer, plans), proof)
    assert f"no costs make more than {answer.upper_bound} plans optimal" in said
    assert any(f"second objective is {answer.secondary_bound} or more" in text for text in said)


@settings(max_examples=100, deadline=None)
@given(learning_tasks().filter(lambda example: not example[0].concept.is_strict))
def test_no_proof_says_more(example: Example) -> None:
    """A bound that is lower by one than what can be reached has no proof, whatever the tree."""
    task, plans = example
    answer = learned(task)
    result = result_of(task, answer, plans)
    proof = proof_of(answer, Deadline())
    assert proof is not None
    less = {**proof, "most": {**proof["most"], "plans": answer.upper_bound - 1}}
    claimed = {**result, "upper_bound": answer.upper_bound - 1, "proved": False}
    with pytest.raises(check_proof.VerdictError) as error:
        InMemory(task).check(claimed, less)
    assert error.value.args[0] == "wrong"


@settings(max_examples=20, deadline=None)
@given(learning_tasks().filter(lambda example: example[0].concept.is_strict))
def test_strict_concepts_are_refused(example: Example) -> None:
    with pytest.raises(UsageError, match="strict"):
        refuse_proof(example[0])

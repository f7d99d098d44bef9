"""The lightest proof among known rows: it holds, and none that is known is lighter."""

from __future__ import annotations

from fractions import Fraction
from math import inf
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from plancost.learning.exact.subproblems import first_subproblem
from plancost.learning.problem.concept import Concept, Solution
from plancost.learning.problem.options import LearnOptions
from plancost.learning.problem.rows import Row
from plancost.learning.problem.task import LearningTask
from plancost.learning.run import Run
from plancost.learning.subproblem.certificates import Certificate, combine
from plancost.learning.subproblem.conflict import Conflict
from plancost.learning.subproblem.known_rows import KnownRows
from plancost.learning.subproblem.small_conflicts import SmallConflicts, left_over
from plancost.observations.case import Case, Observation, Task
from plancost.observations.files import ObservedFile
from plancost.observations.planfile import Plan
from plancost.observations.sas import Effect, Operator, SasTask, Variable
from plancost.system.clock import Deadline
from support.feasible_sets import feasible_sets
from support.small_tasks import DOMAIN, PROBLEM, learning_tasks

_MOST = 50.0


def _task() -> LearningTask:
    """Four actions; rows are made up."""
    operators = tuple(Operator(f"(m{n})", (), (Effect((), 0, 1),)) for n in range(4))
    sas = SasTask((Variable("v", -1, ("a", "b")),), (), (0,), ((0, 1),), operators, ())
    source = ObservedFile(Path("p.pddl"), Path("p.plan"), 1)
    task = Task(PROBLEM, sas, "task", "world")
    observation = Observation(0, ("(m0)",), False, source)
    case = Case(Path(), DOMAIN, (), (task,), (observation,), ())
    return LearningTask(case, Concept(Solution.MCF), None)


def _price(known: KnownRows, certificate: Certificate, weights: np.ndarray, action: int) -> float:
    """What a proof weighs, for each time that it leaves the action over."""
    numbers = [known.pool.number(row) for row in certificate.rows]
    weight = sum(
        float(weights[number]) * times
        for number, times in zip(numbers, certificate.multipliers, strict=True)
    )
    total, _ = combine(certificate.rows, certificate.multipliers)
    return weight / float(total.get(action, Fraction(0)))


def _least_price(rows: list[Row], weights: np.ndarray, action: int, size: int) -> float | None:
    """The same of the lightest proof by these rows, if there is one."""
    matrix = np.zeros((len(rows), size + 1))
    for number, (coefficients, margin) in enumerate(rows):
        for column, value in coefficients:
            matrix[number, column] = value
        matrix[number, size] = margin
    once = np.zeros(size + 1)
    once[action] = 1.0
    found = linprog(weights, A_ub=-matrix.T, b_ub=-once)
    return float(found.fun) if found.status == 0 else None


_ROWS = st.lists(
    st.tuples(
        st.dictionaries(st.integers(0, 3), st.sampled_from([-2, -1, 1, 2]), min_size=1),
        st.integers(0, 1),
    ),
    min_size=1,
    max_size=10,
)


@settings(max_examples=100, deadline=None)
@given(_ROWS, st.data())
def test_the_proof_is_the_lightest(
    drawn: list[tuple[dict[int, int], int]], data: st.DataObject
) -> None:
    known = KnownRows(_task(), range(4))
    rows = list(dict.fromkeys((tuple(sorted(line.items())), margin) for line, margin in drawn))
    for row in rows:
        known.pool.add(row, 0)
    small = SmallConflicts(known)
    some = st.lists(st.floats(0.1, 1), min_size=len(rows), max_size=len(rows))
    for weights in map(np.array, data.draw(st.lists(some, min_size=1, max_size=3))):
        small.weigh(weights)
        for action in range(4):
            least = _least_price(rows, weights, action, 4)
            proof = small.find(action, _MOST, Deadline())
            assert (proof is None) == (least is None or least >= _MOST)
            if proof is not None and least is not None:
                assert proof.is_valid()
                assert _price(known, proof, weights, action) == pytest.approx(least)
        weights[0] = inf
        small.weigh(weights)
        proof = small.find(0, _MOST, Deadline())
        assert proof is None or rows[0] not in proof.rows


@settings(max_examples=100, deadline=None)
@given(learning_tasks(), st.data())
def test_rows_of_plans_give_conflicts_of_plans(
    example: tuple[LearningTask, list[list[Plan]]], data: st.DataObject
) -> None:
    task, plans = example
    run = Run.of(task.case, LearnOptions(concept=task.concept))
    subproblem = first_subproblem(run, task)
    everyone = frozenset(range(len(task.candidates)))
    known = subproblem.relax(everyone, Deadline())
    if not isinstance(known, Conflict) or not SmallConflicts.can_be_asked(subproblem):
        return
    assert known.certificate is not None
    count = len(subproblem.pool.rows)
    weights = np.array(data.draw(st.lists(st.floats(0.1, 1), min_size=count, max_size=count)))
    small = SmallConflicts(subproblem)
    small.weigh(weights)
    possible = feasible_sets(task, plans)
    for action in left_over(known.certificate):
        proof = small.find(action, _MOST * count, Deadline())
        assert proof is not None
        assert subproblem.certain(proof).members(everyone) not in possible


@pytest.mark.parametrize("margin", [0, 1])
def test_what_is_left_over_comes_in_order(margin: int) -> None:
    rows = ((((0, 1), (1, -1)), margin), (((0, 2), (1, 1), (2, 1)), margin))
    assert left_over(Certificate(rows, (1, 1))) == [0, 2]

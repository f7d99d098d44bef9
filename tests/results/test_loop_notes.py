"""Notes about loops say nothing that the verdicts do not."""

from __future__ import annotations

import csv
from fractions import Fraction
from pathlib import Path

import pytest

from conftest import TABLE_1, WriteGraphCase
from plancost.api.learn import learn
from plancost.learning.problem.concept import Concept, Solution, Ties
from plancost.learning.problem.options import LearnOptions
from plancost.results.result import Result

NEVER = ", so it can never be optimal"
CONCEPTS = [
    Concept(Solution.MCF),
    Concept(Solution.ICF),
    Concept(Solution.SCF),
    Concept(Solution.SCF, ties=Ties.OBSERVED),
]


@pytest.fixture
def case(write_graph_case: WriteGraphCase) -> Path:
    """The first plan goes back and forth, the second does not."""
    return write_graph_case(TABLE_1, ["acabd", "acef"])


def check_notes(result: Result, fact: str = "p1.plan visits a state twice") -> None:
    """Every plan with a loop is noted; none that is optimal is said never to be."""
    said = [note.partition(": ")[2] or note for note in result.notes if "twice" in note]
    assert len(said) == 1
    optimal = any(item.optimal for item in result.observations if item.plan == "p1.plan")
    assert said[0] in (fact, fact + NEVER)
    assert not (optimal and NEVER in said[0])


@pytest.mark.parametrize("concept", CONCEPTS, ids=str)
@pytest.mark.parametrize("groups", [None, 2])
def test_every_concept(case: Path, concept: Concept, groups: int | None) -> None:
    result = learn(case, LearnOptions(concept, groups=groups))
    check_notes(result)
    assert f"p1.plan visits a state twice{NEVER}" in result.notes


@pytest.mark.parametrize("factor", [Fraction(1), Fraction(11, 10), Fraction(3)])
@pytest.mark.parametrize("solution", [Solution.MCF, Solution.ICF])
def test_every_factor(case: Path, solution: Solution, factor: Fraction) -> None:
    result = learn(case, LearnOptions(Concept(solution), suboptimality=factor))
    check_notes(result)
    assert any(NEVER in note for note in result.notes) is (factor == 1)


def test_a_factor_of_one_plan_and_a_file_that_stands_twice(case: Path) -> None:
    manifest = case / "manifest.csv"
    rows = [("p1.pddl", "p1.plan", "1"), ("p1.pddl", "p1.plan", "5"), ("p2.pddl", "p2.plan", "1")]
    with manifest.open("w", newline="") as file:
        csv.writer(file).writerows([("problem", "plan", "suboptimality"), *rows])
    result = learn(manifest, LearnOptions(), domain=case / "domain.pddl")
    assert [item.optimal for item in result.observations] == [False, True, True]
    check_notes(result)


def test_named_groups(case: Path) -> None:
    manifest = case / "manifest.csv"
    manifest.write_text("problem,plan,group\np1.pddl,p1.plan,one\np2.pddl,p2.plan,two\n")
    check_notes(learn(manifest, LearnOptions(), domain=case / "domain.pddl"))

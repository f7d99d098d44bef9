"""LACFIP^k with alternatives from the real SymK."""

from __future__ import annotations

from pathlib import Path

import pytest

from plancost.api.learn import learn
from plancost.errors import UsageError
from plancost.learning.problem.concept import Concept, Reorderings, Solution, Ties
from plancost.learning.problem.options import LearnOptions

DOMAIN = """(define (domain lamps) (:requirements :strips) (:predicates (on ?l) (pair ?a ?b))
  (:action press :parameters (?l) :effect (on ?l))
  (:action both :parameters (?a ?b) :precondition (pair ?a ?b) :effect (and (on ?a) (on ?b))))
"""
PROBLEM = """(define (problem p) (:domain lamps) (:objects a b) (:init (pair a b))
  (:goal (and (on a) (on b))))
"""


@pytest.fixture(params=["ab", "ba"])
def case(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Three times one after the other (in either order), once both at a time."""
    first, second = request.param
    for name, text in {
        "domain.pddl": DOMAIN,
        "p.pddl": PROBLEM,
        "p.1.plan": f"(press {first})\n(press {second})\n",
        "p.2.plan": "(both a b)\n",
        "case.csv": "problem,plan,count\np.pddl,p.1.plan,3\np.pddl,p.2.plan,1\n",
    }.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize("alternatives", ["exact", "all", "2"])
@pytest.mark.parametrize(
    ("concept", "optimal"),
    [
        (Concept(), 4),
        (Concept(Solution.SCF), 1),
        (Concept(Solution.SCF, reorderings=Reorderings.SAME), 3),
        (Concept(Solution.SCF, ties=Ties.OBSERVED), 1),
        (Concept(Solution.SCF, reorderings=Reorderings.SAME, ties=Ties.OBSERVED), 4),
    ],
)
def test_orderings_that_the_planner_does_not_list(
    case: Path, concept: Concept, optimal: int, alternatives: str
) -> None:
    """SymK gives one ordering of each set of actions; the strict concept knows of all."""
    result = learn(
        case / "case.csv",
        LearnOptions(concept, alternatives=alternatives),
        domain=case / "domain.pddl",
    )
    assert (result.optimal_plans, result.plans) == (optimal, 4)
    assert result.believed_optimal == result.upper_bound == optimal
    assert result.proved
    assert result.secondary.proved


def test_few_alternatives_are_believed_and_corrected(example_2: Path) -> None:
    """What the optimiser believes at a small k and what is true are both reported."""
    (example_2 / "four.plan").write_text(
        "(unstack d c)\n(putdown d)\n(unstack b a)\n(putdown b)\n(pickup a)\n(stack a b)\n"
    )
    result = learn(example_2, LearnOptions(alternatives="1"))
    assert result.optimal_plans == 0
    assert result.optimal_plans <= result.believed_optimal <= result.upper_bound
    assert result.verified


@pytest.mark.parametrize("alternatives", ["1", "20"])
def test_nothing_is_said_that_listed_plans_do_not_show(example_2: Path, alternatives: str) -> None:
    """Ranges, explanations and certificates speak of all alternatives, and these are some."""
    result = learn(example_2, LearnOptions(alternatives=alternatives, ranges=True))
    assert result.ranges is None
    assert any("they need --alternatives exact" in note for note in result.notes)
    assert result.constrained is None
    assert all(item.explanation is None for item in result.observations)
    with pytest.raises(UsageError, match="certificate goes with alternatives='exact'"):
        learn(example_2, LearnOptions(alternatives=alternatives, certificate=True))

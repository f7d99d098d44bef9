"""What learning again takes from a RESULT.json."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from plancost.api.learn import learn
from plancost.errors import InputError
from plancost.learning.problem.concept import Concept, Reorderings, Solution
from plancost.learning.problem.options import LearnOptions
from plancost.observations.bounds_files import CostBound
from plancost.results.learned import read_learned


def test_what_was_written(table_1: Path, tmp_path: Path) -> None:
    concept = Concept(Solution.SCF, reorderings=Reorderings.SAME)
    result = learn(table_1, LearnOptions(concept=concept, refine=True))
    result.write(tmp_path / "RESULT.json")
    learned = read_learned(tmp_path / "RESULT.json")
    assert (learned.costs, learned.concept, learned.refined) == (result.costs, concept, True)
    assert learned.observed == (("p1.pddl", "p1.plan", 1), ("p2.pddl", "p2.plan", 1))
    assert (learned.initial_costs, learned.beyond) == (None, None)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (LearnOptions(groups=2), "groups"),
        (LearnOptions(bounds=(CostBound("(move a b)", 1, 9),)), "bounds on costs"),
        (LearnOptions(max_cost=9), "bounds on costs"),
        (LearnOptions(suboptimality=Fraction(2)), "suboptimality"),
        (LearnOptions(share=("schema",)), "shared costs"),
        (LearnOptions(linear=("move (length ?a ?b)",)), "linear costs"),
    ],
    ids=["groups", "bounds", "max-cost", "suboptimality", "share", "linear"],
)
def test_what_else_learning_was_told(
    options: LearnOptions, words: str, table_1: Path, tmp_path: Path
) -> None:
    learn(table_1, options).write(tmp_path / "RESULT.json")
    assert read_learned(tmp_path / "RESULT.json").beyond == words


@pytest.mark.parametrize(
    ("column", "words"),
    [
        ("cost,9", "known costs of plans"),
        ("group,early", "groups"),
        ("suboptimality,3/2", "subopt"),
    ],
)
def test_what_columns_told(column: str, words: str, table_1: Path, tmp_path: Path) -> None:
    name, value = column.split(",")
    manifest = table_1 / "manifest.csv"
    manifest.write_text(f"problem,plan,{name}\np1.pddl,p1.plan,{value}\n")
    result = learn(manifest, domain=table_1 / "domain.pddl")
    result.write(tmp_path / "RESULT.json")
    assert (read_learned(tmp_path / "RESULT.json").beyond or "").startswith(words)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ({"(move a b)": 1}, "not a RESULT.json"),
        ({"format": 1, "costs": {}}, "not a RESULT.json"),
        ({"format": 1, "costs": {}, "observations": [{"plan": "x"}]}, "problem is missing"),
        (
            {"format": 1, "costs": {}, "observations": [], "options": [1]},
            "options must be an object",
        ),
        (
            {"format": 1, "costs": {}, "observations": [], "options": {"initial_costs": ["c"]}},
            r"options\.initial_costs must be a text, not \[",
        ),
    ],
)
def test_what_is_none(tmp_path: Path, content: dict[str, Any], complaint: str) -> None:
    path = tmp_path / "RESULT.json"
    path.write_text(json.dumps(content))
    with pytest.raises(InputError, match=complaint):
        read_learned(path)

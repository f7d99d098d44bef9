"""Reading RESULT.json again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from plancost import api
from plancost.errors import InputError
from plancost.learning.concept import Concept, Reorderings, Solution
from plancost.learning.options import LearnOptions
from plancost.results.learned import concept_of, read_learned


def test_what_was_written(table_1: Path, tmp_path: Path) -> None:
    concept = Concept(Solution.SCF, reorderings=Reorderings.SAME)
    result = api.learn(table_1, LearnOptions(concept=concept, refine=True))
    result.write(tmp_path / "RESULT.json")
    learned = read_learned(tmp_path / "RESULT.json")
    assert (learned.costs, learned.concept, learned.refined) == (result.costs, concept, True)
    assert learned.observed == (("p1.pddl", "p1.plan", 1), ("p2.pddl", "p2.plan", 1))
    assert learned.initial_costs is None


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ({"(move a b)": 1}, "not a RESULT.json"),
        ({"format": 1, "costs": {}}, "not a RESULT.json"),
        ({"format": 1, "costs": {}, "observations": [{"plan": "x"}]}, "cannot be read"),
        ({"format": 1, "costs": {}, "observations": [], "options": [1]}, "cannot be read"),
    ],
)
def test_what_is_none(tmp_path: Path, content: dict[str, Any], complaint: str) -> None:
    path = tmp_path / "RESULT.json"
    path.write_text(json.dumps(content))
    with pytest.raises(InputError, match=complaint):
        read_learned(path)


def test_concepts_that_nobody_knows() -> None:
    assert concept_of({"solution": "magic"}) == Concept()
    assert concept_of({"solution": "icf", "strict": True}) == Concept(Solution.ICF, strict=True)

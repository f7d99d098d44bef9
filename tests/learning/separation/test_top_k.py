"""A seed of listed alternatives changes the way, never the answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from plancost.api.learn import learn
from plancost.learning.problem.concept import Concept, Solution
from plancost.learning.problem.options import LearnOptions


@pytest.mark.parametrize(("solution", "value"), [(Solution.MCF, 14), (Solution.SCF, 16)])
def test_the_answer_is_the_same(table_1: Path, solution: Solution, value: int) -> None:
    plain = learn(table_1, LearnOptions(concept=Concept(solution)))
    seeded = learn(table_1, LearnOptions(concept=Concept(solution), top_k_seed=3))
    assert seeded.costs == plain.costs
    assert (seeded.optimal_plans, seeded.secondary.value) == (2, value)
    assert seeded.secondary.proved

"""Solution concepts: which options go together, and what a plain word means."""

from __future__ import annotations

import pytest

from plancost.errors import UsageError
from plancost.learning.problem.concept import Concept, Reorderings, Solution, Ties


@pytest.mark.parametrize(
    ("concept", "is_strict"),
    [
        (Concept(), False),
        (Concept(Solution.SCF), True),
        (Concept(Solution.ICF), False),
        (Concept(Solution.ICF, strict=True), True),
        (Concept(Solution.SCF, strict=True), True),
    ],
)
def test_strict_concepts(concept: Concept, is_strict: bool) -> None:
    assert concept.is_strict is is_strict


def test_plain_words() -> None:
    plain = Concept("scf", reorderings="same", ties="observed")  # type: ignore[arg-type]
    assert plain == Concept(Solution.SCF, reorderings=Reorderings.SAME, ties=Ties.OBSERVED)
    assert isinstance(plain.solution, Solution)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"solution": "best"}, "solution is one of mcf, scf, icf, not 'best'"),
        ({"ties": None}, "ties is one of alternatives, observed, not 'None'"),
        ({"strict": True}, "strict goes with solution='icf'"),
        ({"reorderings": "same"}, "reorderings='same' goes with solution='scf' or icf strict"),
        ({"solution": "icf", "ties": "observed"}, "ties='observed' goes with"),
    ],
)
def test_what_does_not_go_together(given: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Concept(**given)  # type: ignore[arg-type]

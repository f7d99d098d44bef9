"""Keywords of learning: the same as `LearnOptions`, with the parts of the concept."""

from __future__ import annotations

import pytest

from plancost.errors import UsageError
from plancost.evaluation.evaluate import EvaluateOptions
from plancost.learning.problem.concept import Concept, Reorderings, Solution
from plancost.learning.problem.keywords import is_given, learn_options, options_with_learning
from plancost.learning.problem.options import LearnOptions


def test_keywords_are_options() -> None:
    assert learn_options(None, {}) == LearnOptions()
    found = learn_options(None, {"time_limit_s": 60, "solution": "scf", "reorderings": "same"})
    concept = Concept(Solution.SCF, reorderings=Reorderings.SAME)
    assert found == LearnOptions(concept, time_limit_s=60.0)
    assert learn_options(found, {"jobs": 2}) == LearnOptions(concept, time_limit_s=60.0, jobs=2)
    with pytest.raises(UsageError, match=r"'solutions' \(did you mean solution\?\)"):
        learn_options(None, {"solutions": "scf"})


def test_keywords_of_options_that_hold_those_of_learning() -> None:
    found = options_with_learning(EvaluateOptions, None, {"folds": 3, "time_limit_s": 5})
    assert found == EvaluateOptions(folds=3, learning=LearnOptions(time_limit_s=5.0))
    with pytest.raises(UsageError, match=r"'fold' \(did you mean folds\?\)"):
        options_with_learning(EvaluateOptions, None, {"fold": 3})


def test_what_keywords_speak_of() -> None:
    assert is_given("concept", ["ties"]) and is_given("jobs", ["jobs"])
    assert not is_given("concept", ["jobs"])

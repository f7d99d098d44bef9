"""The choices by name, and what happens if one finds nothing."""

from __future__ import annotations

import numpy as np
import pytest

from conftest import WriteGraphCase, both_ways
from plancost.api.learn import learn
from plancost.learning.choose import choices, mean
from plancost.learning.choose.choice import NO_TIME
from plancost.learning.choose.posterior import Draws, Walk
from plancost.learning.problem.options import Choose, LearnOptions


def test_every_choice_but_the_least_costs_has_a_function() -> None:
    names = [choices.choice_of(name).__name__ for name in Choose if name is not Choose.LEAST]
    assert names == ["choose_mean", "choose_likely"]


@pytest.mark.parametrize(
    ("r_hat", "size", "why"),
    [(3.0, 1000.0, "had not mixed"), (1.0, 20.0, "effective sample size 20")],
)
def test_draws_that_cannot_be_trusted_leave_the_least_costs(
    write_graph_case: WriteGraphCase,
    monkeypatch: pytest.MonkeyPatch,
    r_hat: float,
    size: float,
    why: str,
) -> None:
    draws = Draws(np.ones((8, 2, 8)), r_hat, size, 8)
    monkeypatch.setattr(Walk, "draws", lambda _: draws)
    case = write_graph_case(both_ways({"ab": 1, "bd": 1, "ac": 1, "cd": 1}), ["abd"])
    result = learn(case, LearnOptions(choose=Choose.MEAN))
    assert result.choice is None
    assert result.uncertainty is None
    assert result.optimal_plans == 1
    assert any(why in note for note in result.notes)
    assert "choose" in result.options


def test_a_choice_without_time_says_so(
    write_graph_case: WriteGraphCase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mean, "choose_mean", lambda *_: NO_TIME)
    case = write_graph_case(both_ways({"ab": 1, "bd": 1, "ac": 1, "cd": 1}), ["abd"])
    result = learn(case, LearnOptions(choose=Choose.MEAN))
    note = "these are not the costs that --choose mean asks for: " + NO_TIME
    assert note in result.notes

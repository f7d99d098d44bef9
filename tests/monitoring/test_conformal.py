"""Conformal p-values keep what they promise, over all orders of any scores."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.monitoring.conformal import least_p_value, p_value, smoothed_p_value

SCORES = st.lists(st.sampled_from([1.0, 1.0, 1.1, 1.5, 2.0, 3.0]), min_size=1, max_size=12)


def leave_one_out(scores: list[float]) -> list[tuple[float, list[float]]]:
    """Every score with the others: which is the new one is equally likely if exchangeable."""
    return [(score, scores[:n] + scores[n + 1 :]) for n, score in enumerate(scores)]


@settings(max_examples=60, deadline=None)
@given(SCORES, st.floats(0.01, 0.99))
def test_false_alarms_are_bounded(scores: list[float], rate: float) -> None:
    alarms = sum(p_value(score, others) <= rate for score, others in leave_one_out(scores))
    assert alarms <= rate * len(scores) + 1e-9


@settings(max_examples=60, deadline=None)
@given(SCORES, st.floats(0.0, 1.0))
def test_smoothed_is_exactly_uniform(scores: list[float], level: float) -> None:
    """The chance of p <= level, over which score is new and over how ties are broken."""
    likely = 0.0
    for score, others in leave_one_out(scores):
        low = smoothed_p_value(score, others, 0.0)
        high = smoothed_p_value(score, others, 1.0)
        likely += min(1.0, max(0.0, (level - low) / (high - low)))
    assert likely / len(scores) == pytest.approx(level)


@settings(max_examples=60, deadline=None)
@given(st.floats(1, 3), SCORES, st.floats(0, 1))
def test_the_two_agree(score: float, others: list[float], chance: float) -> None:
    assert 0 <= smoothed_p_value(score, others, chance) <= p_value(score, others) <= 1
    assert p_value(score, others) >= least_p_value(len(others))


def test_values() -> None:
    assert p_value(2.0, [1.0, 2.0, 3.0]) == 0.75
    assert p_value(9.0, [1.0] * 19) == 0.05
    assert smoothed_p_value(2.0, [1.0, 2.0, 3.0], 0.5) == 0.5
    assert p_value(1.0, []) == 1.0

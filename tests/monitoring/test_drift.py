"""Detectors: few alarms without a change, soon one after it, and no memory but p-values."""

from __future__ import annotations

import math
import random
import statistics

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.monitoring.drift import (
    Cusum,
    DriftMethod,
    RiverMissingError,
    change_begins,
    detector,
    log_bet,
)

P_VALUES = st.lists(st.floats(0.001, 1.0), min_size=1, max_size=40)


def first_alarm(method: DriftMethod, run_length: int, values: list[float]) -> int | None:
    watcher = detector(method, run_length)
    return next((n for n, value in enumerate(values) if watcher.update(value)), None)


def test_bets_are_fair_or_worse() -> None:
    """The mean return over uniform p-values is at most 1: nothing is won without a change."""
    steps = 200_000
    mean = statistics.fmean(math.exp(log_bet((n + 0.5) / steps)) for n in range(steps))
    assert 0.9 < mean <= 1.0


def test_mean_time_between_false_alarms() -> None:
    generator = random.Random(1)
    lengths = []
    for _ in range(200):
        watcher = Cusum(50)
        plans = 1
        while not watcher.update(generator.random()):
            plans += 1
        lengths.append(plans)
    assert statistics.fmean(lengths) >= 50


@pytest.mark.parametrize("seed", range(5))
def test_a_change_is_found_soon(seed: int) -> None:
    generator = random.Random(seed)
    before = [generator.random() for _ in range(100)]
    after = [generator.random() * generator.choice([0.05, 1.0]) for _ in range(60)]
    alarm = first_alarm(DriftMethod.CUSUM, 1000, before + after)
    assert alarm is not None
    assert 100 <= alarm < 140
    begin = change_begins((before + after)[: alarm + 1])
    assert 85 <= begin <= alarm


def test_single_outliers_are_no_change() -> None:
    values = ([0.5] * 9 + [1e-9]) * 30
    assert first_alarm(DriftMethod.CUSUM, 1000, values) is None


@settings(max_examples=60, deadline=None)
@given(P_VALUES, st.integers(0, 40))
def test_a_detector_is_its_p_values(values: list[float], stop: int) -> None:
    """One that is made from what was shown goes on as if it had never been away."""
    whole = detector(DriftMethod.CUSUM, 20)
    said = [whole.update(value) for value in values]
    again = detector(DriftMethod.CUSUM, 20, values[:stop])
    assert [again.update(value) for value in values[stop:]] == said[stop:]


@settings(max_examples=60, deadline=None)
@given(P_VALUES)
def test_change_begins_where_most_is_won(values: list[float]) -> None:
    begin = change_begins(values)
    won = [sum(map(log_bet, values[start:])) for start in range(len(values))]
    assert won[begin] == pytest.approx(max(won))


@settings(max_examples=60, deadline=None)
@given(P_VALUES)
def test_the_stake_is_the_best_of_all_bets(values: list[float]) -> None:
    watcher = Cusum(1e9)
    for value in values:
        watcher.update(value)
    won = [sum(map(log_bet, values[start:])) for start in range(len(values))]
    assert watcher.log_stake == pytest.approx(max(won))


@pytest.mark.parametrize("method", [DriftMethod.ADWIN, DriftMethod.PAGE_HINKLEY])
def test_detectors_of_river(method: DriftMethod) -> None:
    pytest.importorskip("river")
    generator = random.Random(3)
    before = [generator.random() for _ in range(200)]
    assert first_alarm(method, 1000, before) is None
    lower = [generator.random() * 0.1 for _ in range(200)]
    alarm = first_alarm(method, 1000, before + lower)
    assert alarm is not None
    assert 200 <= alarm < 320
    # That regrets fall, so that p-values rise, is no reason to learn again.
    assert first_alarm(method, 1000, lower + before) is None


def test_without_river(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "river", None)
    with pytest.raises(RiverMissingError, match=r"pip install plancost\[drift\]"):
        detector(DriftMethod.ADWIN, 1000)

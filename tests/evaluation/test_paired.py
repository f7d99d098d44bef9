"""Differences in pairs: their intervals, and what counts as a pair."""

from __future__ import annotations

import math
import random
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_1samp

from plancost.evaluation.methods import Method
from plancost.evaluation.paired import Interval, paired

VALUES = st.lists(st.integers(-50, 50).map(lambda number: number / 8), min_size=2, max_size=12)


@given(VALUES)
def test_values_that_do_not_depend_on_each_other(values: list[float]) -> None:
    found = Interval.of(values)
    assert found is not None
    assert found.values == len(values)
    assert found.mean == pytest.approx(statistics.fmean(values))
    if len(set(values)) == 1:
        assert found.half == pytest.approx(0.0, abs=1e-9)
    else:
        usual = ttest_1samp(np.array(values), 0.0).confidence_interval(0.95)
        assert (found.low, found.high) == pytest.approx((usual.low, usual.high))


@given(VALUES, st.integers(2, 5))
def test_copies_teach_nothing(values: list[float], copies: int) -> None:
    once, often = Interval.of(values), Interval.of_clusters([[value] * copies for value in values])
    assert once is not None and often is not None
    assert often.values == copies * once.values
    assert (often.mean, often.half) == pytest.approx((once.mean, once.half), abs=1e-9)


def test_intervals_hold_the_truth_where_plans_of_a_task_are_alike() -> None:
    """If plans of a task counted one by one, most intervals would miss it."""
    draw = random.Random(4)
    hits, naive = 0, 0
    for _ in range(400):
        middles = [draw.gauss() for _ in range(8)]
        clusters = [[middle + draw.gauss() / 4 for _ in range(6)] for middle in middles]
        found = Interval.of_clusters(clusters)
        alone = Interval.of(value for cluster in clusters for value in cluster)
        assert found is not None and alone is not None
        hits += found.low <= 0 <= found.high
        naive += alone.low <= 0 <= alone.high
    assert 0.92 <= hits / 400 <= 0.98
    assert naive / 400 < 0.7


def test_nothing_and_one_value() -> None:
    assert Interval.of([]) is None
    one = Interval.of([0.25])
    assert one is not None and math.isinf(one.half)
    assert (one.text(), one.text(1, 100)) == ("+0.250", "+25.0")
    # Student's t with 2 degrees of freedom: 4.303 / sqrt(3).
    three = Interval.of([0.0, 1.0, 2.0])
    assert three is not None and three.text() == "+1.000 ± 2.484"


def test_pairs_are_what_both_have_measured() -> None:
    by_method = {
        Method.OURS: {0: {"overlap": 0.5}, 1: {"overlap": 0.75}, 2: {"overlap": 0.0}},
        Method.UNIT: {},
        Method.MAXENT: {1: {"overlap": 0.25}, 0: {"overlap": 0.25}, 3: {"overlap": 1.0}},
    }
    (found,) = paired(by_method, ["overlap"])
    assert (found.method, found.interval.values) == (Method.OURS, 2)
    assert found.interval.mean == pytest.approx(0.375)
    (counted,) = paired(by_method, ["overlap"], counts={0: 3, 1: 1}, clusters={0: "t", 1: "t"})
    assert counted.interval.values == 4
    assert counted.interval.mean == pytest.approx(0.3125)
    content = counted.to_json()
    assert (content["low"], content["high"], content["against"]) == (None, None, "maxent")
    assert paired({Method.OURS: by_method[Method.OURS]}, ["overlap"]) == []

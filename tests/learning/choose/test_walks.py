"""Sums over walks against enumeration and finite differences."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.learning.choose.walks import Passage, Steps, by_inverse, by_steps

STATES = 5


@st.composite
def problems(draw: st.DrawFn, *, acyclic: bool) -> tuple[Steps, list[Passage]]:
    """A few steps between five states, parallel ones too, and goals of one or two states."""
    pairs = [(a, b) for a in range(STATES) for b in range(STATES) if (a < b if acyclic else a != b)]
    edges = draw(st.lists(st.sampled_from(pairs), min_size=2, max_size=8))
    source, target = (np.array(ends, dtype=np.int64) for ends in zip(*edges, strict=True))
    steps = Steps(STATES, source, target)
    passages = []
    for _ in range(draw(st.integers(1, 2))):
        goal = sorted(draw(st.sets(st.integers(0, STATES - 1), min_size=1, max_size=2)))
        starts = [s for s in range(STATES) if list(walks(steps, s, set(goal), STATES))]
        own = sorted(draw(st.sets(st.sampled_from(starts), min_size=1, max_size=2)))
        counts = [float(draw(st.integers(1, 3))) for _ in own]
        passages.append(Passage(np.array(goal), np.array(own), np.array(counts)))
    return steps, passages


def walks(steps: Steps, start: int, goal: set[int], most: int) -> list[tuple[int, ...]]:
    """All walks (as steps) that end where they first reach the goal."""
    if start in goal:
        return [()]
    if not most:
        return []
    return [
        (step, *rest)
        for step in np.flatnonzero(steps.source == start).tolist()
        for rest in walks(steps, int(steps.target[step]), goal, most - 1)
    ]


def costs_of(data: st.DataObject, steps: Steps, least: float) -> np.ndarray:
    size = len(steps.source)
    return np.array(data.draw(st.lists(st.floats(least, 4), min_size=size, max_size=size)))


@settings(deadline=None, max_examples=30)
@given(found=problems(acyclic=True), data=st.data())
def test_all_walks_are_added_up(found: tuple[Steps, list[Passage]], data: st.DataObject) -> None:
    steps, passages = found
    costs = costs_of(data, steps, 0.1)
    total, used = 0.0, np.zeros(len(costs))
    for passage in passages:
        for start, count in zip(passage.starts.tolist(), passage.weights.tolist(), strict=True):
            ways = walks(steps, start, set(passage.goal.tolist()), STATES)
            weights = np.array([math.exp(-sum(costs[list(way)])) for way in ways])
            total += count * math.log(weights.sum())
            for way, weight in zip(ways, count * weights / weights.sum(), strict=True):
                np.add.at(used, list(way), weight)
    for answer in (
        by_inverse(steps, np.exp(-costs), passages),
        by_steps(steps, np.exp(-costs), passages, STATES),
    ):
        assert answer[0] == pytest.approx(total)
        assert answer[1] == pytest.approx(used, abs=1e-9)


@settings(deadline=None, max_examples=30)
@given(found=problems(acyclic=False), data=st.data())
def test_circles_too_and_the_gradient(
    found: tuple[Steps, list[Passage]], data: st.DataObject
) -> None:
    steps, passages = found
    costs = costs_of(data, steps, 2.5)  # eight steps from one state then weigh less than 1
    total, used = by_inverse(steps, np.exp(-costs), passages)
    limited = by_steps(steps, np.exp(-costs), passages, 200)
    assert total == pytest.approx(limited[0])
    assert used == pytest.approx(limited[1], abs=1e-9)
    for step in range(len(costs)):
        change = np.zeros(len(costs))
        change[step] = 1e-5
        above, _ = by_inverse(steps, np.exp(-costs - change), passages)
        below, _ = by_inverse(steps, np.exp(-costs + change), passages)
        assert used[step] == pytest.approx((below - above) / 2e-5, abs=1e-4)


def test_goals_in_blocks_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = Steps(4, np.array([0, 1, 2, 3, 0]), np.array([1, 2, 3, 0, 2]))
    goals = [np.array([3]), np.array([1, 2]), np.array([0])]
    passages = [Passage(goal, np.array([0, 2]), np.array([1.0, 2.0])) for goal in goals]
    whole = by_inverse(steps, np.full(5, 0.3), passages)
    monkeypatch.setattr("plancost.learning.choose.walks._MOST_NUMBERS", 12)
    parts = by_inverse(steps, np.full(5, 0.3), passages)
    assert parts[0] == pytest.approx(whole[0])
    assert parts[1] == pytest.approx(whole[1])


def test_an_infinite_sum() -> None:
    steps = Steps(2, np.array([0, 1]), np.array([1, 0]))
    passage = Passage(np.array([1]), np.array([0]), np.ones(1))
    assert by_inverse(steps, np.full(2, 1.5), [passage])[0] == math.inf

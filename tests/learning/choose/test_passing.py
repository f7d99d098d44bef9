"""Sums over the walks of a shortened graph are those of the whole one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learning.choose.test_walks import costs_of, problems
from plancost.learning.choose.passing import shortened
from plancost.learning.choose.walks import Passage, Steps, by_inverse


@settings(deadline=None, max_examples=60)
@given(found=problems(acyclic=False), data=st.data())
def test_sums_stay_the_same(found: tuple[Steps, list[Passage]], data: st.DataObject) -> None:
    steps, passages = found
    costs = costs_of(data, steps, 2.5)
    total, used = by_inverse(steps, np.exp(-costs), passages)
    starts, goals = (
        np.concatenate([getattr(passage, name) for passage in passages])
        for name in ("starts", "goal")
    )
    short = shortened(steps, starts, goals)
    others = [
        replace(item, goal=short.number[item.goal], starts=short.number[item.starts])
        for item in passages
    ]
    answer = by_inverse(short.steps, np.exp(-(short.parts @ costs)), others)
    assert answer[0] == pytest.approx(total)
    assert short.parts.T @ answer[1] == pytest.approx(used, abs=1e-9)


def test_what_is_left() -> None:
    # 0 -> 1 -> 2 -> 3, a circle 4 -> 5 -> 4 that is entered and never left, and 6 that nobody
    # comes to.
    edges = [(0, 1), (1, 2), (2, 3), (0, 4), (4, 5), (5, 4), (6, 3)]
    source, target = (np.array(ends) for ends in zip(*edges, strict=True))
    short = shortened(Steps(7, source, target), np.array([0]), np.array([3]))
    assert short.number.tolist() == [0, -1, -1, 1, -1, -1, -1]
    assert (short.steps.source.tolist(), short.steps.target.tolist()) == ([0], [1])
    assert short.parts.toarray().tolist() == [[1, 1, 1, 0, 0, 0, 0]]


def test_a_graph_without_steps() -> None:
    nothing = np.array([], dtype=np.int64)
    short = shortened(Steps(2, nothing, nothing), np.array([1]), np.array([1]))
    assert (short.steps.size, short.parts.shape, short.number.tolist()) == (1, (0, 0), [-1, 0])

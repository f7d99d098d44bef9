"""Sums, probabilities and expected uses against linear algebra and against lists of all walks."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array, eye_array
from scipy.sparse.linalg import spsolve

from plancost.likely.walks import Field, Plan

SIZE = 7


def world(random: np.random.Generator, *, circles: bool) -> tuple[csr_array, np.ndarray]:
    """Some moves between seven states, the last of which is a goal that all lead to; and costs."""
    pairs = [(s, s + 1) for s in range(SIZE - 1)]
    pairs += [(int(a), int(b)) for a, b in random.integers(0, SIZE, (9, 2)) if a != b]
    if not circles:
        pairs = [(min(pair), max(pair)) for pair in pairs]
    pairs.sort()
    return moves_of(pairs, random.integers(0, 5, len(pairs)), SIZE), random.uniform(1.5, 3.0, 5)


def moves_of(pairs: Sequence[tuple[int, int]], actions: np.ndarray, size: int) -> csr_array:
    """Moves between states as a matrix whose entries are actions, two of a pair not added up."""
    first = np.searchsorted([a for a, _ in pairs], np.arange(size + 1))
    heads = np.array([b for _, b in pairs], np.int32)
    return csr_array((actions.astype(np.int32), heads, first.astype(np.int32)), shape=(size, size))


def plans(moves: csr_array, *starts: int, count: float = 1.0) -> list[Plan]:
    """From these states to the last; other states that they pass are not told."""
    goal = np.array([moves.shape[0] - 1])
    return [Plan(moves, n, goal, np.array([s]), (), count) for n, s in enumerate(starts)]


def solved(moves: csr_array, costs: np.ndarray) -> np.ndarray:
    """log z of all states by a sparse factorisation."""
    tail = np.repeat(np.arange(SIZE), np.diff(moves.indptr))
    matrix = csr_array((np.exp(-costs[moves.data]), (tail, moves.indices)), shape=(SIZE, SIZE))
    ends = np.zeros(SIZE)
    ends[-1] = 1.0
    return np.log(spsolve((eye_array(SIZE) - matrix).tocsc(), ends))


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_sums_are_those_of_linear_algebra(seed: int) -> None:
    moves, costs = world(np.random.default_rng(seed), circles=True)
    field = Field(plans(moves, 0, 2), costs, slack=math.inf)
    log_z = field.evaluate(costs, np.zeros(5))
    assert log_z == pytest.approx(solved(moves, costs)[[0, 2]], abs=1e-5)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_expected_uses_are_the_slope(seed: int) -> None:
    moves, costs = world(np.random.default_rng(seed), circles=True)
    field = Field(plans(moves, 0, 3, count=2.0), costs, slack=math.inf)
    uses = np.zeros(len(costs))
    field.evaluate(costs, uses)
    for label in range(len(costs)):
        step = np.eye(len(costs))[label] * 1e-3
        up, down = (solved(moves, costs + sign * step)[[0, 3]].sum() for sign in (1, -1))
        assert uses[label] == pytest.approx(-2.0 * (up - down) / 2e-3, abs=1e-4)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_probabilities_are_those_of_all_walks(seed: int) -> None:
    moves, costs = world(np.random.default_rng(seed), circles=False)
    walks = list(all_walks(moves, 0))
    weights = np.exp([-costs[list(walk)].sum() for walk in walks])
    field = Field(plans(moves, 0), costs)
    uses = np.zeros(len(costs))
    assert field.evaluate(costs, uses)[0] == pytest.approx(math.log(weights.sum()), abs=1e-5)
    expected = np.zeros(len(costs))
    for walk, weight in zip(walks, weights / weights.sum(), strict=True):
        np.add.at(expected, list(walk), weight)
    assert uses == pytest.approx(expected, abs=1e-4)
    assert field.uses_from(0, len(costs)) == pytest.approx(expected, abs=1e-4)


def test_what_is_far_is_left_out_and_does_not_matter() -> None:
    moves, costs = world(np.random.default_rng(1), circles=True)
    costs = costs * 6
    whole, near = (Field(plans(moves, 0), costs, slack) for slack in (math.inf, 20.0))
    assert len(near.states) < len(whole.states)
    log_z = near.evaluate(costs, np.zeros(5))
    assert log_z == pytest.approx(whole.evaluate(costs, np.zeros(5)), abs=1e-6)


def test_states_of_plans_stay_however_dear() -> None:
    moves, costs = world(np.random.default_rng(1), circles=True)
    every = np.arange(SIZE)
    field = Field([Plan(moves, 0, every[-1:], every, (), 1.0)], costs * 100, 1.0)
    assert sorted(field.states.tolist()) == every.tolist()
    assert np.isfinite(field.evaluate(costs * 100, np.zeros(5))).all()


@pytest.mark.parametrize("cost", [0.0, -0.5, 0.1])
def test_an_infinite_sum_is_told(cost: float) -> None:
    """Two moves forth and two back: below log 2 a move the sum is infinite."""
    pairs = [(0, 1), (0, 1), (1, 0), (1, 0), (1, 2)]
    moves = moves_of(pairs, np.zeros(5), 3)
    field = Field(plans(moves, 0), np.ones(1))
    uses = np.zeros(1)
    assert (field.evaluate(np.array([cost]), uses).tolist(), uses.tolist()) == ([math.inf], [0.0])
    assert np.isfinite(field.evaluate(np.ones(1), np.zeros(1))).all()


def test_long_plans_do_not_underflow() -> None:
    size = 3000
    moves = moves_of([(s, s + 1) for s in range(size - 1)], np.zeros(size - 1), size)
    field = Field(plans(moves, 0), np.ones(1))
    assert -field.evaluate(np.ones(1), np.zeros(1))[0] == pytest.approx(size - 1)


def all_walks(moves: csr_array, state: int) -> itertools.chain[tuple[int, ...]]:
    """All walks from a state to the last one, as labels; there are no circles."""

    def behind(at: int) -> list[tuple[int, ...]]:
        found: list[tuple[int, ...]] = [()] if at == SIZE - 1 else []
        for e in range(moves.indptr[at], moves.indptr[at + 1]):
            found += [(int(moves.data[e]), *rest) for rest in behind(int(moves.indices[e]))]
        return found

    return itertools.chain(behind(state))

"""Diagnostics of chains, on chains whose mixing is known."""

from __future__ import annotations

import numpy as np
import pytest

from plancost.learning.choose.convergence import effective_size, r_hat


def test_independent_draws_have_mixed() -> None:
    draws = np.random.default_rng(1).normal(size=(20, 16, 100))
    assert r_hat(draws).max() < 1.03
    assert effective_size(draws) == pytest.approx(np.full(20, 1600), rel=0.25)


@pytest.mark.parametrize("memory", [0.5, 0.9])
def test_the_size_of_chains_with_a_memory_is_known(memory: float) -> None:
    generator = np.random.default_rng(2)
    steps = generator.normal(size=(4, 16, 2000))
    draws = np.zeros_like(steps)
    for number in range(1, steps.shape[2]):
        draws[:, :, number] = memory * draws[:, :, number - 1] + steps[:, :, number]
    expected = 16 * 2000 * (1 - memory) / (1 + memory)
    assert effective_size(draws) == pytest.approx(np.full(4, expected), rel=0.2)


def test_a_chain_elsewhere_shows() -> None:
    draws = np.random.default_rng(3).normal(size=(1, 8, 100))
    draws[:, 0] += 3.0
    assert r_hat(draws)[0] > 1.1
    assert effective_size(draws)[0] < 100


def test_chains_that_drift_show_in_their_halves() -> None:
    draws = np.random.default_rng(4).normal(size=(1, 8, 100)) + np.linspace(0, 4, 100)
    assert r_hat(draws)[0] > 1.1


def test_a_heavy_tail_counts_by_its_ranks() -> None:
    draws = np.random.default_rng(5).standard_cauchy(size=(1, 16, 200))
    assert r_hat(draws)[0] < 1.03


def test_a_cost_that_cannot_change_has_mixed() -> None:
    draws = np.full((1, 4, 10), 7.0)
    assert r_hat(draws)[0] == 1.0
    assert effective_size(draws)[0] == 40

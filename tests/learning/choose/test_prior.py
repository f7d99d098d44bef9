"""What is thought of costs before any plan is seen, against SciPy's distributions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import truncnorm

from plancost.learning.choose.prior import SPREAD, Prior, truncated_normal
from plancost.learning.problem.task import LearningTask
from plancost.observations.planfile import Plan
from support.small_tasks import learning_tasks

_PARTS = np.array([[0.01, 0.3, 0.5, 0.9, 0.99]])


@settings(max_examples=200)
@given(st.floats(-20, 20), st.floats(0.01, 30), st.floats(0.1, 5))
def test_quantiles_of_cut_normal_distributions(start: float, width: float, spread: float) -> None:
    ends = np.array([[start]]), np.array([[start + width]])
    found = truncated_normal(np.zeros((1, 1)), np.full((1, 1), spread**-2), *ends, _PARTS)
    expected = truncnorm(start / spread, (start + width) / spread, scale=spread).ppf(_PARTS)
    assert found == pytest.approx(expected, rel=1e-3, abs=1e-3 * min(width, spread))


def test_far_from_the_centre_quantiles_stay_inside_and_in_order() -> None:
    ends = np.array([[60.0]]), np.array([[61.0]])
    found = truncated_normal(np.zeros((1, 1)), np.ones((1, 1)), *ends, _PARTS)[0]
    assert np.all((found >= 60.0) & (found <= 61.0) & (np.diff(found, prepend=60.0) > 0))
    assert found[2] == pytest.approx(60 + np.log(2) / 60, abs=1e-3)


@settings(max_examples=50)
@given(learning_tasks())
def test_the_prior_of_a_task(example: tuple[LearningTask, list[list[Plan]]]) -> None:
    task, _ = example
    prior = Prior.of(task)
    everything = np.arange(len(task.parameters))
    mean, sd = prior.moments(everything)
    assert np.all((prior.lower <= mean) & (mean <= prior.upper))
    if task.initial_costs is None:
        assert mean == pytest.approx(np.full(len(mean), (1 + SPREAD) / 2))
        assert sd == pytest.approx(np.full(len(sd), (SPREAD - 1) / np.sqrt(12)), rel=1e-3)
    draws = prior.draw(np.random.default_rng(0), everything, 4000)
    assert draws.mean(axis=1) == pytest.approx(mean, abs=5 * float(sd.max()) / np.sqrt(4000))
    assert draws.std(axis=1) == pytest.approx(sd, rel=0.1)

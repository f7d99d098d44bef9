"""Hit-and-run on small polytopes, against draws of the prior of which those inside are kept."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learning.choose.test_polytope import rows, uniform
from plancost.learning.choose.chains import Chains, pulled_inside
from plancost.learning.choose.polytope import Polytope, polytope_of
from plancost.learning.choose.prior import Prior, Vector
from plancost.learning.choose.shape import covariance_of
from plancost.learning.problem.rows import Row
from plancost.system.clock import Deadline

_CHAINS = 64
_DRAWS = 120


def normal() -> Prior:
    """Costs around 2, 4, 6 and 8."""
    centre = np.array([2.0, 4.0, 6.0, 8.0])
    return Prior(np.ones(4), np.full(4, 20.0), centre, (0.5 * centre) ** -2)


def walked(polytope: Polytope, prior: Prior) -> Vector:
    """Draws of chains, with lines along axes after a while."""
    points = np.repeat(polytope.centre[:, None], _CHAINS, axis=1)
    chains = Chains(polytope, prior, points, np.random.default_rng(1))
    chains.scatter()
    early = []
    for _ in range(20):
        chains.sweep()
        early.append(chains.points.copy())
    shape = covariance_of(polytope, np.concatenate(early, axis=1))
    if shape is not None:
        chains.adapt(shape, 1.0)
    found = []
    for _ in range(_DRAWS):
        chains.sweep()
        chains.sweep()
        chains.renew()
        found.append(chains.points.copy())
    return np.concatenate(found, axis=1)


@settings(max_examples=25, deadline=None)
@given(rows(), st.sampled_from([uniform(), normal()]))
def test_mean_and_spread_against_rejection(example: list[Row], prior: Prior) -> None:
    polytope = polytope_of(example, prior, Deadline())
    assert polytope is not None
    if polytope.equalities.any():
        return  # no draw of the prior lies inside
    drawn = prior.draw(np.random.default_rng(2), np.arange(4), 200_000)
    kept = drawn[:, np.all(polytope.matrix @ drawn <= polytope.limits[:, None], axis=0)]
    if kept.shape[1] < 2000:
        return
    found = walked(polytope, prior)
    assert np.all(polytope.matrix @ found <= polytope.limits[:, None] + 1e-6)
    sd = kept.std(axis=1)
    assert found.mean(axis=1) == pytest.approx(kept.mean(axis=1), abs=0.12 * float(sd.max()))
    assert found.std(axis=1) == pytest.approx(sd, rel=0.12)
    ends = np.quantile(kept, (0.05, 0.95), axis=1)
    assert np.quantile(found, (0.05, 0.95), axis=1) == pytest.approx(
        ends, abs=0.2 * float(sd.max())
    )


def test_equal_costs_stay_equal_and_have_the_right_mean() -> None:
    tie: list[Row] = [(((0, 1), (1, -1)), 0), (((0, -1), (1, 1)), 0), (((0, 1), (2, -1)), 0)]
    polytope = polytope_of(tie, uniform(), Deadline())
    assert polytope is not None
    found = walked(polytope, uniform())
    assert found[0] == pytest.approx(found[1])
    # x <= z, both uniform on [1, 20]: means at one and two thirds.
    assert found[0].mean() == pytest.approx(1 + 19 / 3, abs=0.25)
    assert found[2].mean() == pytest.approx(1 + 2 * 19 / 3, abs=0.25)
    assert found[3].mean() == pytest.approx(10.5, abs=0.25)


def test_points_outside_are_pulled_inside() -> None:
    polytope = polytope_of([(((0, 1), (1, -1)), 0)], uniform(), Deadline())
    assert polytope is not None
    points = np.random.default_rng(3).uniform(1, 20, (4, 50))
    found = pulled_inside(polytope, points)
    assert np.all(polytope.matrix @ found <= polytope.limits[:, None] + 1e-9)
    inside = points[0] < points[1]
    assert found[:, inside] == pytest.approx(points[:, inside], rel=0.05)


def test_lines_at_once_change_no_cost_twice() -> None:
    # Two pairs of costs that have nothing to do with each other, but for rounding in their axes.
    pairs: list[Row] = [(((0, 1), (1, -1)), -1), (((2, 1), (3, -1)), -1)]
    polytope = polytope_of(pairs, uniform(), Deadline())
    assert polytope is not None
    points = np.repeat(polytope.centre[:, None], _CHAINS, axis=1)
    chains = Chains(polytope, uniform(), points, np.random.default_rng(1))
    shape = np.full((4, 4), 1e-14)
    shape[:2, :2] = [[1.0, 0.9], [0.9, 1.0]]
    shape[2:, 2:] = [[1.0, 0.5], [0.5, 1.0]]
    chains.adapt(shape, 1.0)
    assert len(chains._lines) == 4  # two costs at once, or two axes
    for lines in chains._lines:
        assert len(lines.precision) == 2
        assert len(set(lines.parameters.tolist())) == len(lines.parameters)
    for _ in range(20):
        chains.sweep()
    true = chains._limits[:, None] - chains._matrix @ chains.points
    assert chains._room == pytest.approx(true, abs=1e-9)
    assert true.min() > -1e-9

"""The middle of a polytope, and axes along which steps do not depend on each other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from learning.choose.test_chains import normal
from learning.choose.test_polytope import rows, uniform
from plancost.learning.choose.chains import Chains
from plancost.learning.choose.convergence import r_hat
from plancost.learning.choose.polytope import polytope_of
from plancost.learning.choose.prior import Prior
from plancost.learning.choose.shape import axes, centred, covariance_at_centre, covariance_of
from plancost.learning.problem.rows import Row
from plancost.system.clock import Deadline


@settings(max_examples=25, deadline=None)
@given(rows())
def test_no_point_around_the_middle_has_a_larger_product_of_room(example: list[Row]) -> None:
    for prior in (uniform(), normal()):
        polytope = polytope_of(example, prior, Deadline())
        assert polytope is not None
        found = centred(polytope, prior)
        generator = np.random.default_rng(0)
        steps = polytope.directions @ generator.normal(size=(polytope.directions.shape[1], 200))
        points = np.column_stack([found.centre, found.centre[:, None] + 0.3 * steps])
        room = found.room(points)
        inside = np.all(room > 0, axis=0)
        away = points - prior.centre[:, None]
        value = np.log(np.where(inside, room, 1.0)).sum(axis=0)
        value -= 0.5 * prior.precision @ away**2
        assert inside[0]
        assert value[0] >= value[inside].max() - 1e-6


def test_a_box_is_centred_and_as_wide_as_it_is() -> None:
    prior = Prior(np.ones(2), np.array([3.0, 41.0]), np.ones(2), np.zeros(2))
    row: Row = (((0, 1), (1, -1)), -10_000)  # holds by far
    polytope = polytope_of([row], prior, Deadline())
    assert polytope is not None
    found = centred(polytope, prior)
    assert found.centre == pytest.approx([2.0, 21.0], rel=0.05)
    shape = covariance_at_centre(found, prior)
    assert shape is not None
    assert np.sqrt(shape[1, 1] / shape[0, 0]) == pytest.approx(20.0, rel=0.1)


def test_axes_are_conjugate() -> None:
    root = np.random.default_rng(1).normal(size=(5, 5)) * np.array([100.0, 1, 1, 1, 0.01])
    shape = root @ root.T
    found = axes(shape)
    products = found.T @ np.linalg.inv(shape) @ found
    assert products == pytest.approx(np.diag(np.diag(products)), abs=1e-6 * products.max())
    assert axes(np.zeros((3, 3))).shape[0] == 3


def test_a_narrow_polytope_mixes_along_its_slowest_axes_and_not_cost_by_cost() -> None:
    # Twelve costs in a row that differ by at most 1 from the next one, between 1 and 1000.
    size = 12
    pairs = [(n, m) for n in range(size - 1) for m in ((n, n + 1), (n + 1, n))]
    narrow: list[Row] = [(((a, 1), (b, -1)), -1) for _, (a, b) in pairs]
    prior = uniform(1.0, 1000.0, size)
    polytope = polytope_of(narrow, prior, Deadline())
    assert polytope is not None
    polytope = centred(polytope, prior)
    shape = covariance_at_centre(polytope, prior)
    assert shape is not None
    worst = []
    for part in (0.0, 0.25, 1.0):
        points = np.repeat(polytope.centre[:, None], 16, axis=1)
        chains = Chains(polytope, prior, points, np.random.default_rng(0))
        chains.adapt(shape, part)
        chains.scatter()
        values = np.empty((size, 16, 64))
        for number in range(64):
            chains.sweep()
            values[:, :, number] = chains.points
        worst.append(float(r_hat(values).max()))
    assert max(worst[1:]) < 1.05 < 1.5 < worst[0]
    assert covariance_of(polytope, values[:, :, -1]) is not None

"""Samples in whole numbers, and actions that they do not know."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.errors import InputError
from plancost.probability.sampled_costs import check_samples, sampled_costs
from plancost.results.claims import Claims
from plancost.results.samples import Samples
from support.drawn import samples

AB, BC, CD = "(move a b)", "(move b c)", "(move c d)"


@settings(max_examples=100)
@given(
    st.lists(st.lists(st.floats(1, 1e4), min_size=3, max_size=3), min_size=1, max_size=4),
    st.lists(st.integers(0, 2), max_size=6),
)
def test_rounding_is_less_than_one_for_each_step(rows: list[list[float]], plan: list[int]) -> None:
    """Also after the single precision of the file."""
    names, exact = (AB, BC, CD), np.array(rows)
    drawn = Samples(names, exact.astype(np.float32).astype(np.float64))
    found = sampled_costs(drawn, names)
    assert found.unit == 2**22 / drawn.costs.max()
    costs = found.of_plan(tuple(names[step] for step in plan))
    assert np.all(np.abs(costs - found.unit * exact[:, plan].sum(axis=1)) <= len(plan) + 1e-6)
    assert found.values.min() >= 1


def test_the_mean_and_each_sample_by_name() -> None:
    found = sampled_costs(samples({AB: 1, BC: 4}, {AB: 3, BC: 4}), [AB, BC])
    assert (found.count, found.unknown, found.notes()) == (2, (), [])
    assert found.mean[AB] == pytest.approx(found.mean[BC] / 2, abs=1)
    assert found.sample(0)[BC] == found.sample(1)[BC] == 2**22


def test_an_unknown_action_costs_what_some_action_of_its_schema_does() -> None:
    drawn = samples(*({AB: n, BC: 10 + n, "(fly a c)": 99} for n in range(1, 9)))
    found = sampled_costs(drawn, [CD, AB, BC])
    assert found.unknown == (CD,)
    assert "1 actions are not in the samples, such as (move c d)" in found.notes()[0]
    of_cd, of_ab, of_bc = found.values.T
    assert np.all((of_cd == of_ab) | (of_cd == of_bc))
    assert np.any(of_cd == of_ab) and np.any(of_cd == of_bc)
    assert np.array_equal(sampled_costs(drawn, [CD, AB, BC]).values, found.values)


def test_an_unknown_action_is_drawn_from_the_prior() -> None:
    drawn = replace(samples(*[{AB: 10.0, BC: 200.0}] * 400), prior=(100.0, 200.0))
    of_cd, of_bc = sampled_costs(drawn, [CD, BC]).values.T
    shares = of_cd / of_bc
    assert shares.min() >= 0.5 and shares.max() <= 1.0
    assert shares.mean() == pytest.approx(0.75, abs=0.03)
    assert shares.std() == pytest.approx(0.5 / 12**0.5, abs=0.02)


def test_the_default_the_class_and_nothing_known() -> None:
    drawn = samples({AB: 4, BC: 8}, {AB: 6, BC: 8})
    given = sampled_costs(drawn, [CD, BC], default_cost=2)
    assert np.array_equal(given.values[:, 0] * 4, given.values[:, 1])
    classes = {"(move a *)": 5, "(move b *)": 8}
    claims = Claims(costs={AB: 5, BC: 8}, shared=classes, path=None)
    shared = sampled_costs(drawn, [AB, "(move a z)"], claims=claims)
    assert np.array_equal(shared.values[:, 0], shared.values[:, 1])
    other = sampled_costs(drawn, ["(fly a b)", AB])
    assert other.values[0, 0] * 4 == pytest.approx(other.values[0, 1], abs=4)


def test_samples_of_another_result() -> None:
    drawn = samples({AB: 4, BC: 8})
    check_samples(drawn, Claims(costs={AB: 1, BC: 2}, path=None))
    with pytest.raises(InputError, match=r"another result: .move c d. is only in one"):
        check_samples(drawn, Claims(costs={AB: 1, BC: 2, CD: 3}, path=None))
    linear = Claims(costs={AB: 1, BC: 2}, linear={"move": {"constant": 1}}, path=None)
    with pytest.raises(InputError, match="weights are not sampled"):
        sampled_costs(drawn, [CD], claims=linear)

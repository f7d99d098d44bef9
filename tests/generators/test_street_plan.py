"""The streets of a made-up city look like those of a real one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from plancost.generators.street_plan import Kind, StreetPlan, draw_plan

SIZES = (100, 150, 400, 1500, 20_000)
SEEDS = range(4)


def plan_of(links: int, seed: int) -> StreetPlan:
    return draw_plan(links, np.random.default_rng(seed))


def strong_parts(plan: StreetPlan) -> int:
    back = ~plan.one_way
    tails = np.concatenate([plan.starts, plan.ends[back]])
    heads = np.concatenate([plan.ends, plan.starts[back]])
    graph = coo_array((np.ones(len(tails)), (tails, heads)), shape=(len(plan.x),) * 2)
    return int(connected_components(graph, directed=True, connection="strong")[0])


@settings(max_examples=200)
@given(st.integers(100, 3000), st.integers(0, 10**6))
def test_every_junction_can_be_reached_from_every_other(links: int, seed: int) -> None:
    plan = plan_of(links, seed)
    assert strong_parts(plan) == 1
    assert plan.links == pytest.approx(links, rel=0.2)


@pytest.mark.parametrize("links", SIZES)
def test_the_number_of_links_is_about_right(links: int) -> None:
    for seed in SEEDS:
        assert plan_of(links, seed).links == pytest.approx(links, rel=0.1 if links < 1000 else 0.02)


@pytest.mark.parametrize("links", SIZES)
def test_no_two_streets_join_the_same_junctions(links: int) -> None:
    plan = plan_of(links, 1)
    pairs = np.sort(np.stack([plan.starts, plan.ends], axis=1), axis=1)
    assert len(np.unique(pairs, axis=0)) == len(pairs)
    assert (plan.starts != plan.ends).all()


def test_degrees_are_those_of_a_city() -> None:
    """Most junctions join three or four streets, and some streets are dead ends."""
    for seed in SEEDS:
        plan = plan_of(20_000, seed)
        degrees = np.bincount(np.concatenate([plan.starts, plan.ends]))
        shares = np.bincount(degrees, minlength=5) / len(degrees)
        assert len(shares) == 5
        assert shares[0] == 0
        assert 0.05 < shares[1] < 0.25
        assert shares[2] < 0.25
        assert 0.35 < shares[3] < 0.6
        assert 0.1 < shares[4] < 0.35
        assert 2.3 < plan.links / len(plan.x) < 3


def test_some_small_streets_are_one_way_and_all_large_ones_are_not() -> None:
    plan = plan_of(20_000, 0)
    assert 0.02 < plan.one_way.mean() < 0.2
    assert set(plan.kinds[plan.one_way]) == {Kind.STREET}


def test_kinds_of_streets() -> None:
    plan = plan_of(20_000, 0)
    shares = np.bincount(plan.kinds, minlength=len(Kind)) / len(plan.kinds)
    assert shares[Kind.STREET] > 0.5
    assert (shares > 0).all()


@pytest.mark.parametrize("links", SIZES)
def test_the_river_is_crossed_on_few_bridges_only(links: int) -> None:
    for seed in SEEDS:
        plan = plan_of(links, seed)
        is_bridge = plan.kinds == Kind.BRIDGE
        assert 2 <= is_bridge.sum() <= 2 + 0.05 * links**0.5
        dry = ~is_bridge
        tails, heads = plan.starts[dry], plan.ends[dry]
        graph = coo_array((np.ones(len(tails)), (tails, heads)), shape=(len(plan.x),) * 2)
        _, bank = connected_components(graph, directed=False)
        assert (bank[plan.starts[is_bridge]] != bank[plan.ends[is_bridge]]).all()


def test_the_centre_is_denser_than_the_outskirts() -> None:
    plan = plan_of(20_000, 0)
    out = np.hypot(plan.x, plan.y)
    middle = np.median(out)
    lengths = np.hypot(
        plan.x[plan.starts] - plan.x[plan.ends], plan.y[plan.starts] - plan.y[plan.ends]
    )
    is_near = out[plan.starts] < middle
    assert lengths[is_near].mean() < lengths[~is_near].mean()
    assert 80 < lengths.mean() < 250


def test_a_seed_fixes_the_plan() -> None:
    one, two, other = plan_of(1000, 5), plan_of(1000, 5), plan_of(1000, 6)
    for name in ("x", "y", "starts", "ends", "kinds", "districts", "one_way", "bends"):
        assert (getattr(one, name) == getattr(two, name)).all()
    assert len(one.x) != len(other.x) or (one.x != other.x).any()

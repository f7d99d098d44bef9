"""Plans beside the allowed ones, against listing all plans up to some cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.oracles.other_plans import (
    cheapest_deviation,
    different_multiset_plan,
    near_deviations,
    unlisted_optimal_plan,
)
from plancost.oracles.shortest_paths import CostToGo
from support.plan_worlds import Plan, World, graph_of, switchboards, worlds


@settings(deadline=None)
@given(worlds(), st.data())
def test_cheapest_deviation(world: World, data: st.DataObject) -> None:
    plan = data.draw(st.sampled_from(world.plans))
    found = cheapest_deviation(world.cost_to_go(), world.states(plan), plan)
    others = [p for p in world.plans if p[: len(plan)] != plan]
    if found is None:
        assert not others
        return
    assert isinstance(found.cost, int)
    assert found.cost == world.cost(found.actions)
    assert found.actions[: len(plan)] != plan
    assert world.states(found.actions)[-1] in world.goal
    if others:
        assert found.cost == min(map(world.cost, others))
    else:
        assert found.cost > world.upper_bound


@settings(deadline=None)
@given(worlds(), st.data())
def test_near_deviations(world: World, data: st.DataObject) -> None:
    plan = data.draw(st.sampled_from(world.plans))
    within = data.draw(st.integers(0, 3))
    own, states = world.cost(plan), world.states(plan)
    found = list(near_deviations(world.cost_to_go(), states, plan, within))
    leaves = [
        next(i for i, (a, b) in enumerate(zip(plan, p, strict=False)) if a != b) for p in found
    ]
    assert len(set(leaves)) == len(found)
    costs = [world.cost(p) for p in found]
    assert costs == sorted(costs)
    best: dict[int, int] = {}
    for other in world.plans:
        step = next((i for i, (a, b) in enumerate(zip(plan, other, strict=False)) if a != b), None)
        if step is not None and world.cost(other) < own + within:
            best[step] = min(best.get(step, own + within), world.cost(other))
    if own + within <= world.upper_bound:
        assert costs == sorted(best.values())
        assert all(best[step] == cost for step, cost in zip(leaves, costs, strict=True))


@settings(deadline=None)
@given(worlds(), st.data())
def test_unlisted_optimal_plan(world: World, data: st.DataObject) -> None:
    allowed = data.draw(st.lists(st.sampled_from(world.plans), max_size=4))
    found = unlisted_optimal_plan(world.cost_to_go(), 0, allowed)
    outside = set(world.optimal_plans) - set(allowed)
    assert found in outside if outside else found is None


@settings(deadline=None)
@given(worlds(), st.data())
def test_different_multiset_plan(world: World, data: st.DataObject) -> None:
    allowed = data.draw(st.lists(st.sampled_from(world.plans), max_size=4))
    check_different_multiset(world, allowed)


def check_different_multiset(world: World, allowed: Sequence[Plan]) -> Plan | None:
    found = different_multiset_plan(world.cost_to_go(), 0, allowed)
    allowed_counts = [Counter(plan) for plan in allowed]
    outside = [plan for plan in world.optimal_plans if Counter(plan) not in allowed_counts]
    assert found in outside if outside else found is None
    return found


@settings(deadline=None, max_examples=200)
@given(switchboards(), st.data())
def test_reorderings_are_one_plan(world: World, data: st.DataObject) -> None:
    allowed = data.draw(st.lists(st.sampled_from(world.optimal_plans), max_size=3))
    check_different_multiset(world, allowed)
    unlisted = unlisted_optimal_plan(world.cost_to_go(), 0, allowed)
    outside = set(world.optimal_plans) - set(allowed)
    assert unlisted in outside if outside else unlisted is None


def test_all_orderings_of_many_commuting_actions() -> None:
    """Twelve switches have 12! orderings, but only 4096 states."""
    count = 12
    moves = {
        (state, switch): state | 1 << switch
        for state in range(2**count)
        for switch in range(count)
        if not state >> switch & 1
    }
    moves |= {(state, count): state | 1 for state in range(0, 2**count, 2)}
    graph = graph_of(moves, 2**count, count + 1, [2**count - 1])
    order = tuple(range(count))
    expensive = CostToGo(graph, graph.goals[0], np.array([3] * count + [4]))
    assert different_multiset_plan(expensive, 0, [order]) is None
    equal = CostToGo(graph, graph.goals[0], np.array([3] * count + [3]))
    other = different_multiset_plan(equal, 0, [order[::-1]])
    assert other is not None
    assert sorted(other) == list(range(1, count + 1))
    both = [order, (count, *order[1:])]
    assert different_multiset_plan(equal, 0, both) is None


def test_counts_of_actions_are_not_mixed_up() -> None:
    """Multisets are numbers inside: two of one action must not look like one of another."""
    graph = graph_of({(0, 0): 1, (1, 0): 2, (0, 1): 2}, 3, 2, [2])
    cost_to_go = CostToGo(graph, graph.goals[0], np.array([1, 2]))
    assert different_multiset_plan(cost_to_go, 0, [(0, 0)]) == (1,)
    assert different_multiset_plan(cost_to_go, 0, [(1,)]) == (0, 0)
    assert different_multiset_plan(cost_to_go, 0, [(0, 0, 0, 0), (0, 0)]) == (1,)
    assert different_multiset_plan(cost_to_go, 0, [(0, 0), (1,)]) is None


def test_stopping_early_is_a_deviation() -> None:
    moves = {(0, 0): 1, (1, 1): 2}
    graph = graph_of(moves, 3, 2, [1, 2])
    cost_to_go = CostToGo(graph, graph.goals[0], np.array([2, 3]))
    deviation = cheapest_deviation(cost_to_go, [0, 1, 2], [0, 1])
    assert deviation is not None
    assert (deviation.cost, deviation.actions) == (2, (0,))
    assert cheapest_deviation(cost_to_go, [0, 1], [0]) is None
    assert cheapest_deviation(cost_to_go, [1], []) is None

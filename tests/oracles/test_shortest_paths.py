"""Shortest paths, against listing all plans up to some cost."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.oracles.other_plans import (
    cheapest_deviation,
    different_multiset_plan,
    unlisted_optimal_plan,
)
from plancost.oracles.shortest_paths import (
    CostToGo,
    PricedGraph,
    cheaper_subpaths,
    cheapest_plan,
)
from support.plan_worlds import STATES, UPPER_BOUND, World, all_plans, graph_of, worlds


@settings(deadline=None)
@given(worlds(), st.integers(0, STATES - 1), st.booleans())
def test_cheapest_plans(world: World, start: int, as_floats: bool) -> None:
    if as_floats:
        costs = np.array(world.costs, dtype=np.float64) * 0.3 + 1.1
        cost_to_go = CostToGo(world.graph, world.graph.goals[0], costs)
        prices = costs.tolist()
    else:
        cost_to_go = world.cost_to_go()
        prices = list(world.costs)
    plans = list(all_plans(world.moves, world.goal, world.costs, start, UPPER_BOUND))
    best = min((sum(prices[a] for a in plan) for plan in plans), default=None)
    found = cheapest_plan(cost_to_go, start)
    if found is None:
        assert best is None
        assert cost_to_go.cost_from(start) is None
        return
    actions, states = found
    assert world.states(actions.tolist(), start) == states.tolist()
    assert int(states[-1]) in world.goal
    cost = cost_to_go.cost_from(start)
    assert cost is not None
    assert sum(prices[action] for action in actions.tolist()) == pytest.approx(cost)
    if not as_floats:
        assert isinstance(cost, int)
        assert cost == best if best is not None else cost > UPPER_BOUND
        optimal = [plan for plan in plans if world.cost(plan) == cost]
        if optimal:
            assert tuple(actions.tolist()) == min(optimal)


@settings(deadline=None)
@given(worlds(), st.integers(0, 12))
def test_a_limit_hides_what_is_farther(world: World, limit: int) -> None:
    costs = np.array(world.costs, dtype=np.int64)
    everything = world.cost_to_go().values
    limited = CostToGo(world.graph, world.graph.goals[0], costs, limit=limit).values
    assert np.array_equal(limited, np.where(everything <= limit, everything, np.inf))


@settings(deadline=None)
@given(worlds(), st.data())
def test_cheaper_subpaths(world: World, data: st.DataObject) -> None:
    plan = data.draw(st.sampled_from(world.plans))
    states = world.states(plan)
    subpaths = cheaper_subpaths(world.cost_to_go(), states, plan)
    assert bool(subpaths) == (world.cost(plan) != world.optimum)
    for subpath in subpaths:
        alternative = world.states(subpath.actions, states[subpath.start])
        if subpath.stop is None:
            assert alternative[-1] in world.goal
            assert not set(alternative) & set(states[subpath.start + 1 :])
        else:
            assert subpath.stop > subpath.start
            assert alternative[-1] == states[subpath.stop]
        observed = plan[subpath.start : subpath.stop]
        assert world.cost(subpath.actions) < world.cost(observed)
    starts = [subpath.start for subpath in subpaths]
    assert starts == sorted(set(starts), reverse=True)


def test_parallel_actions_count_once_at_the_least_cost() -> None:
    moves = {(0, 0): 1, (0, 1): 1, (0, 2): 1, (1, 0): 2}
    graph = graph_of(moves, 3, 3, [2])
    cost_to_go = CostToGo(graph, graph.goals[0], np.array([5, 3, 4]))
    assert cost_to_go.values.tolist() == [8, 5, 0]
    deviation = cheapest_deviation(cost_to_go, [0, 1, 2], [1, 0])
    assert deviation is not None
    assert (deviation.cost, deviation.actions) == (9, (2, 0))


def test_an_idle_step_is_a_stretch_of_its_own() -> None:
    graph = graph_of({(0, 1): 0, (0, 0): 1}, 2, 2, [1])
    cost_to_go = CostToGo(graph, graph.goals[0], np.array([1, 1]))
    states = graph.follow(0, ("(a1)", "(a1)", "(a0)"))
    assert states.tolist() == [0, 0, 0, 1]
    subpaths = cheaper_subpaths(cost_to_go, states, [1, 1, 0])
    assert [(s.start, s.stop, s.actions) for s in subpaths] == [(1, 2, ()), (0, 2, ())]


def test_large_costs_are_exact_or_refused() -> None:
    chain = graph_of({(state, 0): state + 1 for state in range(4)}, 5, 1, [4])
    cost = 2**51 - 1
    cost_to_go = CostToGo(chain, chain.goals[0], np.array([cost]))
    assert cost_to_go.cost_from(0) == 4 * cost
    above = CostToGo(chain, chain.goals[0], np.array([cost + 1]))
    assert above.cost_from(1) == 3 * (cost + 1)
    assert cheaper_subpaths(above, [1, 2, 3, 4], [0, 0, 0]) == []
    with pytest.raises(OverflowError):
        above.cost_from(0)
    with pytest.raises(OverflowError):
        cheapest_plan(above, 0)
    with pytest.raises(OverflowError):
        unlisted_optimal_plan(above, 0, [])
    with pytest.raises(OverflowError):
        cheaper_subpaths(above, [0, 1, 2, 3, 4], [0, 0, 0, 0])
    near = CostToGo(chain, chain.goals[0], np.array([cost + 1]), limit=2**52)
    assert near.cost_from(2) == 2 * (cost + 1)
    assert near.cost_from(0) is None
    huge = CostToGo(chain, chain.goals[0], np.array([2.0**60]))
    assert huge.cost_from(0) == 2.0**62


def test_wrong_costs_are_refused() -> None:
    graph = graph_of({(0, 0): 1}, 2, 1, [1])
    for costs in (np.array([0]), np.array([1, 1]), np.array([math.nan])):
        with pytest.raises(ValueError, match="positive cost"):
            CostToGo(graph, graph.goals[0], costs)
    floats = CostToGo(graph, graph.goals[0], np.array([1.5]))
    with pytest.raises(ValueError, match="integer costs"):
        unlisted_optimal_plan(floats, 0, [])
    with pytest.raises(ValueError, match="integer costs"):
        different_multiset_plan(floats, 0, [])


def test_no_goal_state_and_no_way() -> None:
    graph = graph_of({(0, 0): 1}, 2, 1, [])
    cost_to_go = CostToGo(graph, graph.goals[0], np.array([1]))
    assert cost_to_go.values.tolist() == [math.inf, math.inf]
    assert cheapest_plan(cost_to_go, 0) is None
    assert unlisted_optimal_plan(cost_to_go, 0, []) is None
    assert different_multiset_plan(cost_to_go, 0, []) is None
    assert cheapest_deviation(cost_to_go, [0, 1], [0]) is None


@settings(deadline=None)
@given(worlds(), st.lists(st.tuples(st.frozensets(st.integers(0, STATES - 1)), st.integers(0, 12))))
def test_many_goals_are_searched_at_least_up_to_their_limits(
    world: World, wanted: list[tuple[frozenset[int], int]]
) -> None:
    priced = PricedGraph(world.graph, np.array(world.costs, dtype=np.int64))
    goals = [np.array(sorted(goal), dtype=np.int64) for goal, _ in wanted]
    limits = [float(limit) for _, limit in wanted]
    found = dict(priced.costs_to_go(goals, limits))
    everything = dict(priced.costs_to_go(goals))
    assert sorted(found) == sorted(everything) == list(range(len(goals)))
    for number, goal in enumerate(goals):
        alone = CostToGo(world.graph, goal, np.array(world.costs, dtype=np.int64)).values
        assert np.array_equal(everything[number].values, alone)
        within = alone <= limits[number]
        assert np.array_equal(found[number].values[within], alone[within])
        assert np.all(found[number].values[~within] >= alone[~within])

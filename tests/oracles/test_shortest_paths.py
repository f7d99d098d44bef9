"""Shortest paths and other plans, against listing all plans up to some cost."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plancost.oracles.other_plans import (
    cheapest_deviation,
    different_multiset_plan,
    unlisted_optimal_plan,
)
from plancost.oracles.shortest_paths import CostToGo, cheaper_subpaths, cheapest_plan
from plancost.oracles.state_graph import StateGraph

Moves = dict[tuple[int, int], int]
"""State and action to next state."""
Plan = tuple[int, ...]


def graph_of(moves: Moves, states: int, actions: int, goal: Sequence[int]) -> StateGraph:
    triples = [(s, t, a) for (s, a), t in sorted(moves.items()) if s != t]
    source, target, action = np.array(triples, dtype=np.int32).reshape(-1, 3).T
    idle = [s * actions + a for (s, a), t in sorted(moves.items()) if s == t]
    return StateGraph(
        tuple(f"(a{number})" for number in range(actions)),
        states,
        source,
        target,
        action,
        (0,),
        (np.array(goal, dtype=np.int64),),
        np.array(idle, dtype=np.int64),
    )


@dataclass(frozen=True)
class World:
    """A graph, costs, and all plans from state 0 that cost at most `upper_bound`."""

    moves: Moves
    graph: StateGraph
    goal: frozenset[int]
    costs: tuple[int, ...]
    upper_bound: int
    plans: tuple[Plan, ...]

    def cost_to_go(self) -> CostToGo:
        return CostToGo(self.graph, self.graph.goals[0], np.array(self.costs, dtype=np.int64))

    def cost(self, plan: Sequence[int]) -> int:
        return sum(self.costs[action] for action in plan)

    def states(self, plan: Sequence[int], start: int = 0) -> list[int]:
        found = [start]
        for action in plan:
            found.append(self.moves[found[-1], action])
        return found

    @property
    def optimum(self) -> int | None:
        return min(map(self.cost, self.plans), default=None)

    @property
    def optimal_plans(self) -> list[Plan]:
        return [plan for plan in self.plans if self.cost(plan) == self.optimum]


def all_plans(
    moves: Moves, goal: frozenset[int], costs: Sequence[int], state: int, budget: int
) -> Iterator[Plan]:
    """Every sequence of actions that ends in the goal, cycles and all."""
    if state in goal:
        yield ()
    for action, cost in enumerate(costs):
        target = moves.get((state, action), state)
        if target != state and cost <= budget:
            for rest in all_plans(moves, goal, costs, target, budget - cost):
                yield (action, *rest)


STATES, ACTIONS, UPPER_BOUND = 5, 4, 8


@st.composite
def worlds(draw: st.DrawFn) -> World:
    """Random moves, and a goal that two of them can reach within the bound."""
    node, action = st.integers(0, STATES - 1), st.integers(0, ACTIONS - 1)
    moves = draw(st.dictionaries(st.tuples(node, action), node, max_size=9))
    state = 0
    for step, target in draw(st.lists(st.tuples(action, node), max_size=2)):
        state = moves.setdefault((state, step), target)
    goal = draw(st.frozensets(node, max_size=1)) | {state}
    costs = tuple(draw(st.integers(1, UPPER_BOUND // 2)) for _ in range(ACTIONS))
    graph = graph_of(moves, STATES, ACTIONS, sorted(goal))
    return World(
        moves, graph, goal, costs, UPPER_BOUND, tuple(all_plans(moves, goal, costs, 0, UPPER_BOUND))
    )


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


@st.composite
def switchboards(draw: st.DrawFn) -> World:
    """Switches to turn on in any order, some also by other actions: many reorderings."""
    switches = draw(st.integers(2, 3))
    others = draw(st.lists(st.integers(0, switches - 1), max_size=2))
    turns_on = [*range(switches), *others]
    needs = [0] * switches + [draw(st.sampled_from([0, 1, 2])) for _ in others]
    moves = {
        (state, number): state | 1 << switch
        for state in range(2**switches)
        for number, switch in enumerate(turns_on)
        if state & needs[number] == needs[number]
    }
    goal = frozenset([2**switches - 1])
    costs = tuple(draw(st.integers(1, 2)) for _ in turns_on)
    graph = graph_of(moves, 2**switches, len(turns_on), sorted(goal))
    upper_bound = 2 * switches
    return World(
        moves, graph, goal, costs, upper_bound, tuple(all_plans(moves, goal, costs, 0, upper_bound))
    )


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

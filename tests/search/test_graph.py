"""State graphs and their searches against plain Python."""

from __future__ import annotations

import heapq
from math import inf

import numpy as np
import pytest

from brute_force import is_goal, successors
from plancost.case.model import Case, Condition, Effect, Operator, Strips, Task
from plancost.clock import Clock
from plancost.search.graph import StateGraph
from plancost.search.transitions import state_graph
from random_tasks import draw_case


@pytest.mark.parametrize("seed", range(30))
def test_all_ways_of_a_world_are_in_its_graph(seed: int) -> None:
    case = draw_case(seed)
    every = np.ones(len(case.actions), dtype=bool)
    for task in case.tasks:
        reached = state_graph(case.worlds[task.world], [task], every, 10_000, Clock())
        assert reached is not None
        graph, (start,), (goal,) = reached.graph, reached.starts, reached.goals
        costs = np.random.default_rng(seed).integers(1, 9, len(case.actions)).astype(float)
        (found,) = [d for _, d in graph.search(costs, np.array([start]), np.array([inf]))]
        cheapest = min((found.value[state] for state in goal), default=inf)
        assert cheapest == _cheapest(case, task, costs)
        steps = graph.distances_to(goal)
        if np.isfinite(cheapest):
            towards = graph.search_towards(graph.pairs(costs), start, cheapest, steps)
            assert min(towards.value[state] for state in goal) == cheapest


def _cheapest(case: Case, task: Task, costs: np.ndarray) -> float:
    """What a cheapest plan costs, by Dijkstra over sets of atoms."""
    world = case.worlds[task.world]
    queue, done, tie = [(0.0, 0, task.initial)], set(), 0
    while queue:
        cost, _, state = heapq.heappop(queue)
        if is_goal(world, task, state):
            return cost
        if state in done:
            continue
        done.add(state)
        for action, after in successors(world, state):
            tie += 1
            heapq.heappush(queue, (cost + float(costs[action]), tie, after))
    return inf


def test_parallel_and_repeated_transitions() -> None:
    source = np.array([0, 0, 0, 1, 1])
    target = np.array([1, 1, 1, 1, 2])
    graph = StateGraph(3, source, target, np.array([2, 1, 1, 0, 3]))
    assert graph.action.tolist() == [1, 2, 3]
    assert graph.cheapest_actions([0, 1, 2], np.array([1.0, 5.0, 4.0, 1.0])) == (2, 3)
    assert graph.follow(0, [0, 1, 3]) == [0, 0, 1, 2]
    assert graph.leads(0, [2, 3]) == 2
    assert graph.leads(0, [3]) is None


def test_states_that_differ_in_few_bits_of_two_words_are_told_apart() -> None:
    """A product of words as their hash takes these two for one."""
    read = Operator(0, Condition(forbids=frozenset(range(128))), ())
    one = Operator(1, Condition(), (Effect(63, adds=True),))
    two = Operator(2, Condition(), (Effect(98, adds=True), Effect(127, adds=True)))
    world = Strips(tuple(map(str, range(128))), (read, one, two))
    goal = Condition(frozenset([63, 98, 127]))
    task = Task("t", 0, frozenset(), goal)
    reached = state_graph(world, [task], np.ones(3, dtype=bool), 10_000, Clock())
    assert reached is not None
    assert (reached.graph.size, len(reached.graph.action)) == (4, 4)

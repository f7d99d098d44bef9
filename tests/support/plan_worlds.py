"""Small state graphs with all their plans up to some cost, for the searches on graphs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from plancost.oracles.shortest_paths import CostToGo
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

"""Strict optimality: is there a plan beside the allowed ones that costs no more?

Knowing a cheapest plan does not answer this, since it may be an allowed one. What is
allowed differs: the observed plan alone (`cheapest_deviation`), all orderings of some
plans (`different_multiset_plan`), or a list of plans (`unlisted_optimal_plan`). The
cost-to-go makes each question easy: after the first step outside what is allowed, any
cheapest rest of the way will do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from plancost.oracles.shortest_paths import CostToGo, cheapest_plan
from plancost.oracles.state_graph import Indices


@dataclass(frozen=True)
class Deviation:
    """A plan other than the given one, with its cost."""

    cost: int | float
    actions: tuple[int, ...]


def cheapest_deviation(
    cost_to_go: CostToGo, states: Sequence[int] | Indices, actions: Sequence[int] | Indices
) -> Deviation | None:
    """The cheapest plan that differs from the given one, or None if there is none.

    It takes another action in one of the states, or stops where the goal holds before
    the plan's end. Left out are plans that go on after the plan's end or apply an
    action that changes nothing: they are never cheaper than a plan that does not.
    """
    prefix = cost_to_go.prefix_costs(actions)
    visited = np.asarray(states, dtype=np.int64)
    taken = np.asarray(actions, dtype=np.int64)
    best: Deviation | None = None
    early = np.flatnonzero(cost_to_go.values[visited[:-1]] == 0)
    if len(early):
        stop = int(early[0])
        best = Deviation(prefix[stop], tuple(taken[:stop].tolist()))
    steps, transitions, cost = _other_steps(cost_to_go, visited, taken)
    if not len(steps):
        return best
    position = int(np.argmin(cost))
    if np.isinf(cost[position]) or (best is not None and best.cost <= cost[position]):
        return best
    step, transition = int(steps[position]), int(transitions[position])
    return Deviation(
        cost_to_go.number(float(cost[position])), _through(cost_to_go, taken, step, transition)
    )


def near_deviations(
    cost_to_go: CostToGo,
    states: Sequence[int] | Indices,
    actions: Sequence[int] | Indices,
    within: float,
) -> Iterator[tuple[int, ...]]:
    """Plans that differ from the given one and cost less than `within` more, the cheapest first.

    At most one for each state in which the plan can be left.
    """
    visited = np.asarray(states, dtype=np.int64)
    taken = np.asarray(actions, dtype=np.int64)
    steps, transitions, cost = _other_steps(cost_to_go, visited, taken)
    below = cost_to_go.prefix_costs(actions)[-1] + within
    seen: set[int] = set()
    for position in np.argsort(cost, kind="stable").tolist():
        if cost[position] >= below:
            return
        step = int(steps[position])
        if step not in seen:
            seen.add(step)
            yield _through(cost_to_go, taken, step, int(transitions[position]))


def _other_steps(
    cost_to_go: CostToGo, visited: Indices, taken: Indices
) -> tuple[Indices, Indices, npt.NDArray[np.float64]]:
    """The steps of a plan, transitions that leave it there, and what a plan costs that does."""
    graph = cost_to_go.graph
    first = graph.first_transition[visited[:-1]]
    count = graph.first_transition[visited[:-1] + 1] - first
    steps = np.repeat(np.arange(len(taken)), count)
    transitions = np.repeat(first - (np.cumsum(count) - count), count) + np.arange(len(steps))
    other = graph.action[transitions] != taken[steps]
    steps, transitions = steps[other], transitions[other]
    cost = (
        np.asarray(cost_to_go.prefix_costs(taken), dtype=np.float64)[steps]
        + cost_to_go.weights[graph.action[transitions]]
        + cost_to_go.values[graph.target[transitions]]
    )
    return steps, transitions, cost


def _through(cost_to_go: CostToGo, taken: Indices, step: int, transition: int) -> tuple[int, ...]:
    """The plan that takes a transition in place of a step, and then the cheapest way."""
    graph = cost_to_go.graph
    rest = _cheapest_actions(cost_to_go, int(graph.target[transition]))
    return (*taken[:step].tolist(), int(graph.action[transition]), *rest)


def different_multiset_plan(
    cost_to_go: CostToGo, start: int, allowed: Iterable[Sequence[int]]
) -> tuple[int, ...] | None:
    """A cheapest plan from a state that is no ordering of an allowed plan, or None.

    Costs must be integers. Walk all tight transitions and label each state with the
    actions, regardless of order, by which it was reached. If m plans are allowed and a
    state has more than m labels, then one of them, followed by any rest of the way, is
    outside; so there are never more than m labels at a state to go on from.
    """
    cost_to_go.require_integers()
    optimum = cost_to_go.cost_from(start)
    if optimum is None:
        return None
    cheapest_action = int(cost_to_go.costs.min()) if len(cost_to_go.costs) else 1
    bags = _Bags(int(optimum) // cheapest_action)
    allowed_bags = {
        bags.of(plan) for plan in allowed if cost_to_go.prefix_costs(plan)[-1] == optimum
    }
    labels: dict[int, dict[int, tuple[int, int, int] | None]] = {start: {0: None}}

    def way_to(state: int, bag: int) -> tuple[int, ...]:
        steps = []
        origin = labels[state][bag]
        while origin is not None:
            state, bag, action = origin
            steps.append(action)
            origin = labels[state][bag]
        return tuple(reversed(steps))

    open_labels = [(start, 0)]
    while open_labels:
        state, bag = open_labels.pop()
        if cost_to_go.values[state] == 0 or len(labels[state]) > len(allowed_bags):
            rest = _cheapest_actions(cost_to_go, state)
            for label in labels[state]:
                if label + bags.of(rest) not in allowed_bags:
                    return (*way_to(state, label), *rest)
            continue  # only at a goal state
        for action, target in cost_to_go.tight_transitions(state):
            larger = bag + bags.of((action,))
            at_target = labels.setdefault(target, {})
            if larger not in at_target:
                at_target[larger] = (state, bag, action)
                open_labels.append((target, larger))
    return None


def unlisted_optimal_plan(
    cost_to_go: CostToGo, start: int, allowed: Iterable[Sequence[int]]
) -> tuple[int, ...] | None:
    """A cheapest plan from a state that is none of the allowed, or None.

    Costs must be integers. Plans are compared as sequences of actions. The allowed
    plans form a tree; where a tight transition leaves it, a plan outside begins.
    """
    cost_to_go.require_integers()
    if cost_to_go.cost_from(start) is None:
        return None
    root = _Tree()
    for plan in allowed:
        root.add(plan)
    open_nodes: list[tuple[int, _Tree, tuple[int, ...]]] = [(start, root, ())]
    while open_nodes:
        state, node, way = open_nodes.pop()
        if cost_to_go.values[state] == 0 and not node.is_end:
            return way
        for action, target in cost_to_go.tight_transitions(state):
            if action not in node.branches:
                return (*way, action, *_cheapest_actions(cost_to_go, target))
            open_nodes.append((target, node.branches[action], (*way, action)))
    return None


@dataclass
class _Tree:
    """The plans that start with the actions on the way to this node."""

    branches: dict[int, _Tree] = field(default_factory=dict)
    is_end: bool = False

    def add(self, plan: Sequence[int]) -> None:
        node = self
        for action in plan:
            node = node.branches.setdefault(int(action), _Tree())
        node.is_end = True


class _Bags:
    """Multisets of actions as integers: a field of bits for the count of each action."""

    def __init__(self, largest_count: int) -> None:
        self._width = largest_count.bit_length()
        self._units: dict[int, int] = {}

    def of(self, actions: Iterable[int]) -> int:
        return sum(
            self._units.setdefault(int(action), 1 << (self._width * len(self._units)))
            for action in actions
        )


def _cheapest_actions(cost_to_go: CostToGo, state: int) -> tuple[int, ...]:
    plan = cheapest_plan(cost_to_go, state)
    assert plan is not None
    return tuple(plan[0].tolist())

"""Maximum-entropy inverse reinforcement learning, as something to compare with.

Ziebart, Maas, Bagnell and Dey (2008) take a plan to be drawn with a probability that falls
exponentially in its cost. Costs are those under which the observed plans are most likely. Here the
features of a plan are how often each ground action occurs, so that there is one cost for each
action, as in the rest of plancost.

Plans are paths in the state graph that end where they first reach the goal, with at most H
steps (twice as many as the longest observed plan): see `learning.choose.walks`, and
`learning.choose.likelihood` for the prior.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from plancost.learning.choose import walks
from plancost.learning.choose.likelihood import (
    LEAST_COST,
    Likelihood,
    usual_cost,
    whole_costs,
)
from plancost.learning.choose.walks import Passage, Steps, Vector, by_steps
from plancost.oracles.state_graph import Indices, StateGraph
from plancost.system.clock import Deadline

__all__ = [
    "LEAST_COST",
    "SPREADS",
    "Journey",
    "MaximumEntropy",
    "fits",
    "learn_with_best_spread",
    "whole_costs",
]

_SPREAD = 3.0
"""The standard deviation of the prior, where there are too few plans to choose one."""
SPREADS = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Those that are compared."""
_FOLDS = 4
_ROUGHLY = 1e-5
"""How exactly costs are found that are only compared."""
_LEAST_HORIZON = 10
_TOLERANCE = 1e-10


@dataclass(frozen=True)
class Journey:
    """An observed plan in a graph, by the number of its task there, `count` times."""

    task: int
    plan: tuple[str, ...]
    count: int = 1


class MaximumEntropy:
    """The likelihood of observed plans as a function of one cost for each action.

    `actions` are the names of all actions, sorted; a cost vector has their order.
    """

    def __init__(
        self, journeys: Sequence[tuple[StateGraph, Sequence[Journey]]], spread: float = _SPREAD
    ) -> None:
        names = {name for graph, _ in journeys for name in graph.action_names}
        self.actions = tuple(sorted(names))
        number = {name: position for position, name in enumerate(self.actions)}
        self.observed = np.zeros(len(self.actions))
        """How often each action occurs in the observed plans."""
        self._graphs: list[tuple[StateGraph, Indices, list[Passage]]] = []
        longest = 0
        most_choices = 1
        for graph, members in journeys:
            local = np.array([number[name] for name in graph.action_names], dtype=np.int64)
            passages, steps = _passages(graph, members)
            for actions, count in steps:
                np.add.at(self.observed, local[actions], count)
                longest = max(longest, len(actions))
            if len(graph.source):
                most_choices = max(most_choices, int(np.diff(graph.first_transition).max()))
            self._graphs.append((graph, local, passages))
        self.horizon = max(_LEAST_HORIZON, 2 * longest)
        self.usual_cost = usual_cost(most_choices)
        """The centre of the prior."""
        centre = np.full(len(self.actions), self.usual_cost)
        self._likelihood = Likelihood(self.observed, self._sums, centre, spread)

    def learn(
        self,
        deadline: Deadline = Deadline(),  # noqa: B008 (frozen)
        tolerance: float = _TOLERANCE,
    ) -> dict[str, float] | None:
        """The most likely costs, or None if they are not found in time."""
        found = self._likelihood.most_likely(deadline, tolerance=tolerance)
        return None if found is None else dict(zip(self.actions, found.tolist(), strict=True))

    def log_likelihood(self, costs: Vector) -> tuple[float, Vector]:
        """Its logarithm with that of the prior, up to a constant, and the gradient."""
        value, gradient = self._likelihood.loss(costs)
        return -value, -gradient

    def _sums(self, costs: Vector) -> tuple[float, Vector]:
        total, expected = 0.0, np.zeros(len(costs))
        for graph, local, passages in self._graphs:
            actions = local[graph.action]
            steps = Steps(graph.state_count, graph.source, graph.target)
            weights = np.exp(-costs[actions])
            logarithms, used = by_steps(steps, weights, passages, self.horizon)
            total += logarithms
            np.add.at(expected, actions, used)
        return total, expected


def learn_with_best_spread(
    journeys: Sequence[tuple[StateGraph, Sequence[Journey]]], deadline: Deadline
) -> tuple[dict[str, float], float] | None:
    """The most likely costs and the usual cost; None: no time.

    The spread of the prior is the one under which journeys that are left out are most likely.
    """
    scores = {spread: _left_out(journeys, spread, deadline) for spread in SPREADS}
    if any(score is None for score in scores.values()):
        return None
    known = {spread: score for spread, score in scores.items() if score is not None}
    alike = len(set(known.values())) == 1
    model = MaximumEntropy(journeys, _SPREAD if alike else max(known, key=known.__getitem__))
    costs = model.learn(deadline)
    return None if costs is None else (costs, model.usual_cost)


def _left_out(
    journeys: Sequence[tuple[StateGraph, Sequence[Journey]]], spread: float, deadline: Deadline
) -> float | None:
    """The logarithm of the likelihood of journeys under costs learned from the others.

    0 if there are no others.
    """
    numbers = {id(own): n for n, own in enumerate(j for _, some in journeys for j in some)}
    folds = min(_FOLDS, len(numbers))
    total = 0.0
    for fold in range(folds if folds > 1 else 0):
        kept, out = (
            [
                (graph, [own for own in some if (numbers[id(own)] % folds == fold) is is_out])
                for graph, some in journeys
            ]
            for is_out in (False, True)
        )
        costs = MaximumEntropy(kept, spread).learn(deadline, _ROUGHLY)
        if costs is None:
            return None
        judge = MaximumEntropy(out, math.inf)
        total += judge.log_likelihood(np.array([costs[name] for name in judge.actions]))[0]
    return total


def fits(graph: StateGraph, longest_plan: int) -> bool:
    """Whether soft value iteration on this graph stays within memory."""
    return walks.fits(graph.state_count, max(_LEAST_HORIZON, 2 * longest_plan))


def _passages(
    graph: StateGraph, members: Sequence[Journey]
) -> tuple[list[Passage], list[tuple[Indices, int]]]:
    """Journeys by goal, and the steps of each up to where it first reaches the goal.

    A step that changes nothing is no transition of the graph, so it is left out.
    """
    starts: dict[bytes, dict[int, int]] = {}
    goals: dict[bytes, Indices] = {}
    steps: list[tuple[Indices, int]] = []
    for journey in members:
        goal = graph.goals[journey.task]
        states = graph.follow(journey.task, journey.plan)
        reached = int(np.flatnonzero(np.isin(states, goal))[0])
        moves = np.flatnonzero(states[1 : reached + 1] != states[:reached])
        taken = np.array([graph.action_number[name] for name in journey.plan], dtype=np.int64)
        steps.append((taken[moves], journey.count))
        goals[goal.tobytes()] = goal
        counts = starts.setdefault(goal.tobytes(), {})
        counts[int(states[0])] = counts.get(int(states[0]), 0) + journey.count
    return [
        Passage(
            goals[key],
            np.array(list(counts), dtype=np.int64),
            np.array(list(counts.values()), dtype=np.float64),
        )
        for key, counts in starts.items()
    ], steps

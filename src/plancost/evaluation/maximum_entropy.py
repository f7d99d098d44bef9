"""Maximum-entropy inverse reinforcement learning, as something to compare with.

Ziebart, Maas, Bagnell and Dey (2008) take a plan to be drawn with a probability that falls
exponentially in its cost: p(plan) = exp(-cost(plan)) / Z, where Z sums over all plans of the
task. Costs are those under which the observed plans are most likely. Here the features of a
plan are how often each ground action occurs, so that there is one cost for each action, as in
the rest of plancost.

Plans are paths in the state graph that end where they first reach the goal, with at most H
steps (twice as many as the longest observed plan). Z comes from H steps of soft value iteration
backwards from the goal, and its gradient, the expected number of times that each action occurs,
from the same steps taken forwards.

An action that is never seen would become infinitely dear, so costs have a prior: a normal
distribution around one value for all actions. With it the logarithm of the likelihood is strictly
concave, so there is one answer, whatever the order of things. L-BFGS-B finds it among positive
costs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import Bounds, minimize
from scipy.sparse import csr_array

from plancost.oracles.state_graph import Indices, StateGraph
from plancost.system.clock import Deadline

Vector = npt.NDArray[np.float64]

LEAST_COST = 0.01
"""Costs are positive."""
_SPREAD = 3.0
"""The standard deviation of the prior, where there are too few plans to choose one."""
SPREADS = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Those that are compared."""
_FOLDS = 4
_ROUGHLY = 1e-5
"""How exactly costs are found that are only compared."""
_LEAST_HORIZON = 10
_MOST_NUMBERS = 25_000_000
"""How many numbers soft value iteration may keep at once: 200 MB."""
_MOST_ITERATIONS = 1000
_TOLERANCE = 1e-10
_SMALLEST = float(np.finfo(np.float64).tiny)


@dataclass(frozen=True)
class Journey:
    """An observed plan in a graph, by the number of its task there, `count` times."""

    task: int
    plan: tuple[str, ...]
    count: int = 1


@dataclass(frozen=True)
class _Passage:
    """What the likelihood needs of journeys that share a graph and a goal."""

    goal: Indices
    starts: Indices
    weights: Vector


class _OutOfTimeError(Exception):
    """Ends the search for costs."""


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
        self._precision = 1.0 / spread**2
        self._graphs: list[tuple[StateGraph, Indices, list[_Passage]]] = []
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
        self.usual_cost = 1.0 + math.log(most_choices)
        """The centre of the prior: the choices in a state then weigh less than 1 together."""

    def learn(
        self,
        deadline: Deadline = Deadline(),  # noqa: B008 (frozen)
        tolerance: float = _TOLERANCE,
    ) -> dict[str, float] | None:
        """The most likely costs, or None if they are not found in time."""

        def negated(costs: Vector) -> tuple[float, Vector]:
            if deadline.is_over:
                raise _OutOfTimeError
            value, gradient = self.log_likelihood(costs)
            return -value, -gradient

        try:
            found = minimize(
                negated,
                np.full(len(self.actions), self.usual_cost),
                jac=True,
                method="L-BFGS-B",
                bounds=Bounds(LEAST_COST, np.inf),
                tol=tolerance,
                options={"maxiter": _MOST_ITERATIONS},
            )
        except _OutOfTimeError:
            return None
        return dict(zip(self.actions, found.x.tolist(), strict=True))

    def log_likelihood(self, costs: Vector) -> tuple[float, Vector]:
        """Its logarithm with that of the prior, up to a constant, and the gradient."""
        shift = costs - self.usual_cost
        value = -float(self.observed @ costs) - 0.5 * self._precision * float(shift @ shift)
        gradient = -self.observed - self._precision * shift
        for graph, local, passages in self._graphs:
            weights = np.exp(-costs[local])
            matrix = csr_array(
                (weights[graph.action], graph.target, graph.first_transition),
                shape=(graph.state_count, graph.state_count),
            )
            for passage in self._blocks(graph, passages):
                logarithms, expected = _backwards_and_forwards(
                    graph, matrix, weights, passage, self.horizon
                )
                value -= logarithms
                np.add.at(gradient, local, expected)
        return value, gradient

    def _blocks(self, graph: StateGraph, passages: Sequence[_Passage]) -> list[Sequence[_Passage]]:
        """The goals that are dealt with at once, so that memory is enough."""
        at_once = max(1, _MOST_NUMBERS // (graph.state_count * (self.horizon + 1)))
        return [passages[first : first + at_once] for first in range(0, len(passages), at_once)]


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
    horizon = max(_LEAST_HORIZON, 2 * longest_plan)
    return graph.state_count * (horizon + 1) <= _MOST_NUMBERS


def whole_costs(costs: Mapping[str, float], parts: int = 1000) -> dict[str, int]:
    """Costs as whole numbers of such parts, at least 1, for the oracles, which count exactly."""
    return {name: max(1, round(parts * cost)) for name, cost in costs.items()}


def _passages(
    graph: StateGraph, members: Sequence[Journey]
) -> tuple[list[_Passage], list[tuple[Indices, int]]]:
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
        _Passage(
            goals[key],
            np.array(list(counts), dtype=np.int64),
            np.array(list(counts.values()), dtype=np.float64),
        )
        for key, counts in starts.items()
    ], steps


def _backwards_and_forwards(
    graph: StateGraph,
    matrix: csr_array,
    weights: Vector,
    passages: Sequence[_Passage],
    horizon: int,
) -> tuple[float, Vector]:
    """Summed over journeys: the logarithm of Z, and how often each action is expected."""
    size = (graph.state_count, len(passages))
    is_goal = np.zeros(size, dtype=np.bool_)
    for column, passage in enumerate(passages):
        is_goal[passage.goal, column] = True
    # sums[h][s]: over the ways from s to the goal with at most h steps, of their weights.
    sums = [is_goal.astype(np.float64)]
    for _ in range(horizon):
        reached = matrix @ sums[-1]
        reached[is_goal] = 1.0
        sums.append(reached)
    logarithms = 0.0
    flow = np.zeros(size)
    for column, passage in enumerate(passages):
        # A sum that is too small for a float stands for a cost beyond 700, for which the
        # plan itself keeps the likelihood low.
        from_start = np.maximum(sums[-1][passage.starts, column], _SMALLEST)
        logarithms += float(passage.weights @ np.log(from_start))
        np.add.at(flow[:, column], passage.starts, passage.weights / from_start)
    used = np.zeros(len(graph.source))
    transposed = matrix.T.tocsr()
    for ahead in reversed(sums[:-1]):
        flow[is_goal] = 0.0
        used += np.einsum("ij,ij->i", flow[graph.source], ahead[graph.target])
        flow = transposed @ flow
    expected = np.bincount(graph.action, weights=used, minlength=len(weights)) * weights
    return logarithms, expected

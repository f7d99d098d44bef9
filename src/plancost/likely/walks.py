"""Sums over all walks to a goal, and how often each action is expected to be used.

A plan from s to a goal has the probability exp(-cost) / z(s), where z(s) sums exp(-cost) over all
walks from s to the goal: z = 1 at the goal + the sum over moves of exp(-cost) z(next). This is
solved by Gauss-Seidel sweeps, one goal at a time, on the states that matter to it (a field), in
order of cost-to-go: each sweep carries walks that turn back once more. Unknowns are z exp(v) with
potentials v near -log z, so they stay near 1 for plans of any length. Expected uses push plans
along the resulting policy in the opposite order. Numba compiles this, and keeps it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numba
import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from plancost.case.model import Actions, Ints

Places = npt.NDArray[np.int32]
Vector = npt.NDArray[np.float64]
Moves = tuple[Places, Places, Places]
"""first, head, action: those out of state s are first[s]:first[s + 1]."""

SLACK = 20.0
"""Nats: states over which a walk is dearer than the cheapest by more are left out of a field. That
loses less than .1 nats of a likelihood; 10 lose up to 50."""
_TOLERANCE = 1e-6
_MOST_SWEEPS = 400
_LEAST_COST = 1e-3
"""Costs below it count as this where states are ordered and left out."""
_compiled = numba.njit(cache=True, nogil=True, error_model="numpy")


@dataclass(frozen=True, eq=False)
class Plan:
    """A plan in its world."""

    moves: csr_array
    """Of the world: from states to states, numbers of actions; two states may have several."""
    task: int
    goal: Ints
    states: Ints
    actions: Actions
    """But those that change nothing, as no walk has them."""
    count: float


class Field:
    """A goal and the plans that have it, on the states that matter to them: those of the plans and
    all that are near. They are in order of cost-to-go.
    """

    def __init__(self, plans: Sequence[Plan], costs: Vector, slack: float = SLACK) -> None:
        moves, goal = plans[0].moves, plans[0].goal
        starts = np.array([plan.states[0] for plan in plans])
        cost = np.maximum(_LEAST_COST, costs[moves.data])
        weights = csr_array((cost, moves.indices, moves.indptr), shape=moves.shape)
        togo = dijkstra(weights.T.tocsr(), indices=goal, min_only=True)
        leads = np.isfinite(togo)
        least = np.where(leads, togo, 0.0)
        detours = cost + least[moves.indices] - np.repeat(least, np.diff(moves.indptr))
        weights.data = np.where(leads[moves.indices], np.maximum(detours, 0.0), np.inf)
        detour = dijkstra(weights, indices=np.unique(starts), min_only=True, limit=slack)
        is_near = np.isfinite(detour)
        is_near[np.concatenate([plan.states for plan in plans])] = True
        states = np.flatnonzero(is_near)
        self.states = states[np.argsort(togo[states], kind="stable")]
        place = np.full(len(togo), -1, dtype=np.int32)
        place[self.states] = np.arange(len(states))
        own = moves[self.states][:, self.states]
        self._moves: Moves = own.indptr, own.indices, own.data
        self._goal = place[goal[is_near[goal]]]
        self._start = place[starts]
        self._count = np.array([plan.count for plan in plans])
        self._potential: Vector = togo[self.states]
        self._policy = np.zeros(0)

    def evaluate(self, costs: Vector, uses: Vector) -> Vector:
        """log z of each plan, infinite if costs are so low that a sum is, or nearly so; if not, the
        expected uses of actions by all are added to `uses`.
        """
        found, policy, is_finite = _sums(self._moves, costs, self._goal, self._potential)
        if not is_finite or not _push(self._moves, policy, self._start, self._count, uses):
            return np.full(len(self._start), np.inf)
        self._potential, self._policy = found, policy
        return np.asarray(-found[self._start])

    def uses_from(self, number: int, actions: int) -> Vector:
        """Expected uses of actions from the start of a plan, by the last evaluation."""
        uses, start = np.zeros(actions), self._start[number : number + 1]
        _push(self._moves, self._policy, start, np.ones(1), uses)
        return uses


def compile_now() -> None:
    """Have everything compiled that is not yet; Numba keeps it for the next time."""
    moves = csr_array((np.zeros(1, np.int32), ([0], [1])), shape=(2, 2))
    plan = Plan(moves, 0, np.array([1]), np.array([0, 1]), (0,), 1.0)
    Field([plan], np.ones(1)).evaluate(np.ones(1), np.zeros(1))


@_compiled
def _sums(moves: Moves, costs: Vector, goal: Places, v: Vector) -> tuple[Vector, Vector, bool]:
    """-log z, the probability of each move, and whether the sums are finite."""
    first, head, action = moves
    size = len(v)
    weight = np.empty(len(head))
    ends, z = np.zeros(size), np.ones(size)
    for i in range(size):
        for e in range(first[i], first[i + 1]):
            weight[e] = np.exp(v[i] - v[head[e]] - costs[action[e]])
    for s in goal:
        ends[s] = np.exp(v[s])
    before = np.inf
    for _ in range(_MOST_SWEEPS):
        change = 0.0
        for i in range(size):
            value = ends[i]
            for e in range(first[i], first[i + 1]):
                value += weight[e] * z[head[e]]
            moved = abs(value - z[i])
            z[i] = value
            if not moved <= change * value:
                change = moved / value
        if not change < 1e200:  # overflow, or not a number
            break
        rate = min(change / before, 0.999) if before > 0 else 0.0
        before = change
        if change <= _TOLERANCE * (1 - rate):
            for i in range(size):
                for e in range(first[i], first[i + 1]):
                    weight[e] *= z[head[e]] / z[i]
            return v - np.log(z), weight, True
    return v, weight, False


@_compiled
def _push(moves: Moves, policy: Vector, start: Places, count: Vector, uses: Vector) -> bool:
    """Push plans from their starts along the policy; whether they all arrive."""
    first, head, action = moves
    size = len(first) - 1
    waiting, visits = np.zeros(size), np.zeros(size)
    for j in range(len(start)):
        waiting[start[j]] += count[j]
    for _ in range(_MOST_SWEEPS):
        for i in range(size - 1, -1, -1):
            some = waiting[i]
            if some > 0.0:
                waiting[i] = 0.0
                visits[i] += some
                for e in range(first[i], first[i + 1]):
                    waiting[head[e]] += some * policy[e]
        if waiting.sum() <= _TOLERANCE * count.sum():
            for i in range(size):
                for e in range(first[i], first[i + 1]):
                    uses[action[e]] += visits[i] * policy[e]
            return True
    return False

"""Sums over all walks to a goal, and how often each action is expected to be used.

A plan from s to a goal has the probability exp(-cost) / z(s), where z(s) sums exp(-cost) over all
walks from s to the goal: z = 1 at the goal + the sum over moves of exp(-cost) z(next). This is
solved by Gauss-Seidel sweeps, one goal at a time, on the states that matter to it (a field), in
order of cost-to-go: each sweep carries walks that turn back once more. Unknowns are z exp(v) with
potentials v near -log z, so they stay near 1 for plans of any length. Expected uses push plans
along the resulting policy in the opposite order. Numba compiles this, and keeps it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numba
import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

Places = npt.NDArray[np.int32]
Vector = npt.NDArray[np.float64]
Function = TypeVar("Function", bound=Callable[..., Any])

SLACK = 20.0
"""Nats: states over which a walk is dearer than the cheapest by more are left out of a field. That
loses less than .1 nats of a likelihood; 10 lose up to 50."""
_TOLERANCE = 1e-6
_MOST_SWEEPS = 400
_LEAST_COST = 1e-3
"""Costs below it count as this where states are ordered and left out."""


def _compiled(function: Function) -> Function:
    compiled: Any = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    return compiled  # type: ignore[no-any-return]


class DivergesError(Exception):
    """Costs are so low that the sum over all walks is infinite, or nearly so."""


@dataclass(frozen=True, eq=False)
class Aim:
    """A goal set of a world and the tasks that have it, with a start and a count of plans each."""

    goal: Places
    task: Places
    start: Places
    count: Vector
    kept: Places
    """States that must not be left out: those of the plans."""


class Field:
    """An aim on the states that matter to it, in order of cost-to-go.

    Moves are a matrix from states to states whose entries are numbers of actions; two states may
    have several entries.
    """

    def __init__(self, moves: csr_array, aim: Aim, costs: Vector, slack: float = SLACK) -> None:
        cost = np.maximum(_LEAST_COST, costs[moves.data])
        weights = csr_array((cost, moves.indices, moves.indptr), shape=moves.shape)
        togo = dijkstra(weights.T.tocsr(), indices=aim.goal, min_only=True)
        leads = np.isfinite(togo)
        least = np.where(leads, togo, 0.0)
        detours = cost + least[moves.indices] - np.repeat(least, np.diff(moves.indptr))
        weights.data = np.where(leads[moves.indices], np.maximum(detours, 0.0), np.inf)
        detour = dijkstra(weights, indices=aim.start, min_only=True, limit=slack)
        is_near = np.isfinite(detour)
        is_near[aim.kept] = True
        states = np.flatnonzero(is_near)
        self.states = states[np.argsort(togo[states], kind="stable")]
        place = np.full(len(togo), -1, dtype=np.int32)
        place[self.states] = np.arange(len(states))
        self._moves = moves[self.states][:, self.states]
        self._goal = place[aim.goal[is_near[aim.goal]]]
        self._start, self._count = place[aim.start], aim.count
        self._potential: Vector = togo[self.states]
        self._policy = np.zeros(0)

    def evaluate(self, costs: Vector, uses: Vector) -> Vector:
        """log z of each start; adds the expected uses of actions by the plans to `uses`."""
        first, head, action = self._arrays
        found, policy, is_fine = _sums(first, head, costs[action], self._goal, self._potential)
        if not is_fine or not _push(first, head, action, policy, self._start, self._count, uses):
            raise DivergesError
        self._potential, self._policy = found, policy
        values: Vector = -found[self._start]
        return values

    def uses_from(self, number: int, actions: int) -> Vector:
        """Expected uses of actions by a plan from that start, by the last evaluation."""
        uses, start = np.zeros(actions), self._start[number : number + 1]
        _push(*self._arrays, self._policy, start, np.ones(1), uses)
        return uses

    @property
    def _arrays(self) -> tuple[Places, Places, Places]:
        """Moves out of state s are first[s]:first[s + 1], each with its head and its action."""
        return self._moves.indptr, self._moves.indices, self._moves.data


def compile_now() -> None:
    """Have everything compiled that is not yet; Numba keeps it for the next time."""
    moves = csr_array((np.zeros(1, np.int32), ([0], [1])), shape=(2, 2))
    start, goal, one = np.zeros(1, np.int32), np.ones(1, np.int32), np.ones(1)
    Field(moves, Aim(goal, start, start, one, start), one).evaluate(one, np.zeros(1))


@_compiled
def _sums(
    first: Places, head: Places, cost: Vector, goal: Places, v: Vector
) -> tuple[Vector, Vector, bool]:
    """-log z, the probability of each move, and whether the sums are finite."""
    size = len(v)
    weight = np.empty(len(head))
    ends, z = np.zeros(size), np.ones(size)
    for i in range(size):
        for e in range(first[i], first[i + 1]):
            weight[e] = np.exp(v[i] - v[head[e]] - cost[e])
    for s in goal:
        ends[s] = np.exp(v[s])
    before = np.inf
    is_fine = False
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
        rate = min(change / before, 0.999) if before > 0 else 0.0
        before = change
        if not change < 1e200:  # overflow, or not a number
            break
        if change <= _TOLERANCE * (1 - rate):
            is_fine = True
            break
    found = v.copy()
    if is_fine:
        for i in range(size):
            found[i] = v[i] - np.log(z[i])
            for e in range(first[i], first[i + 1]):
                weight[e] *= z[head[e]] / z[i]
    return found, weight, is_fine


@_compiled
def _push(
    first: Places,
    head: Places,
    action: Places,
    policy: Vector,
    start: Places,
    count: Vector,
    uses: Vector,
) -> bool:
    """Push plans from their starts along the policy; whether they all arrive."""
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

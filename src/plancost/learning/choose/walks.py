"""How likely plans are if cheap ones are: sums over all walks from starts to goals.

A plan is drawn with a probability that falls exponentially in its cost: p(plan) = exp(-cost) / Z,
where Z sums over all plans of the task (Ziebart, Maas, Bagnell and Dey 2008; in route choice the
recursive logit of Fosgerau, Frejinger and Karlström 2013). Plans are walks through a graph that end
where they first reach the goal. The gradient of log Z is how often each step is expected, negated.

`by_inverse`: with M the matrix of exp(-cost of a step), sums over all walks are entries of the
inverse of I - M. One factorisation, a solution there for each goal state and one back for each
goal give all sums and expectations at once. `by_steps`: walks with a limit on their length, by soft
value iteration; for graphs whose inverse does not fit, and goals of many states.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array, csc_array, eye_array
from scipy.sparse.linalg import SuperLU, splu

Vector = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]

SMALLEST = 1e-280
"""A sum that is too small for a float stands for a cost beyond 640, for which the plan itself keeps
the likelihood low."""
_MOST_NUMBERS = 25_000_000
"""How many numbers a sum may keep at once: 200 MB."""


@dataclass(frozen=True)
class Steps:
    """A graph: the state that each step starts from, and the one that it leads to."""

    size: int
    source: npt.NDArray[np.integer]
    target: npt.NDArray[np.integer]


@dataclass(frozen=True)
class Passage:
    """Walks to one goal: the states that they start from, and how many start there."""

    goal: Indices
    starts: Indices
    weights: Vector


def by_inverse(steps: Steps, weights: Vector, passages: Sequence[Passage]) -> tuple[float, Vector]:
    """Over all walks: the sum of log Z, and how often each step is expected.

    `weights` has exp(-cost) of each step. Where the sum over walks is infinite, so is the answer.
    """
    used = np.zeros(len(weights))
    ends = [state for passage in passages for state in passage.goal.tolist()]
    solver = _factorised(steps, weights)
    if solver is None:
        return math.inf, used
    total, first = 0.0, 0
    block = max(1, _MOST_NUMBERS // (3 * steps.size))
    while first < len(passages):
        last, width = first, 0
        while last < len(passages) and (last == first or width + len(passages[last].goal) <= block):
            width += len(passages[last].goal)
            last += 1
        unit = np.zeros((steps.size, width), order="F")
        unit[ends[:width], np.arange(width)] = 1.0
        sums, flow, logarithms = _first_arrivals(solver.solve(unit), passages[first:last])
        back = solver.solve(flow, "T")  # type: ignore[call-overload]  # unknown to its stubs
        through = np.ascontiguousarray(back)  # else taking rows of it is slow
        used += np.einsum("ij,ij->i", through[steps.source], sums[steps.target])
        total += logarithms
        first, ends = last, ends[width:]
    return total, np.maximum(used, 0.0) * weights


def _factorised(steps: Steps, weights: Vector) -> SuperLU | None:
    """I - M in factors; None if sums over walks are infinite.

    They are finite iff some positive vector is mapped to a positive one. Then there is nothing to
    be gained by choosing pivots, and few entries are filled in if none are chosen.
    """
    matrix = coo_array((weights, (steps.source, steps.target)), shape=(steps.size, steps.size))
    try:
        found = splu(
            csc_array(eye_array(steps.size) - matrix.tocsc()),
            permc_spec="MMD_AT_PLUS_A",
            diag_pivot_thresh=0.0,
            options={"SymmetricMode": True},
        )
    except RuntimeError:  # singular
        return None
    return found if np.all(found.solve(np.ones(steps.size)) > 0) else None


def _first_arrivals(reach: Vector, passages: Sequence[Passage]) -> tuple[Vector, Vector, float]:
    """For each passage the sum over walks from each state that end where they first arrive.

    `reach` has a column for each goal state: the sum over all walks that end there, also those
    that have been at the goal before. The second answer, solved back, says how often walks are in
    each state before they arrive; the third is the sum of log Z.
    """
    sums = np.empty((len(reach), len(passages)))
    flow = np.zeros((len(reach), len(passages)), order="F")
    logarithms, column = 0.0, 0
    for number, passage in enumerate(passages):
        own = reach[:, column : column + len(passage.goal)]
        column += len(passage.goal)
        arrivals = np.linalg.solve(own[passage.goal].T, own[passage.starts].T)
        between = np.maximum(arrivals.sum(axis=0), SMALLEST)
        logarithms += float(passage.weights @ np.log(between))
        rate = passage.weights / between
        np.add.at(flow[:, number], passage.starts, rate)
        np.add.at(flow[:, number], passage.goal, -(arrivals @ rate))
        sums[:, number] = own @ np.linalg.solve(own[passage.goal], np.ones(len(passage.goal)))
    return sums, flow, logarithms


def by_steps(
    steps: Steps, weights: Vector, passages: Sequence[Passage], horizon: int
) -> tuple[float, Vector]:
    """The same over walks of at most `horizon` steps."""
    used = np.zeros(len(weights))
    total = 0.0
    matrix = coo_array(
        (weights, (steps.source, steps.target)), shape=(steps.size, steps.size)
    ).tocsr()
    at_once = max(1, _MOST_NUMBERS // (steps.size * (horizon + 1)))
    for first in range(0, len(passages), at_once):
        part = passages[first : first + at_once]
        is_goal = np.zeros((steps.size, len(part)), dtype=np.bool_)
        for column, passage in enumerate(part):
            is_goal[passage.goal, column] = True
        # sums[h][s]: over the ways from s to the goal with at most h steps, of their weights.
        sums = [is_goal.astype(np.float64)]
        for _ in range(horizon):
            reached = matrix @ sums[-1]
            reached[is_goal] = 1.0
            sums.append(reached)
        flow = np.zeros(is_goal.shape)
        for column, passage in enumerate(part):
            from_start = np.maximum(sums[-1][passage.starts, column], SMALLEST)
            total += float(passage.weights @ np.log(from_start))
            np.add.at(flow[:, column], passage.starts, passage.weights / from_start)
        transposed = matrix.T.tocsr()
        for ahead in reversed(sums[:-1]):
            flow[is_goal] = 0.0
            used += np.einsum("ij,ij->i", flow[steps.source], ahead[steps.target])
            flow = transposed @ flow
    return total, used * weights


def fits(size: int, horizon: int) -> bool:
    """Whether `by_steps` stays within memory on a graph of so many states."""
    return size * (horizon + 1) <= _MOST_NUMBERS

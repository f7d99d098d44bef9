"""A graph without the states that walks only pass through.

From such a state there is one step only, so the steps before and after it are one step with the
cost of both. Sums over walks stay the same, and the matrix that they come from is much smaller: on
a map with turns, a street and its turn become one step.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array, csr_array

from plancost.learning.choose.walks import Indices, Steps


@dataclass(frozen=True)
class Shortened:
    """A smaller graph, and what it has of the other one."""

    steps: Steps
    parts: csr_array
    """A row for each step: which steps of the other graph it is made of."""
    number: Indices
    """Of each state of the other graph in this one; -1 if it is left out."""


def shortened(steps: Steps, starts: Indices, goals: Indices) -> Shortened:
    """A graph with the same walks from starts to goals; what cannot be on one may be left out."""
    kept = np.zeros(steps.size, dtype=np.bool_)
    kept[starts] = kept[goals] = True
    only = (np.bincount(steps.source, minlength=steps.size) == 1) & ~kept
    step_from = np.zeros(steps.size, dtype=np.int64)
    step_from[steps.source] = np.arange(len(steps.source))
    end = np.where(only, -1, np.arange(steps.size))
    end[only] = steps.target[step_from[only]]
    for _ in range(int(steps.size).bit_length()):
        end = end[end]
    # From some states there is no way out of a circle, and to some there is no way.
    entered = kept.copy()
    entered[steps.target] = True
    rows = np.flatnonzero(~only[steps.source] & entered[steps.source] & ~only[end[steps.target]])
    parts = _parts(steps, rows, only, step_from)
    states = np.unique(np.concatenate([starts, goals, steps.source[rows], end[steps.target[rows]]]))
    number = np.full(steps.size, -1, dtype=np.int64)
    number[states] = np.arange(len(states))
    smaller = Steps(len(states), number[steps.source[rows]], number[end[steps.target[rows]]])
    return Shortened(smaller, parts, number)


def _parts(
    steps: Steps, rows: Indices, only: npt.NDArray[np.bool_], step_from: Indices
) -> csr_array:
    """For each of some steps that step and those after it, up to a state that stays."""
    found = [(np.arange(len(rows)), rows)]
    place, at = np.arange(len(rows)), steps.target[rows]
    while True:
        goes_on = only[at]
        if not goes_on.any():
            break
        place, at = place[goes_on], at[goes_on]
        found.append((place, step_from[at]))
        at = steps.target[step_from[at]]
    first, second = (np.concatenate(column) for column in zip(*found, strict=True))
    shape = (len(rows), len(steps.source))
    return coo_array((np.ones(len(first)), (first, second)), shape=shape).tocsr()

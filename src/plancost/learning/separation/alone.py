"""Plans that can be optimal if they are the only ones, seen from their paths without a search.

Price out all actions that a plan does not use. If its own actions never lead from one of its
states to a state beyond the next one, nor to the next one but by the step itself, then every other
way to the goal takes all of its steps and more. So the plan is the cheapest, whatever its actions
cost. In a street map that is true of every route that visits no place twice.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from plancost.learning.problem.task import LearningTask
from plancost.learning.separation.paths import Paths
from plancost.oracles.state_graph import StateGraph

Numbers = npt.NDArray[np.int64]


def possible_alone(task: LearningTask, paths: Paths | None) -> set[int]:
    """Candidates that can be optimal alone; of others that is not known."""
    if paths is None or task.composition is not None or not task.scales:
        return set()
    found: set[int] = set()
    for graph, numbers in paths.by_graph():
        simple = [n for n in numbers if len(set(paths[n].states)) == len(paths[n].states)]
        if simple:
            wrong = _with_shortcuts(graph, paths, simple)
            found.update(
                n for n, is_wrong in zip(simple, wrong.tolist(), strict=True) if not is_wrong
            )
    return found


def _with_shortcuts(
    graph: StateGraph, paths: Paths, numbers: Sequence[int]
) -> npt.NDArray[np.bool_]:
    """Which of the plans have actions that lead past a state, out of the path, or end early."""
    lengths = np.array([len(paths[n].actions) for n in numbers], dtype=np.int64)
    plan = np.repeat(np.arange(len(numbers)), lengths + 1)
    state = np.concatenate([np.array(paths[n].states, dtype=np.int64) for n in numbers])
    place = _ranges(lengths + 1)
    own = np.full(len(state), -1, dtype=np.int64)
    own[place < lengths[plan]] = np.concatenate(
        [np.array(paths[n].actions, dtype=np.int64) for n in numbers]
    )
    # All transitions from states of plans, with actions that the same plan has.
    first = graph.first_transition[state]
    count = graph.first_transition[state + 1] - first
    taken = np.repeat(first, count) + _ranges(count)
    leaves = np.repeat(np.arange(len(state)), count)
    steps = np.flatnonzero(own >= 0)
    used = _Places(plan[steps] * len(graph.action_names) + own[steps])
    is_own = used.find(plan[leaves] * len(graph.action_names) + graph.action[taken]) >= 0
    taken, leaves = taken[is_own], leaves[is_own]
    reached = _Places(plan * graph.state_count + state).find(
        plan[leaves] * graph.state_count + graph.target[taken]
    )
    by_itself = (reached == leaves + 1) & (graph.action[taken] == own[leaves])
    wrong = np.zeros(len(numbers), dtype=bool)
    wrong[plan[leaves[((reached < 0) | (reached > leaves)) & ~by_itself]]] = True
    for row, number in enumerate(numbers):
        goal = paths.goal(number)
        if len(goal) > 1 and np.isin(paths[number].states[:-1], goal).any():
            wrong[row] = True
    return wrong


class _Places:
    """Where numbers stand in an array."""

    def __init__(self, numbers: Numbers) -> None:
        self._order = np.argsort(numbers, kind="stable")
        self._sorted = numbers[self._order]

    def find(self, wanted: Numbers) -> Numbers:
        """The first place of each number, or -1."""
        if not len(self._sorted):
            return np.full(len(wanted), -1)
        at = np.minimum(np.searchsorted(self._sorted, wanted), len(self._sorted) - 1)
        return np.where(self._sorted[at] == wanted, self._order[at], -1)


def _ranges(counts: Numbers) -> Numbers:
    """0, 1, 2, ... up to each count, one after the other."""
    return np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)

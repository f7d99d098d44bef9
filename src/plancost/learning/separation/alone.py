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

_MOST_TRANSITIONS = 5_000_000
"""Where the states of plans have more transitions than that, it takes too long to look."""

Numbers = npt.NDArray[np.int64]


def possible_alone(task: LearningTask, paths: Paths | None) -> set[int]:
    """Candidates that can be optimal alone; of others that is not known."""
    if paths is None or task.composition is not None or task.known or not task.prices_out:
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
    keys = plan * graph.state_count + state
    order = np.argsort(keys)
    first = graph.first_transition[state].astype(np.int64)
    count = graph.first_transition[state + 1].astype(np.int64) - first
    wrong = np.zeros(len(numbers), dtype=bool)
    if int(count.sum()) > _MOST_TRANSITIONS:
        return ~wrong
    taken = np.repeat(first, count) + _ranges(count)
    whose = np.repeat(plan, count)
    # Of all that can be done in the states of a plan, what the plan itself does somewhere.
    names = len(graph.action_names)
    is_own = np.isin(whose * names + graph.action[taken], plan[own >= 0] * names + own[own >= 0])
    taken, whose = taken[is_own], whose[is_own]

    def position(states: Numbers) -> Numbers:
        """Where each state is in the plan, or -1."""
        wanted = whose * graph.state_count + states
        at = order[np.minimum(np.searchsorted(keys[order], wanted), len(order) - 1)]
        return np.where(keys[at] == wanted, place[at], -1)

    source = position(graph.source[taken].astype(np.int64))
    target = position(graph.target[taken].astype(np.int64))
    next_one = own[np.cumsum(lengths + 1)[whose] - lengths[whose] - 1 + np.maximum(source, 0)]
    by_itself = (target == source + 1) & (graph.action[taken] == next_one)
    wrong[whose[(source >= 0) & ((target < 0) | (target > source)) & ~by_itself]] = True
    for row, number in enumerate(numbers):
        goal = paths.goal(number)
        if len(goal) > 1 and np.isin(paths[number].states[:-1], goal).any():
            wrong[row] = True
    return wrong


def _ranges(counts: Numbers) -> Numbers:
    """0, 1, 2, ... up to each count, one after the other."""
    return np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)

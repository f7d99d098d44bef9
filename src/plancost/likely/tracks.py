"""What walks need of a case: the moves of each world, and the observed plans on them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import compress

import numpy as np
from scipy.sparse import csr_array

from plancost.case.model import Case, Observation
from plancost.clock import Clock
from plancost.errors import LimitError
from plancost.executor import Workers
from plancost.likely.likelihood import Build, Likelihood, Plan
from plancost.likely.walks import SLACK
from plancost.search.graph import StateGraph
from plancost.search.transitions import Reached, can_be_explored, state_graph

MOST_STATES = 2_000_000
"""Of all worlds together."""


class PlansOnTracks:
    """The observed plans of a case, and how likely they are."""

    def __init__(self, case: Case, workers: Workers, clock: Clock) -> None:
        self._workers = workers
        self._moves: dict[int, csr_array] = {}
        self.plans: list[Plan] = []
        by_world: dict[int, list[Observation]] = defaultdict(list)
        for item in case.observations:
            by_world[case.tasks[item.task].world].append(item)
        left = MOST_STATES
        for world, members in by_world.items():
            tasks = sorted({item.task for item in members})
            reached = _reached(case, world, tasks, left, clock)
            graph = reached.graph
            left -= graph.size
            self._moves[world] = _moves(graph)
            start = dict(zip(tasks, reached.starts, strict=True))
            goal = dict(zip(tasks, reached.goals, strict=True))
            for item in members:
                states = np.array(graph.follow(start[item.task], item.actions))
                actions = tuple(compress(item.actions, np.diff(states)))
                count = float(item.count)
                self.plans.append(Plan(world, item.task, goal[item.task], states, actions, count))

    def builder(self, numbers: Sequence[int] | None = None, slack: float = SLACK) -> Build:
        """Makes likelihoods of these plans, or of all."""
        chosen = self.plans if numbers is None else [self.plans[n] for n in numbers]
        return lambda costs: Likelihood(self._moves, chosen, costs, self._workers, slack)


def _reached(
    case: Case, world: int, tasks: Sequence[int], most_states: int, clock: Clock
) -> Reached:
    """All states of some tasks of a world; an error if they do not fit."""
    own, every = [case.tasks[task] for task in tasks], np.ones(len(case.actions), dtype=bool)
    if can_be_explored(case.worlds[world]):
        reached = state_graph(case.worlds[world], own, every, most_states, clock)
        if reached is not None:
            return reached
    raise LimitError(
        f"likely costs need all states of {own[0].name} in memory, and there are more than "
        f"{MOST_STATES:,}, or derived predicates, or too little time: take solution mcf"
    )


def _moves(graph: StateGraph) -> csr_array:
    first = np.searchsorted(graph.source, np.arange(graph.size + 1)).astype(np.int32)
    shape = graph.size, graph.size
    return csr_array((graph.action, graph.target, first), shape=shape)

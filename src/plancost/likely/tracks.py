"""What walks need of a case: the moves of each world, and its tasks as aims.

A move is usually one action. States that are only passed through (with one way out, such as the
place before a link that a turn leads to) are skipped, and a move is then two actions: with turns
that leaves half of the states.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from plancost.case.model import Case
from plancost.clock import Clock
from plancost.errors import LimitError
from plancost.likely.walks import Aim, Moves, Places
from plancost.search.graph import StateGraph
from plancost.search.transitions import can_be_explored, state_graph

MOST_STATES = 2_000_000
"""Of all worlds together."""


@dataclass(frozen=True, eq=False)
class Plan:
    """A plan on its track: the states that it passes, and its actions but those that change
    nothing, as no walk has them.
    """

    task: int
    states: Places
    actions: tuple[int, ...]
    count: float


@dataclass(frozen=True, eq=False)
class Track:
    """The moves of one world, with the start and the goal states of its tasks."""

    graph: StateGraph
    moves: Moves
    labels: csr_array
    """Labels x actions: how often each action is in the moves with a label."""
    skipped: npt.NDArray[np.bool_]
    start: dict[int, int]
    goal: dict[int, Places]

    def plan(self, task: int, actions: Sequence[int], count: float = 1.0) -> Plan:
        """A plan of a task of this world."""
        states = np.array(self.graph.follow(self.start[task], actions))
        moved = np.append(np.diff(states) != 0, True)
        own = tuple(a for a, moves in zip(actions, moved, strict=False) if moves)
        kept = states[moved]
        return Plan(task, kept[~self.skipped[kept]].astype(np.int32), own, count)

    def aims(self, plans: Iterable[Plan]) -> list[tuple[Aim, list[int]]]:
        """A goal set after the other, each with the tasks of its starts."""
        by_goal: dict[bytes, list[Plan]] = defaultdict(list)
        for plan in plans:
            by_goal[self.goal[plan.task].tobytes()].append(plan)
        found = []
        for members in by_goal.values():
            tasks = sorted(
                {plan.task for plan in members}, key=lambda task: (self.start[task], task)
            )
            place = {task: n for n, task in enumerate(tasks)}
            places, counts = [place[plan.task] for plan in members], [p.count for p in members]
            start = np.array([self.start[task] for task in tasks], dtype=np.int32)
            kept = np.unique(np.concatenate([plan.states for plan in members]))
            count = np.bincount(places, counts, minlength=len(tasks)).astype(np.float64)
            found.append((Aim(self.goal[tasks[0]], start, count, kept), tasks))
        return found


def tracks_of(case: Case, tasks: Iterable[int], clock: Clock) -> dict[int, Track]:
    """The worlds of some tasks by number; an error if they do not fit."""
    by_world: dict[int, list[int]] = defaultdict(list)
    for task in tasks:
        by_world[case.tasks[task].world].append(task)
    left, found = MOST_STATES, {}
    every = np.ones(len(case.actions), dtype=bool)
    for number, members in by_world.items():
        world, own = case.worlds[number], [case.tasks[task] for task in members]
        reached = state_graph(world, own, every, left, clock) if can_be_explored(world) else None
        if reached is None:
            raise LimitError(
                f"likely costs need all states of {own[0].name} in memory, and there are more than "
                f"{MOST_STATES:,}, or derived predicates, or too little time: take solution mcf"
            )
        left -= reached.graph.size
        start = dict(zip(members, reached.starts, strict=True))
        goal = dict(zip(members, (g.astype(np.int32) for g in reached.goals), strict=True))
        found[number] = _track(reached.graph, start, goal, len(case.actions))
    return found


def _track(
    graph: StateGraph, start: dict[int, int], goal: dict[int, Places], actions: int
) -> Track:
    behind, by = np.full((2, graph.size), -1, dtype=np.int64)
    behind[graph.source], by[graph.source] = graph.target, graph.action
    skipped = np.bincount(graph.source, minlength=graph.size) == 1
    skipped[np.concatenate([list(start.values()), *goal.values()])] = False
    skipped[skipped] = ~skipped[behind[skipped]]  # never two in a row
    kept = ~skipped[graph.source]
    source, target, first = (
        array[kept].astype(np.int64) for array in (graph.source, graph.target, graph.action)
    )
    second = np.where(skipped[target], by[target], -1)
    head = np.where(skipped[target], behind[target], target)
    pairs, label = np.unique(first * (actions + 1) + second + 1, return_inverse=True)
    both = np.stack(np.divmod(pairs, actions + 1), axis=1) - (0, 1)
    is_action = both >= 0
    rows = np.repeat(np.arange(len(pairs)), is_action.sum(axis=1))
    entries = np.ones(len(rows)), (rows, both[is_action])
    begins = np.searchsorted(source, np.arange(graph.size + 1))
    return Track(
        graph,
        Moves(*(array.astype(np.int32) for array in (begins, head, label))),
        csr_array(entries, shape=(len(pairs), actions)),
        skipped,
        start,
        goal,
    )

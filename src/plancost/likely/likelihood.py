"""How likely the plans of a case are under some costs, and how they become more likely.

Goals are independent of each other. They are dealt into crowds, a fixed number a world, so that
the answer does not depend on how many workers there are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array, vstack

from plancost.case.model import Actions, Case, Observation
from plancost.clock import Clock
from plancost.errors import LimitError
from plancost.executor import Threads, Workers
from plancost.likely.walks import SLACK, Aim, Field, Places, Vector
from plancost.search.transitions import Reached, state_graph

MOST_STATES = 2_000_000
"""Of all worlds together."""
_CROWDS = 16
_HARDLY = 1e-5


@dataclass(frozen=True, eq=False)
class Plan:
    """A plan: the states that it passes, and its actions but those that change nothing, as no
    walk has them.
    """

    world: int
    task: int
    goal: npt.NDArray[np.int64]
    states: npt.NDArray[np.int64]
    actions: Actions
    count: float


@dataclass(frozen=True, eq=False)
class Outlook:
    """What is expected of a task."""

    log_z: float
    """What exp(-cost) of a plan is to be divided by."""
    cost: float
    """The mean cost of plans."""
    actions: Places
    uses: Vector
    """How often plans are expected to use these actions; the others hardly ever."""

    def hits(self, plan: Actions) -> float:
        """The share of the actions of a plan that is expected in the next one."""
        expected = dict(zip(self.actions.tolist(), self.uses.tolist(), strict=True))
        hits = [min(1.0, expected.get(action, 0.0)) for action in plan]
        return float(np.mean(hits)) if hits else 1.0


class Crowd:
    """Some aims of one world."""

    def __init__(self, moves: csr_array, aims: Sequence[Aim], costs: Vector, slack: float) -> None:
        self._aims = aims
        self._fields = [Field(moves, aim, costs, slack) for aim in aims]

    def evaluate(self, costs: Vector) -> tuple[Vector, Vector]:
        """log z of all tasks, and the expected uses of actions by all plans."""
        uses = np.zeros(len(costs))
        return np.concatenate([field.evaluate(costs, uses) for field in self._fields]), uses

    def look(self, costs: Vector, tasks: Container[int]) -> dict[int, Outlook]:
        """What is expected of those of the tasks that are here."""
        found = {}
        for field, aim in zip(self._fields, self._aims, strict=True):
            log_z = field.evaluate(costs, np.zeros(len(costs)))
            for start, task in enumerate(aim.task.tolist()):
                if task in tasks:
                    uses = field.uses_from(start, len(costs))
                    used = np.flatnonzero(uses > _HARDLY).astype(np.int32)
                    cost = float(uses @ costs)
                    found[task] = Outlook(float(log_z[start]), cost, used, uses[used])
        return found


class Likelihood:
    """Of plans, under costs near those that the fields are made for."""

    def __init__(
        self,
        moves: Mapping[int, csr_array],
        plans: Sequence[Plan],
        costs: Vector,
        workers: Workers,
        slack: float,
    ) -> None:
        self._workers, self._plans = workers, plans
        self.observed = np.zeros(len(costs))
        """How often plans use each action."""
        by_goal: dict[tuple[int, bytes], list[Plan]] = defaultdict(list)
        for plan in plans:
            np.add.at(self.observed, list(plan.actions), plan.count)
            by_goal[plan.world, plan.goal.tobytes()].append(plan)
        by_world: dict[int, list[Aim]] = defaultdict(list)
        for (world, _), members in by_goal.items():
            by_world[world].append(_aim(members))
        items = [
            (moves[world], aims[number::_CROWDS], costs, slack)
            for world, aims in by_world.items()
            for number in range(min(_CROWDS, len(aims)))
        ]
        aims = [aim for _, own, _, _ in items for aim in own]
        self._task = np.concatenate([aim.task for aim in aims]).tolist()
        self._count = np.concatenate([aim.count for aim in aims])
        self._crowds = workers.place(Crowd, items)

    @property
    def plan_count(self) -> float:
        """How many plans there are, by their counts."""
        return float(self._count.sum())

    def __call__(self, costs: Vector) -> tuple[float, Vector]:
        """Minus the log-likelihood, and its slope by the cost of each action."""
        log_z, uses = zip(*self._workers.call(self._crowds, "evaluate", costs), strict=True)
        value = float(self.observed @ costs + self._count @ np.concatenate(log_z))
        return value, self.observed - sum(uses)

    def total(self, costs: Vector) -> float:
        """The log-likelihood of all plans."""
        return -self(costs)[0]

    def each(self, costs: Vector) -> Vector:
        """The log-likelihood of each plan."""
        answers = self._workers.call(self._crowds, "evaluate", costs)
        log_z = dict(zip(self._task, np.concatenate([own for own, _ in answers]), strict=True))
        return np.array([-costs[list(p.actions)].sum() - log_z[p.task] for p in self._plans])

    def look(self, costs: Vector, tasks: Container[int]) -> dict[int, Outlook]:
        """What is expected of these tasks."""
        answers = self._workers.call(self._crowds, "look", costs, tasks)
        return {task: outlook for found in answers for task, outlook in found.items()}

    def scores(self, costs: Vector, most: int, seed: int) -> csr_array:
        """By what the uses of actions in plans differ from what is expected of their tasks.

        Of more than `most` plans that many, drawn at random. Rows are scaled so that their squares
        are those of all plans together.
        """
        order = np.random.default_rng(seed).permutation(len(self._plans))[:most]
        plans = [self._plans[number] for number in order.tolist()]
        expected = self.look(costs, {plan.task for plan in plans})
        stands_for = self._count.sum() / sum(plan.count for plan in plans)
        rows = []
        for plan in plans:
            own = expected[plan.task]
            actions = np.append(own.actions, np.array(plan.actions, dtype=np.int32))
            uses = np.append(-own.uses, np.ones(len(plan.actions)))
            row = csr_array((uses, (np.zeros_like(actions), actions)), shape=(1, len(costs)))
            rows.append(row * np.sqrt(plan.count * stands_for))
        return csr_array(vstack(rows))


Build = Callable[[Vector], Likelihood]
"""A likelihood whose fields are made for these costs."""


def _aim(plans: Sequence[Plan]) -> Aim:
    """The aim of plans that have the same goal."""
    task, first, place = np.unique(
        [plan.task for plan in plans], return_index=True, return_inverse=True
    )
    return Aim(
        plans[0].goal.astype(np.int32),
        task.astype(np.int32),
        np.array([plans[n].states[0] for n in first], dtype=np.int32),
        np.bincount(place, [plan.count for plan in plans]).astype(np.float64),
        np.unique(np.concatenate([plan.states for plan in plans])).astype(np.int32),
    )


class PlansOnTracks:
    """The observed plans of a case on the states of its worlds."""

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
            first = np.searchsorted(graph.source, np.arange(graph.size + 1)).astype(np.int32)
            moves = graph.action, graph.target, first
            self._moves[world] = csr_array(moves, shape=(graph.size, graph.size))
            ends = dict(zip(tasks, zip(reached.starts, reached.goals, strict=True), strict=True))
            for item in members:
                start, goal = ends[item.task]
                states = np.array(graph.follow(start, item.actions))
                actions = tuple(compress(item.actions, np.diff(states)))
                self.plans.append(Plan(world, item.task, goal, states, actions, float(item.count)))

    def builder(self, numbers: Sequence[int] | None = None, slack: float = SLACK) -> Build:
        """Makes likelihoods of these plans, or of all."""
        chosen = self.plans if numbers is None else [self.plans[n] for n in numbers]
        return lambda costs: Likelihood(self._moves, chosen, costs, self._workers, slack)


def plans_here(case: Case, clock: Clock) -> Build:
    """Makes likelihoods of the plans of a case on this machine."""
    return PlansOnTracks(case, Threads(), clock).builder()


def _reached(
    case: Case, world: int, tasks: Sequence[int], most_states: int, clock: Clock
) -> Reached:
    """All states of some tasks of a world; an error if they do not fit."""
    own, every = [case.tasks[task] for task in tasks], np.ones(len(case.actions), dtype=bool)
    reached = state_graph(case.worlds[world], own, every, most_states, clock)
    if reached is not None:
        return reached
    raise LimitError(
        f"likely costs need all states of {own[0].name} in memory, and there are more than "
        f"{MOST_STATES:,}, or derived predicates, or too little time: take solution mcf"
    )

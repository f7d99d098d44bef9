"""How likely plans are under some costs, and in which direction they become more likely.

Goals are independent of each other. They are dealt into crowds, a fixed number a world, so that
the answer does not depend on how many workers there are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array, vstack

from plancost.executor import Workers
from plancost.likely.walks import Aim, Field, Vector

Actions = tuple[int, ...]
_CROWDS = 16


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


@dataclass(frozen=True)
class Outlook:
    """What is expected of a task."""

    log_z: float
    """What exp(-cost) of a plan is to be divided by."""
    cost: float
    """The mean cost of plans."""
    hits: list[float]
    """Of some plans the share of their actions that is expected in the next plan."""


class Crowd:
    """Some aims of one world."""

    def __init__(self, moves: csr_array, aims: Sequence[Aim], costs: Vector, slack: float) -> None:
        self._aims = aims
        self._fields = [Field(moves, aim, costs, slack) for aim in aims]

    def evaluate(self, costs: Vector) -> tuple[Vector, Vector]:
        """log z of all tasks, and the expected uses of actions by all plans."""
        uses = np.zeros(len(costs))
        return np.concatenate([field.evaluate(costs, uses) for field in self._fields]), uses

    def look(self, costs: Vector, plans: Mapping[int, Sequence[Actions]]) -> dict[int, Outlook]:
        """What is expected of the tasks of these plans."""
        found = {}
        for field, aim in zip(self._fields, self._aims, strict=True):
            log_z = field.evaluate(costs, np.zeros(len(costs)))
            for start, task in enumerate(aim.task.tolist()):
                uses = field.uses_from(start, len(costs))
                hits = [
                    float(np.minimum(1.0, uses[list(own)]).mean()) if own else 1.0
                    for own in plans[task]
                ]
                found[task] = Outlook(float(log_z[start]), float(uses @ costs), hits)
        return found

    def differences(self, rate: float, actions: int, seed: int) -> csr_array:
        """Of pairs of plans drawn from the same start, how their uses of actions differ: about
        `rate` pairs for each observed plan, at the costs of the last evaluation.
        """
        random = np.random.default_rng(seed)
        entries: list[tuple[float, int, int]] = []
        pairs = 0
        for field, aim in zip(self._fields, self._aims, strict=True):
            for start, count in enumerate(aim.count):
                for _ in range(int(count * rate + random.random())):
                    for sign in (1.0, -1.0):
                        walk = field.draw(start, int(random.integers(2**31)))
                        entries += [(sign, pairs, action) for action in walk]
                    pairs += 1
        signs, rows, columns = np.array(entries).reshape(-1, 3).T
        return csr_array((signs, (rows.astype(int), columns.astype(int))), shape=(pairs, actions))


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
        self._aims = [aim for _, aims, _, _ in items for aim in aims]
        self._count = np.concatenate([aim.count for aim in self._aims])
        self._crowds = workers.place(Crowd, items)

    def __call__(self, costs: Vector) -> tuple[float, Vector]:
        """Minus the log-likelihood, and its slope by the cost of each action."""
        answers = self._workers.call(self._crowds, "evaluate", costs)
        log_z = np.concatenate([own for own, _ in answers])
        value = float(self.observed @ costs + self._count @ log_z)
        return value, self.observed - sum(uses for _, uses in answers)

    def each(self, costs: Vector) -> Vector:
        """The log-likelihood of each plan."""
        answers = self._workers.call(self._crowds, "evaluate", costs)
        tasks = np.concatenate([aim.task for aim in self._aims]).tolist()
        log_z = dict(zip(tasks, np.concatenate([own for own, _ in answers]), strict=True))
        return np.array([-costs[list(p.actions)].sum() - log_z[p.task] for p in self._plans])

    def total(self, costs: Vector) -> float:
        """The log-likelihood of all plans."""
        return -self(costs)[0]

    def look(self, costs: Vector, plans: Mapping[int, Sequence[Actions]]) -> dict[int, Outlook]:
        """What is expected of tasks, and of some plans of each."""
        answers = self._workers.call(self._crowds, "look", costs, plans)
        return {task: outlook for found in answers for task, outlook in found.items()}

    def differences(self, costs: Vector, pairs: int, seed: int) -> tuple[csr_array, float]:
        """See `Crowd`; and for how many plans each pair stands."""
        rate = pairs / self._count.sum()
        self._workers.call(self._crowds, "evaluate", costs)
        found = self._workers.call(self._crowds, "differences", rate, len(costs), seed)
        return vstack(found).tocsr(), 1 / rate


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

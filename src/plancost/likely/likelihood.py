"""How likely plans are under some costs, and in which direction they become more likely.

Goals are independent of each other. They are dealt into crowds, a fixed number a world, so that
the answer does not depend on how many workers there are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array, vstack

from plancost.executor import Workers
from plancost.likely.tracks import Plan, Track
from plancost.likely.walks import SLACK, Aim, Field, Moves, Vector

Actions = tuple[int, ...]
_CROWDS = 16


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
    """Some aims of one world, each with the tasks of its starts."""

    def __init__(
        self,
        track: tuple[Moves, csr_array],
        aims: Sequence[tuple[Aim, list[int]]],
        costs: Vector,
        slack: float,
    ) -> None:
        moves, self._labels = track
        self._back = self._labels.T.tocsr()
        self._tasks = [tasks for _, tasks in aims]
        self._fields = [Field(moves, aim, self._labels @ costs, slack) for aim, _ in aims]

    def evaluate(self, costs: Vector, with_uses: bool) -> tuple[list[Vector], Vector]:
        """-log z of the starts of each aim, and the expected uses of actions by its plans."""
        by_label = self._labels @ costs
        uses = np.zeros(len(by_label))
        found = [field.evaluate(by_label, uses if with_uses else None) for field in self._fields]
        return found, self._back @ uses

    def look(self, costs: Vector, plans: Mapping[int, Sequence[Actions]]) -> dict[int, Outlook]:
        """What is expected of the tasks of these plans."""
        by_label = self._labels @ costs
        found = {}
        for field, tasks in zip(self._fields, self._tasks, strict=True):
            potentials = field.evaluate(by_label)
            for start, task in enumerate(tasks):
                uses = self._back @ field.uses_from(start, len(by_label))
                hits = [
                    float(np.minimum(1.0, uses[list(own)]).mean()) if own else 1.0
                    for own in plans[task]
                ]
                found[task] = Outlook(-float(potentials[start]), float(uses @ costs), hits)
        return found

    def differences(self, rate: float, seed: int) -> csr_array:
        """Of pairs of plans drawn from the same start, how their uses of actions differ: about
        `rate` pairs for each observed plan, at the costs of the last evaluation.
        """
        random = np.random.default_rng(seed)
        rows: list[int] = []
        labels: list[int] = []
        signs: list[float] = []
        pairs = 0
        for field in self._fields:
            for start, count in enumerate(field.count):
                for _ in range(int(count * rate + random.random())):
                    for sign in (1.0, -1.0):
                        walk = field.draw(start, int(random.integers(2**31)))
                        labels += walk.tolist()
                        rows += [pairs] * len(walk)
                        signs += [sign] * len(walk)
                    pairs += 1
        shape = pairs, self._labels.shape[0]
        return csr_array(csr_array((signs, (rows, labels)), shape=shape) @ self._labels)


class Likelihood:
    """Of plans, under costs near those that the fields are made for."""

    def __init__(
        self,
        tracks: Mapping[int, Track],
        plans: Mapping[int, Sequence[Plan]],
        costs: Vector,
        workers: Workers,
        slack: float = SLACK,
    ) -> None:
        self._workers = workers
        self._tasks: list[list[list[int]]] = []
        self.observed = np.zeros(len(costs))
        """How often plans use each action."""
        self.plans = [plan for own in plans.values() for plan in own]
        self.count = sum(plan.count for plan in self.plans)
        items = []
        for world, members in plans.items():
            track = tracks[world]
            for plan in members:
                np.add.at(self.observed, list(plan.actions), plan.count)
            aims = track.aims(members)
            for first in range(min(_CROWDS, len(aims))):
                dealt = aims[first::_CROWDS]
                items.append(((track.moves, track.labels), dealt, costs, slack))
                self._tasks.append([tasks for _, tasks in dealt])
        self._starts = [[aim.count for aim, _ in item[1]] for item in items]
        self._crowds = workers.place(Crowd, items)

    def __call__(self, costs: Vector) -> tuple[float, Vector]:
        """Minus the log-likelihood, and its slope by the cost of each action."""
        value, slope = float(self.observed @ costs), self.observed.copy()
        answers = self._workers.call(self._crowds, "evaluate", costs, True)
        for (potentials, uses), counts in zip(answers, self._starts, strict=True):
            value -= sum(float(c @ v) for c, v in zip(counts, potentials, strict=True))
            slope -= uses
        return value, slope

    def each(self, costs: Vector) -> Vector:
        """The log-likelihood of each plan."""
        log_sums = self.log_sums(costs)
        return np.array([-costs[list(p.actions)].sum() - log_sums[p.task] for p in self.plans])

    def total(self, costs: Vector) -> float:
        """The log-likelihood of all plans."""
        return float(self.each(costs) @ [plan.count for plan in self.plans])

    def log_sums(self, costs: Vector) -> dict[int, float]:
        """Of each task log z: what exp(-cost) of a plan is to be divided by."""
        found: dict[int, float] = {}
        answers = self._workers.call(self._crowds, "evaluate", costs, False)
        for (potentials, _), tasks in zip(answers, self._tasks, strict=True):
            for values, own in zip(potentials, tasks, strict=True):
                found.update(zip(own, (-values).tolist(), strict=True))
        return found

    def look(self, costs: Vector, plans: Mapping[int, Sequence[Actions]]) -> dict[int, Outlook]:
        """What is expected of tasks, and of some plans of each."""
        answers = self._workers.call(self._crowds, "look", costs, plans)
        return {task: outlook for found in answers for task, outlook in found.items()}

    def differences(self, costs: Vector, pairs: int, seed: int) -> tuple[csr_array, float]:
        """See `Crowd`; and for how many plans each pair stands."""
        rate = pairs / self.count
        self._workers.call(self._crowds, "evaluate", costs, False)
        return vstack(self._workers.call(self._crowds, "differences", rate, seed)).tocsr(), 1 / rate

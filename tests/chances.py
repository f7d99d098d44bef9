"""Probabilities of trips by a dense factorisation, and results that are not learned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from msgspec import structs

from cities import case_of, drawn_trips, grid, pairs_of
from plancost import Case, Result, learn
from plancost.case.model import Network
from plancost.result.model import Likely

UNITS = 100


def drawn(
    seed: int, count: int, side: int = 3, costs: np.ndarray | None = None
) -> tuple[Case, np.ndarray]:
    """Trips on a grid, and the costs in nats by which they were drawn."""
    random, links = np.random.default_rng(seed), grid(side)
    if costs is None:
        costs = np.round(random.uniform(1.8, 3.5, len(links)), 2)
    return case_of(links, drawn_trips(links, costs, pairs_of(count, side, random), random)), costs


def whole(case: Case, costs: np.ndarray) -> dict[str, int]:
    return {name: round(UNITS * cost) for name, cost in zip(case.actions, costs, strict=True)}


def as_result(case: Case, costs: Mapping[str, int]) -> Result:
    """Most likely costs as if they were learned from the plans of this case."""
    extra = Likely(
        log_likelihood=None, units_per_nat=UNITS, standard_errors={}, features={}, spreads={}
    )
    baseline = learn(case, alternatives="baseline")
    return structs.replace(baseline, costs=dict(costs), likely=extra)


def forgotten(result: Result) -> Result:
    """The same as if it were learned from other plans."""
    return structs.replace(result, observations=[])


class Chances:
    """Of a case of streets under costs in nats."""

    def __init__(self, case: Case, costs: np.ndarray) -> None:
        world = case.worlds[0]
        assert isinstance(world, Network)
        self.case, self.world, self.costs = case, world, costs
        size = len(world.states)
        moves = np.zeros((size, size))
        np.add.at(moves, (world.source, world.target), np.exp(-costs[world.action]))
        self.walks = np.linalg.inv(np.eye(size) - moves)

    def log_z(self, task: int) -> float:
        return float(np.log(self.walks[self._ends(task)]))

    def uses(self, task: int) -> np.ndarray:
        """How often a plan of the task is expected to use each link."""
        start, goal = self._ends(task)
        world = self.world
        before, after = self.walks[start, world.source], self.walks[world.target, goal]
        found: np.ndarray = (
            before * np.exp(-self.costs[world.action]) * after / self.walks[start, goal]
        )
        return found

    def cheapest(self, task: int, number: int) -> list[int]:
        """The costs of the cheapest walks, by dynamic programming over their lengths."""
        start, goal = self._ends(task)
        whole = np.rint(UNITS * self.costs).astype(int)
        waiting: dict[int, list[int]] = {start: [0]}
        found: list[int] = []
        for _ in range(40):
            found = sorted([*found, *waiting.get(goal, [])])[:number]
            longer: dict[int, list[int]] = {}
            for a, b, link in zip(
                self.world.source, self.world.target, self.world.action, strict=True
            ):
                spent = [cost + int(whole[link]) for cost in waiting.get(int(a), [])]
                longer[int(b)] = sorted([*longer.get(int(b), []), *spent])[:number]
            waiting = longer
        return found

    def _ends(self, task: int) -> tuple[int, int]:
        own = self.case.tasks[task]
        return min(own.initial), min(own.goal_states)


def only(case: Case, numbers: Sequence[int]) -> Case:
    """The case with these plans alone."""
    return replace(case, observations=tuple(case.observations[n] for n in numbers))

"""Who separates: state graphs of the actions that matter where they fit, planners where they do
not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from plancost.clock import Clock
from plancost.errors import LimitError
from plancost.learn.by_planners import ByPlanners
from plancost.learn.concept import Concept, Costs, Rule
from plancost.learn.factors import Bounded
from plancost.learn.feasibility import Separation
from plancost.learn.mcf import Maximal
from plancost.learn.oracles import Oracles
from plancost.learn.paths import Paths, paths_of
from plancost.learn.rows import Alternative, Cut
from plancost.learn.scf import Strict
from plancost.learn.task import ONE, LearningTask
from plancost.options import LearnOptions

_SOME_STATES = 300_000
"""If more states are reached, plans are first looked at one by one: elevators-100_0 reaches over 30
million by the actions of 163 plans, and some hundred by those of the 7 plans that are possible."""
_MOST_STATES = 8_000_000
"""About 4 GB of transitions."""
_MOST_FULL = 4_000_000
"""With all actions; beyond it planners answer sooner."""


class Rebuilding(Separation, Protocol):
    """A separation that can also say whether an alternative from a file is one."""

    def rebuild(self, why: Alternative) -> Cut | None:
        """Its cut, None if it is no alternative."""
        ...


class Separations:
    """Makes the separations of a run."""

    def __init__(self, task: LearningTask, options: LearnOptions, clock: Clock) -> None:
        self.task, self.options, self.clock = task, options, clock
        self.oracles = Oracles(task.case, options)
        self.paths: Paths | None = None
        """Of the first objective, if it has state graphs."""
        self.uses_planners = options.oracle == "planners"
        self.notes: list[str] = []

    def of_used(
        self, plans: Sequence[int], clock: Clock, *, last: bool = False
    ) -> Rebuilding | None:
        """For the first objective; None if it should be tried again with fewer plans."""
        if self.uses_planners:
            return self._by_planners(clock)
        allowed = self.task.open_actions(plans)
        most = _MOST_STATES if last else _SOME_STATES
        paths = paths_of(self.task, self.oracles, plans, allowed, clock, most)
        if paths is not None:
            self.paths = paths
            return self._on(paths)
        if not last:
            return None
        return self._without_graphs(clock)

    def of_all(self, plans: Sequence[int], clock: Clock) -> Rebuilding:
        """For the second objective: all actions."""
        if self.uses_planners:
            return self._by_planners(clock)
        every = np.ones(self.task.action_count, dtype=bool)
        paths = paths_of(
            self.task, self.oracles, plans, every, clock.part(clock.remaining / 6), _MOST_FULL
        )
        return self._without_graphs(clock) if paths is None else self._on(paths)

    def of_one(self, plan: int, clock: Clock) -> Rebuilding | None:
        """For one plan alone, on its own actions; None if that is too large."""
        allowed = self.task.open_actions([plan])
        paths = paths_of(self.task, self.oracles, [plan], allowed, clock, _SOME_STATES)
        return None if paths is None else self._on(paths)

    def _on(self, paths: Paths) -> Concept:
        return Concept(self.task, paths, self._rules(paths))

    def _without_graphs(self, clock: Clock) -> ByPlanners:
        if self.options.oracle == "graph":
            raise LimitError(
                "the state graphs are too large: leave `oracle` out, so that planners are asked"
            )
        self.uses_planners = True
        return self._by_planners(clock)

    def _by_planners(self, clock: Clock) -> ByPlanners:
        return ByPlanners(self.task, self._rules(None), self.oracles.planners, clock)

    def _rules(self, paths: Paths | None) -> list[Rule]:
        scf = (
            Strict(self.task, paths, self.options.ties) if self.options.solution == "scf" else None
        )
        mcf, factors = Maximal(self.task, paths), Bounded(self.task)
        exact: Rule = scf or mcf
        return [exact if plan.factor == ONE else factors for plan in self.task.plans]


class Unseparated:
    """Of a question without plans: nothing is ever broken."""

    def optimal(self, costs: npt.NDArray[np.int64], plans: Sequence[int]) -> list[int]:
        """All of them."""
        return list(plans)

    def separate(self, costs: Costs, plans: Sequence[int], most: int = 6) -> dict[int, list[Cut]]:
        """Nothing."""
        return {}

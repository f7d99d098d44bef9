"""Who separates: state graphs of the actions that matter where they fit, planners where they do
not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

import numpy as np

from plancost.clock import Clock, OutOfTimeError
from plancost.errors import LimitError
from plancost.learn.by_planners import ByPlanners
from plancost.learn.concept import Concept
from plancost.learn.conflict import Conflict
from plancost.learn.feasibility import Feasibility, Separation, UndecidedError
from plancost.learn.mcf import Bounded, Maximal
from plancost.learn.paths import Paths
from plancost.learn.rows import Mask, RowPool
from plancost.learn.scf import Strict
from plancost.learn.task import ONE, LearningTask
from plancost.learn.verify import Oracles
from plancost.options import LearnOptions
from plancost.search.transitions import Reached

_SOME_STATES = 300_000
"""If more states are reached, plans are first looked at one by one: elevators-100_0 reaches over 30
million by the actions of 163 plans, and some hundred by those of the 7 plans that are possible."""
_MOST_STATES = 8_000_000
"""About 4 GB of transitions."""
_MOST_FULL = 4_000_000
"""With all actions; beyond it planners answer sooner."""


class Separations:
    """Makes the separations of a run."""

    def __init__(self, task: LearningTask, options: LearnOptions) -> None:
        self.task, self.options = task, options
        self.oracles = Oracles(task.case, options)
        self.uses_planners = options.oracle == "planners"
        self.refuted: list[tuple[Conflict, RowPool]] = []
        """Plans that are impossible alone, and the rows that say so."""

    def of_used(
        self, plans: list[int], clock: Clock, say: Callable[[str], None]
    ) -> tuple[Separation, list[int]]:
        """For the first objective: of the actions that plans use, and the plans that are possible.

        Where all together reach too many states, each plan is tried alone first, on its own
        actions: a handful of states, where those of all plans may be millions.
        """
        if self.uses_planners:
            return self._by_planners(clock), plans
        say("state graphs")
        found = self._on_graphs(plans, self.task.open_actions(plans), _SOME_STATES, clock)
        if found is None:
            say("each plan alone")
            plans = [plan for plan in plans if self._is_possible(plan, clock)]
            found = self._on_graphs(plans, self.task.open_actions(plans), _MOST_STATES, clock)
        return found or self._by_planners(clock), plans

    def of_all(self, plans: list[int], clock: Clock) -> Separation:
        """For the second objective: of all actions."""
        found = None
        if not self.uses_planners:
            every = np.ones(self.task.action_count, dtype=bool)
            found = self._on_graphs(plans, every, _MOST_FULL, clock.part(clock.remaining / 6))
        return found or self._by_planners(clock)

    def _is_possible(self, plan: int, clock: Clock) -> bool:
        """Whether a plan can be optimal if no other is asked for; if nobody knows, it may be."""
        if clock.is_over:
            return True
        found = self._on_graphs([plan], self.task.open_actions([plan]), _SOME_STATES, clock)
        if found is None:
            return True
        try:
            feasibility = Feasibility(self.task, found, clock)
            answer = feasibility.decide([plan])
        except (OutOfTimeError, UndecidedError):
            return True
        if isinstance(answer, Conflict):
            self.refuted.append((answer, feasibility.pool))
        return not isinstance(answer, Conflict)

    def _on_graphs(
        self, plans: Sequence[int], allowed: Mask, most_states: int, clock: Clock
    ) -> Concept | None:
        """The graphs that these actions span for these plans; None if they are too large."""
        task, by_world = self.task, defaultdict(list)
        for problem in sorted({task.plans[plan].problem for plan in plans}):
            by_world[task.problems[problem].world].append(problem)
        places: dict[int, int] = {}
        worlds: dict[int, Reached] = {}
        for world, members in by_world.items():
            tasks = [task.problems[problem] for problem in members]
            reached = self.oracles.graph(world, tasks, allowed, most_states, clock)
            if reached is None:
                return None
            worlds[world] = reached
            most_states -= reached.graph.size
            places.update((problem, place) for place, problem in enumerate(members))
        paths = Paths(task, worlds, {plan: places[task.plans[plan].problem] for plan in plans})
        return Concept(task, paths, self._rules(paths))

    def _by_planners(self, clock: Clock) -> ByPlanners:
        if self.options.oracle == "graph":
            raise LimitError(
                "the state graphs are too large: leave `oracle` out, so that planners are asked"
            )
        self.uses_planners = True
        return ByPlanners(self.task, self._rules(None), self.oracles.planners, clock)

    def _rules(self, paths: Paths | None) -> list[Maximal]:
        """Of each plan."""
        exact, factors = Maximal(self.task, paths), Bounded(self.task, paths)
        if self.options.solution == "scf":
            exact = Strict(self.task, paths, self.options.ties)
        return [exact if plan.factor == ONE else factors for plan in self.task.plans]

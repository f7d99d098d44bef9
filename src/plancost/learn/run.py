"""One run: from a case to verified costs. The order of all this.

    task -> state graphs (or planners) -> crossings -> most plans -> least costs -> verification

The first objective looks at actions that cannot be priced out; the second at all actions.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf, isinf
from pathlib import Path

import numpy as np

from plancost.case.model import Case
from plancost.clock import Clock
from plancost.errors import InputError, LimitError, UsageError
from plancost.learn.concept import Concept
from plancost.learn.conflict import Conflict
from plancost.learn.cost_lp import least_whole
from plancost.learn.crossings import find_crossings
from plancost.learn.feasibility import Feasibility, UndecidedError, optimal_under
from plancost.learn.first_set import LARGE, MANY, elastic_costs
from plancost.learn.incumbent import Incumbent
from plancost.learn.knowledge import Knowledge
from plancost.learn.least_costs import Least, LeastCosts, over_all_sets
from plancost.learn.most_plans import MostPlans
from plancost.learn.outcome import Learned
from plancost.learn.parameters import Parameters
from plancost.learn.rows import RowPool, Vector, Whole
from plancost.learn.scf import differing_ways
from plancost.learn.separation import Separations
from plancost.learn.steps import Steps
from plancost.learn.task import ONE, LearningTask
from plancost.options import LearnOptions
from plancost.progress import Progress, silent

_FOR_CHECKING, _BY_PLANNERS = 0.06, 0.35
"""The part of the time that is kept for what follows a step; more where planners check."""
_FOR_FIRST_SET, _FOR_CROSSINGS = 0.75, 0.15
_CROWDED = 0.9
"""If crossings leave more of many plans than this, insertion alone is better: of 3,000 trips in a
made-up city it proves 2,985 in 27 s; elastic programs find 2,849 in 33 s before it begins."""
_VERY_MANY = 5000
"""With so many, insertion takes too long: 5,160 of 10,000 trips in 290 s, not 9,007 in 145 s."""
_AT_LEAST_S = 5.0
"""However short the limit, costs that keep to bounds and known totals are looked for so long."""


def learn_costs(
    case: Case,
    options: LearnOptions,
    clock: Clock,
    progress: Progress = silent,
    knowledge: Path | None = None,
    origin: Origin | None = None,
) -> Learned:
    """Learn one cost function from all observations of a case.

    `origin` is asked for costs near which to begin where many plans exclude each other.
    """
    run = Run(Incumbent(LearningTask(case, options), clock, progress), options, knowledge)
    run.origin = origin
    return run.learned()


Origin = Callable[[Clock], Vector | None]
"""Costs of all actions, if there are some within the clock."""


class Run(Steps):
    """One run around one incumbent."""

    origin: Origin | None = None

    def __init__(
        self,
        incumbent: Incumbent,
        options: LearnOptions,
        knowledge: Path | None = None,
        separations: Separations | None = None,
    ) -> None:
        self.separations = separations or Separations(incumbent.task, options)
        super().__init__(incumbent, options, self.separations.oracles)
        if options.solution == "scf" and any(plan.factor != ONE for plan in self.task.plans):
            raise UsageError(
                "factors of suboptimality do not go with solution scf: take mcf or icf"
            )
        incumbent.values = _allowed_values(self.task.parameters, self.clock)
        self.knowledge = Knowledge(incumbent, knowledge)

    def learned(self) -> Learned:
        """All steps, each as far as the clock lets it."""
        self.take("most plans", self._most_plans, self._share())
        if self.ending in ("done", "time limit") and not self.none_exists:
            self.take("least costs", self._least_costs, self._share())
        self.take("knowledge", lambda _: self.knowledge.write(), self.clock)
        self.notes += self.knowledge.complaints
        return super().learned()

    def prepared(self, clock: Clock) -> tuple[MostPlans, list[int]]:
        """The search for most plans with what an earlier run has found, and the plans that are
        possible.
        """
        every = list(range(len(self.task.plans)))
        separation, plans = self.separations.of_used(every, clock, self.incumbent.say)
        self.incumbent.lower_bound(self.task.weight(plans))
        feasibility = Feasibility(self.task, separation, clock)
        search = MostPlans(feasibility, self.incumbent, self.knowledge, self.options.seed)
        search.cuts.impossible[sorted(set(every) - set(plans))] = True
        for conflict, pool in self.separations.refuted:
            self.knowledge.add(conflict, pool)
        for conflict in list(self.knowledge.read(separation.rebuild, feasibility.pool)):
            search.learn(conflict)
        return search, plans

    def _share(self) -> Clock:
        """The time for a step: what is left, but for the check."""
        kept = _BY_PLANNERS if self.separations.uses_planners else _FOR_CHECKING
        return self.clock.part(self.clock.remaining * (1 - kept))

    def _most_plans(self, clock: Clock) -> None:
        self.search, plans = self.prepared(clock)
        if self.options.solution == "icf":
            self._all_or_none()
            return
        self._begin(plans)
        self.search.run()

    def _all_or_none(self) -> None:
        """icf: costs for all plans, or the proof that there are none."""
        self.search.relax()
        if self.none_exists:
            return
        order = self.task.shortest_first
        answer = self.search.feasibility.decide(order)
        if isinstance(answer, Conflict):
            self.search.learn(answer)
            self.search.relax()
        elif not self.search.take(order, answer):
            raise UndecidedError("no whole costs were found")

    def _begin(self, plans: list[int]) -> None:
        """First sets: of the baseline, of an earlier run, of very many plans; then by insertion."""
        search, clock, parameters = self.search, self.search.clock, self.task.parameters
        separation, first = search.feasibility.separation, self.knowledge.best
        if isinstance(separation, Concept):
            if parameters.scales:
                self._take_whole(parameters.baseline, plans)
            self._cross(separation, plans)
        search.relax()
        is_crowded = len(plans) >= _VERY_MANY
        is_crowded |= self.incumbent.bound < _CROWDED * self.task.weight(plans)
        if len(plans) >= MANY and is_crowded and parameters.is_plain and parameters.scales:
            share = clock.part(clock.remaining * _FOR_FIRST_SET)
            near = self.origin(share) if self.origin and len(parameters.parts) <= LARGE else None
            say = self.incumbent.say
            costs, found = elastic_costs(search.feasibility, plans, near, share, say)
            self.incumbent.say("whole costs")
            whole, kept = search.feasibility.most_whole(costs, found)
            if self.task.weight(kept) > self.incumbent.weight:
                self.incumbent.take(kept, whole)
            first = max(first, found, key=self.task.weight)
        search.insert([*first, *self.task.shortest_first], max(1, len(first)))

    def _take_whole(self, values: Whole, plans: list[int]) -> list[int]:
        """The plans that some values make optimal are an answer at once."""
        costs = self.task.parameters.costs(values).astype(np.int64)
        optimal = optimal_under(self.search.feasibility.separation, costs, plans)
        if self.task.weight(optimal) > self.incumbent.weight:
            self.search.take(optimal, values.astype(np.float64))
        return optimal

    def _cross(self, separation: Concept, plans: list[int]) -> None:
        """Conflicts of two plans, as far as they can be seen."""
        self.incumbent.say("crossings")
        clock = self.search.clock.part(self.search.clock.remaining * _FOR_CROSSINGS)
        differ = differing_ways(self.options.ties) if self.options.solution == "scf" else None
        paths, feasibility = separation.paths, self.search.feasibility
        for conflict in find_crossings(feasibility, paths, plans, clock, differ):
            self.search.learn(conflict)

    def _least_costs(self, clock: Clock) -> None:
        """If no set has more plans than the one found, for all sets of as many."""
        least_costs, least, second = self._least_for_set(clock)
        if not self.incumbent.is_proved:
            return
        if np.count_nonzero(~self.search.cuts.impossible) == len(self.incumbent.plans):
            self.incumbent.second_bound = least.bound
        else:
            over_all_sets(self.search, least_costs, least, second, clock)

    def _least_for_set(self, clock: Clock) -> tuple[LeastCosts, Least, int]:
        """For the set found."""
        incumbent, parameters = self.incumbent, self.task.parameters
        incumbent.second = second = parameters.second(incumbent.values)
        incumbent.say("least costs")
        possible: list[int] = np.flatnonzero(~self.search.cuts.impossible).tolist()
        separation = self.separations.of_all(possible, clock)
        least_costs = LeastCosts(self.task, separation, clock, self.knowledge)
        least = least_costs.of(incumbent.plans)
        if least.values is not None and least.value <= second:
            second = least.value
            incumbent.take_second(incumbent.plans, least.values, least=least.is_least)
        return least_costs, least, second


def _allowed_values(parameters: Parameters, clock: Clock) -> Whole:
    """The baseline, or other values if it breaks bounds or known totals; an error if all do."""
    if parameters.allows(parameters.baseline):
        return parameters.baseline
    pool = RowPool(0, parameters.count, parameters.always)
    seconds = max(_AT_LEAST_S, clock.remaining)
    found, bound = None, inf
    if (parameters.least <= parameters.greatest).all():
        found, bound = least_whole(parameters, pool, pool.demanded(()), seconds)
    if found is None and isinf(bound):
        raise InputError(
            "no whole costs of at least 1 agree with all bounds and known totals of plans: "
            "leave some of them out"
        )
    if found is None or not parameters.allows(found):
        raise LimitError("no costs that keep to all bounds and known totals were found in time")
    return found

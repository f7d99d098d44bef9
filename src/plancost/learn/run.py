"""One run: from a case to verified costs. The order of all this.

    task -> state graphs (or planners) -> crossings -> most plans -> least costs -> verification

The first objective looks at actions that cannot be priced out; the second at all actions. Whatever
ends a step early (the clock, Ctrl-C, a program that fails) is noted, and what was found stays: at
the end the best costs so far are checked all the same.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from math import inf, isinf
from pathlib import Path

import numpy as np

from plancost.case.model import Case
from plancost.clock import Clock, OutOfTimeError
from plancost.errors import (
    InputError,
    LimitError,
    PlancostError,
    PlannerError,
    SolverError,
    UsageError,
)
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
from plancost.learn.outcome import AFTER_INTERRUPT_S, CHECK_MORE_S, Ending, Learned, worst
from plancost.learn.parameters import Parameters
from plancost.learn.rows import RowPool, Vector, Whole
from plancost.learn.separation import Separations
from plancost.learn.task import ONE, LearningTask
from plancost.learn.verify import Check
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
_LEAST_CHECK_S = 2.0
"""However late a solver comes back: without a check nothing of what was found counts."""

Origin = Callable[[Clock], Vector | None]
"""Costs of all actions, if there are some within the clock."""


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
    incumbent = Incumbent(LearningTask(case, options), clock, progress)
    return Run(incumbent, options, knowledge, origin=origin).learned()


class Run:
    """One run around one incumbent: one step after the other; how they ended is in the fields."""

    def __init__(
        self,
        incumbent: Incumbent,
        options: LearnOptions,
        knowledge: Path | None = None,
        separations: Separations | None = None,
        origin: Origin | None = None,
    ) -> None:
        self.incumbent, self.task, self.clock = incumbent, incumbent.task, incumbent.clock
        self.options, self.origin = options, origin
        self.separations = separations or Separations(incumbent.task, options)
        self.ending: Ending = "done"
        self.notes: list[str] = []
        self.seconds: dict[str, float] = {}
        if options.solution == "scf" and any(plan.factor != ONE for plan in self.task.plans):
            raise UsageError(
                "factors of suboptimality do not go with solution scf: take mcf or icf"
            )
        incumbent.values = _allowed_values(self.task.parameters, self.clock)
        self.knowledge = Knowledge(incumbent, knowledge)

    def learned(self) -> Learned:
        """All steps, each as far as the clock lets it."""
        self._take("most plans", self._most_plans, self._share())
        if self.ending in ("done", "time limit") and not self.none_exists:
            self._take("least costs", self._least_costs, self._share())
        self._take("knowledge", lambda _: self.knowledge.write(), self.clock)
        self.notes += self.knowledge.complaints
        return self._checked()

    @property
    def none_exists(self) -> bool:
        """Whether it is proven (icf) that not all plans can be optimal."""
        everything = int(self.task.weights.sum())
        return self.options.solution == "icf" and self.incumbent.bound < everything

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
        """First sets, of which the heaviest that can be had is the incumbent.

        They are the plans that the baseline makes optimal; where plans are very many, those of an
        elastic program near the costs of `origin`; and what insertion grows from the heavier one of
        the latter and the set of an earlier run, followed by all plans, the shortest first.
        """
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

    def _take_whole(self, values: Whole, plans: list[int]) -> None:
        """The plans that some values make optimal are an answer at once."""
        costs = self.task.parameters.costs(values).astype(np.int64)
        optimal = optimal_under(self.search.feasibility.separation, costs, plans)
        if self.task.weight(optimal) > self.incumbent.weight:
            self.search.take(optimal, values.astype(np.float64))

    def _cross(self, separation: Concept, plans: list[int]) -> None:
        """Conflicts of two plans, as far as they can be seen."""
        self.incumbent.say("crossings")
        clock = self.search.clock.part(self.search.clock.remaining * _FOR_CROSSINGS)
        feasibility, paths = self.search.feasibility, separation.paths
        for conflict in find_crossings(feasibility, paths, plans, self.options, clock):
            self.search.learn(conflict)

    def _least_costs(self, clock: Clock) -> None:
        """If no set has more plans than the one found, for all sets of as many."""
        least_costs, least = self._least_for_set(clock)
        if not self.incumbent.is_proved:
            return
        if np.count_nonzero(~self.search.cuts.impossible) == len(self.incumbent.plans):
            self.incumbent.second_bound = least.bound
        else:
            over_all_sets(self.search, least_costs, least, clock)

    def _least_for_set(self, clock: Clock) -> tuple[LeastCosts, Least]:
        """For the set found."""
        incumbent = self.incumbent
        incumbent.take_second(incumbent.plans, incumbent.values, least=False)
        possible: list[int] = np.flatnonzero(~self.search.cuts.impossible).tolist()
        separation = self.separations.of_all(possible, clock)
        least_costs = LeastCosts(self.task, separation, clock, self.knowledge)
        least = least_costs.of(incumbent.plans)
        least.given_to(incumbent, incumbent.plans)
        return least_costs, least

    def _take(self, name: str, step: Callable[[Clock], None], clock: Clock) -> None:
        """Do a step; what ends it early is noted."""
        began = time.monotonic()
        try:
            step(clock)
            self._ended("time limit" if clock.is_over else "done")
        except OutOfTimeError:
            self._ended("time limit")
        except UndecidedError as trouble:
            self.notes.append(f"numerical trouble ended the search early: {trouble}")
        except KeyboardInterrupt:
            self._ended("interrupted")
        except MemoryError:
            self._ended("out of memory")
        except (PlannerError, SolverError) as failure:
            self._failed(str(failure))
        except ModuleNotFoundError as missing:
            self._failed(f"{missing.name} is not installed: run 'pip install {missing.name}'")
        except PlancostError as limit:
            if not self.incumbent.plans:
                raise
            self.notes.append(str(limit))
            self._ended("time limit")
        finally:
            self.seconds[name] = round(time.monotonic() - began, 3)

    def _checked(self) -> Learned:
        """What is known now, after a check of the costs as far as it comes."""
        incumbent, case, parameters = self.incumbent, self.task.case, self.task.parameters
        costs, chosen = tuple(parameters.costs(incumbent.values).tolist()), set(incumbent.plans)
        claimed = tuple(plan in chosen for plan in self.task.plan_of)
        check = Check(costs, self.separations.oracles, claimed)
        incumbent.say("check")
        self._take("check", check.run, self._for_check())
        verdicts = check.verdicts
        second, seen = incumbent.second_objective, zip(case.observations, verdicts, strict=True)
        if sum(one.count for one, verdict in seen if verdict.optimal) == incumbent.bound:
            # No costs make more plans optimal: about the others nothing is left to decide.
            verdicts = tuple(replace(v, optimal=v.optimal is True) for v in verdicts)
            if second.proved and self.ending == "time limit":
                self.ending = "done"
        elif any(verdict.optimal is None for verdict in verdicts):
            self._ended(self.separations.oracles.undecided(self.clock))
        self.seconds["total"] = round(self.clock.seconds, 3)
        return Learned(
            costs=costs,
            parameters=tuple(incumbent.values[: parameters.own_count].tolist()),
            claimed=claimed,
            upper_bound=incumbent.bound,
            second=None if self.none_exists else second,
            verdicts=verdicts,
            ending="none exists" if self.none_exists else self.ending,
            seconds=self.seconds,
            history=tuple(incumbent.history),
            notes=tuple(self.notes),
        )

    def _for_check(self) -> Clock:
        """It may take a moment more than the limit, since it is what makes an answer worth
        anything; but nobody who has pressed Ctrl-C wants to wait.
        """
        if self.ending == "interrupted":
            return self.clock.part(AFTER_INTERRUPT_S)
        limit = max(self.clock.limit + CHECK_MORE_S, self.clock.seconds + _LEAST_CHECK_S)
        return replace(self.clock, limit=limit)

    def _failed(self, why: str) -> None:
        if why not in self.notes:
            self.notes.append(why)
        self._ended("failed")

    def _ended(self, ending: Ending) -> None:
        """The worst of all endings counts."""
        self.ending = worst(self.ending, ending)


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

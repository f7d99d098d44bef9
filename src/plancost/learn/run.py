"""One run: from a case to verified costs. The order of all this, and the clock.

    task -> state graphs (or planners) -> crossings -> most plans -> least costs -> verification

The first objective looks at actions that cannot be priced out; the second at all actions.
Whatever ends a run early (the clock, Ctrl-C, a program that fails), the best answer so far is
verified and returned.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from plancost.case.model import Case
from plancost.clock import Clock
from plancost.errors import (
    InputError,
    LimitError,
    PlancostError,
    PlannerError,
    SolverError,
    UsageError,
)
from plancost.learn.alone import possible_alone
from plancost.learn.conflict import Conflict
from plancost.learn.crossings import find_crossings
from plancost.learn.feasibility import Feasibility, OutOfTimeError, UndecidedError
from plancost.learn.first_set import MANY, large_first_set
from plancost.learn.incumbent import Incumbent
from plancost.learn.knowledge import Knowledge
from plancost.learn.least_costs import LeastCosts
from plancost.learn.least_of_all import over_all_sets
from plancost.learn.most_plans import MostPlans, shortest_first
from plancost.learn.outcome import Ending, Learned, Second, Verdict
from plancost.learn.scf import differing_ways
from plancost.learn.separation import Separations, Unseparated
from plancost.learn.task import ONE, LearningTask
from plancost.learn.verify import verify
from plancost.options import LearnOptions
from plancost.progress import Progress, silent

_FOR_CHECKING = 0.06
"""The part of the time that is kept for the check; more where planners do it."""
_BY_PLANNERS = 0.35
_FOR_FIRST_SET = 0.6
_AT_LEAST_S = 5.0
"""However short the limit, costs that keep to bounds and known totals are looked for so long."""


def learn_costs(
    case: Case,
    options: LearnOptions,
    clock: Clock,
    progress: Progress = silent,
    knowledge: Path | None = None,
) -> Learned:
    """Learn one cost function from all observations of a case."""
    return Run(case, options, clock, progress, knowledge).learned()


class Run:
    """One run; what it has found so far is in its fields."""

    def __init__(
        self, case: Case, options: LearnOptions, clock: Clock, progress: Progress, path: Path | None
    ) -> None:
        self.case, self.options, self.clock = case, options, clock
        self.task = LearningTask(case, options)
        if options.solution == "scf" and any(plan.factor != ONE for plan in self.task.plans):
            raise UsageError(
                "factors of suboptimality do not go with solution scf: take mcf or icf"
            )
        self.incumbent = Incumbent(self.task, clock, progress)
        self.knowledge = Knowledge(self.task, options, path)
        self.separations = Separations(self.task, options, clock)
        self.seconds: dict[str, float] = {}
        self.notes: list[str] = []
        self.ending, self.complaint = Ending.DONE, ""
        self.none_exists = False
        self.is_late = False
        """Whether a step was ended by the clock."""

    def learned(self) -> Learned:
        """All steps, each as far as the clock lets it."""
        self._keeping(self._first_objective, "most plans")
        if self.ending is Ending.DONE and not self.none_exists:
            self._keeping(self._second_objective, "least costs")
        if self.is_late and self.ending is Ending.DONE and not self._is_finished():
            self.ending = Ending.LIMIT
        verdicts = self._verdicts()
        self.seconds["total"] = self.clock.seconds
        incumbent, parameters = self.incumbent, self.task.parameters
        chosen = set(incumbent.plans)
        costs = parameters.costs(incumbent.values).tolist()
        return Learned(
            costs=tuple(costs),
            parameters=tuple(incumbent.values[: parameters.own_count].tolist()),
            claimed=tuple(plan in chosen for plan in self.task.plan_of),
            upper_bound=incumbent.bound,
            second=None if self.none_exists else self._second(),
            verdicts=verdicts,
            none_exists=self.none_exists,
            ending=self.ending,
            complaint=self.complaint,
            seconds={name: round(value, 3) for name, value in self.seconds.items()},
            history=tuple(incumbent.history),
            notes=tuple(dict.fromkeys((*self.notes, *self.separations.notes))),
        )

    def _keeping(self, step: Callable[[Clock], None], name: str) -> None:
        """Do a step; what ends it early is noted, and what was found stays."""
        began = time.monotonic()
        kept = _BY_PLANNERS if self.separations.uses_planners else _FOR_CHECKING
        own = self.clock.part(self.clock.remaining * (1 - kept))
        try:
            step(own)
        except OutOfTimeError:
            self.is_late = True
        except UndecidedError as trouble:
            self.notes.append(f"numerical trouble ended the search early: {trouble}")
        except (PlannerError, SolverError) as failure:
            self.ending, self.complaint = Ending.FAILED, str(failure)
        except KeyboardInterrupt:
            self.ending = Ending.INTERRUPTED
        finally:
            self.seconds[name] = time.monotonic() - began
        self.is_late |= own.is_over
        self.knowledge.keep(self.incumbent.plans, self.incumbent.values.tolist())
        self.knowledge.write()

    def _first_objective(self, clock: Clock) -> None:
        search, plans = self.prepared(clock)
        if self.options.solution == "icf":
            self._all_or_none(search.feasibility, plans)
            return
        self._begin(search, plans, clock)
        search.run()

    def prepared(self, clock: Clock) -> tuple[MostPlans, list[int]]:
        """The search for most plans with what an earlier run has found, and the plans that are
        possible.
        """
        every = list(range(len(self.task.plans)))
        self._check_what_always_holds()
        self.incumbent.say("state graphs")
        plans = every
        separation = self.separations.of_used(plans, clock)
        if separation is None:
            plans = self._alone(every, clock)
            separation = self.separations.of_used(plans, clock, last=True)
        assert separation is not None
        feasibility = Feasibility(self.task, separation, clock)
        self.search = MostPlans(feasibility, self.incumbent, self.knowledge, self.options.seed)
        self.search.forbid(set(every) - set(plans))
        for conflict in list(self.knowledge.read(separation.rebuild, feasibility.pool)):
            self.search.learn(conflict)
        return self.search, plans

    def _begin(self, search: MostPlans, plans: list[int], clock: Clock) -> None:
        """First sets: of the baseline, of an earlier run, of very many plans; then by insertion."""
        self._take_baseline(search.feasibility, plans)
        first = self.knowledge.best[0]
        is_plain = self.task.parameters.is_plain and self.task.parameters.scales
        if len(plans) >= MANY and is_plain and self.separations.paths is not None:
            share = clock.part(clock.remaining * _FOR_FIRST_SET)
            found = large_first_set(search.feasibility, plans, share, self.incumbent)
            first = max(first, found, key=self.task.weight)
        self._cross(search, plans, clock.part(clock.remaining / 4))
        search.relax()
        order = [*first, *shortest_first(self.task.lengths)]
        search.insert([n for n in order if n in set(plans)], max(1, len(first)))

    def _cross(self, search: MostPlans, plans: list[int], clock: Clock) -> None:
        """Conflicts of two plans, as far as they can be seen."""
        if self.separations.paths is None:
            return
        self.incumbent.say("crossings")
        differ = differing_ways(self.options.ties) if self.options.solution == "scf" else None
        paths = self.separations.paths
        for conflict in find_crossings(search.feasibility, paths, plans, clock, differ):
            search.learn(conflict)

    def _take_baseline(self, feasibility: Feasibility, plans: list[int]) -> None:
        """The plans that the baseline makes optimal are an answer at once."""
        if not self.task.parameters.scales or self.separations.uses_planners:
            return
        values = self.task.parameters.baseline
        costs = self.task.parameters.costs(values).astype(np.int64)
        optimal = feasibility.separation.optimal(costs, plans)
        if not optimal:
            return
        whole = feasibility.whole(values.astype(np.float64), optimal)
        if whole is not None and self.task.weight(optimal) > self.incumbent.weight:
            self.incumbent.take(optimal, whole)

    def _alone(self, plans: list[int], clock: Clock) -> list[int]:
        """The plans that can be optimal if they are the only one."""
        self.incumbent.say("each plan alone")
        possible = possible_alone(self.task, self.separations, plans, clock)
        self.incumbent.lower_bound(self.task.weight(possible))
        return possible

    def _check_what_always_holds(self) -> None:
        """An error if known totals and bounds contradict each other."""
        parameters = self.task.parameters
        if not parameters.always and not (parameters.least > parameters.greatest).any():
            return
        clock = Clock(max(_AT_LEAST_S, self.clock.remaining))
        feasibility = Feasibility(self.task, Unseparated(), clock)
        try:
            answer = (
                None if (parameters.least > parameters.greatest).any() else feasibility.decide([])
            )
        except (OutOfTimeError, UndecidedError):
            raise LimitError(
                "no costs that keep to all bounds and known totals were found in time"
            ) from None
        if answer is None or isinstance(answer, Conflict):
            raise InputError(
                "no whole costs of at least 1 agree with all bounds and known totals of plans: "
                "leave some of them out"
            )
        values = parameters.baseline
        if any(row.excess(values) > 0 for row in parameters.always):
            found = feasibility.whole(answer, [])
            assert found is not None
            self.incumbent.values = found

    def _all_or_none(self, feasibility: Feasibility, plans: list[int]) -> None:
        """icf: costs for all plans, or the proof that there are none."""
        every = list(range(len(self.task.plans)))
        if len(plans) < len(every):
            self.none_exists = True
            self.incumbent.lower_bound(self.task.weight(plans))
            return
        answer = feasibility.decide(shortest_first(self.task.lengths))
        if isinstance(answer, Conflict):
            self.search.learn(answer)
            self.none_exists = True
            self.incumbent.lower_bound(self.task.weight(every) - 1)
            return
        values = feasibility.whole(answer, every)
        if values is None:
            raise UndecidedError("no whole costs were found")
        self.incumbent.take(every, values)

    def _second_objective(self, clock: Clock) -> None:
        incumbent = self.incumbent
        incumbent.second = self.task.parameters.second(incumbent.values)
        incumbent.say("least costs")
        possible = [n for n in range(len(self.task.plans)) if not self.search.cuts.impossible[n]]
        separation = self.separations.of_all(possible, clock)
        least = LeastCosts(self.task, separation, clock)
        found = least.of(incumbent.plans)
        if found.values is not None and found.value < incumbent.second:
            incumbent.take_second(incumbent.plans, found.values, least=found.is_least)
        elif found.values is not None:
            incumbent.least_for_set = found.is_least
        if not incumbent.is_proved:
            return
        if len(possible) == len(incumbent.plans):
            incumbent.second_bound = found.bound
            return
        over_all_sets(self.search, least, found, clock)

    def _second(self) -> Second:
        incumbent, parameters = self.incumbent, self.task.parameters
        floor = parameters.second_floor
        value = parameters.second(incumbent.values)
        bound = min(value, max(floor, incumbent.second_bound))
        return Second(value, bound, incumbent.least_for_set or value <= bound)

    def _is_finished(self) -> bool:
        second = self._second()
        return self.incumbent.is_proved and second.proved

    def _verdicts(self) -> tuple[Verdict, ...]:
        began = time.monotonic()
        self.incumbent.say("check")
        costs = self.task.parameters.costs(self.incumbent.values).tolist()
        own = [self.case.cost(o.actions, costs) for o in self.case.observations]
        verdicts: Sequence[Verdict] = [Verdict(cost, None, None) for cost in own]
        try:
            chosen = set(self.incumbent.plans)
            claimed = [n for n, plan in enumerate(self.task.plan_of) if plan in chosen]
            verdicts = verify(costs, self.separations.oracles, self._checking_clock(), claimed)
        except (OutOfTimeError, KeyboardInterrupt):
            self.ending = Ending.INTERRUPTED if self.ending is Ending.INTERRUPTED else Ending.LIMIT
        except PlancostError as failure:
            self.ending, self.complaint = Ending.FAILED, str(failure)
        if self.ending is Ending.DONE and any(v.optimal is None for v in verdicts):
            self.ending = Ending.LIMIT
        self.seconds["check"] = time.monotonic() - began
        return tuple(verdicts)

    def _checking_clock(self) -> Clock:
        """The check may take a moment more than the limit: it is what makes the answer worth
        anything.
        """
        return replace(self.clock, limit=self.clock.limit + min(2.0, 0.05 * self.clock.limit))

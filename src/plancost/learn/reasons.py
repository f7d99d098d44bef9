"""Why can a plan not be optimal, alone or together with others?

The simplest reason first: some of its steps can be left out; it is in conflict with itself, which
its alternatives show; it is in conflict with some of the plans that are optimal now. Conflicts that
a run has kept are taken where they fit; others are found by deciding the plan together with ever
more of the optimal plans, those first that have most actions in common with it: few plans are
decided soon, and are easy to understand.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np

from plancost.case.model import Task
from plancost.clock import Clock, OutOfTimeError
from plancost.errors import LimitError, PlannerError, SolverError
from plancost.learn.by_planners import ByPlanners
from plancost.learn.certificate import Certificate, is_contradiction
from plancost.learn.concept import Concept, Costs
from plancost.learn.conflict import Conflict
from plancost.learn.crossings import find_crossings
from plancost.learn.feasibility import Feasibility, UndecidedError
from plancost.learn.incumbent import Incumbent
from plancost.learn.knowledge import Knowledge
from plancost.learn.rows import Alternative, Cut, Row, Vector, difference, whole
from plancost.learn.scf import differing_ways
from plancost.learn.separation import Separations
from plancost.learn.task import ONE, LearningTask
from plancost.options import LearnOptions
from plancost.progress import silent
from plancost.search.redundant import fewer_of_its_own, needed_steps
from plancost.search.transitions import can_be_explored

_NEAREST = (16, 128)
_MOST_STATES = 300_000
"""Of a plan's own actions."""
_UNHURRIED = 4
"""Times an equal share of what is left may go to one plan."""


Kind = Literal["redundant", "impossible", "conflict", "not chosen"]


@dataclass(frozen=True)
class Reason:
    """Why a plan is not optimal; steps count from 0."""

    kind: Kind
    steps: tuple[int, ...] = ()
    """Those that can be left out."""
    rest: tuple[int, ...] = ()
    """The actions that are left then, perhaps in another order."""
    plans: tuple[int, ...] = ()
    """The other plans of a conflict."""
    rows: tuple[tuple[Row, int, Alternative | None], ...] = ()
    """They contradict each other: how often each is taken, and whence one of these plans has it
    (None: it always holds). Empty where an integer program found that there are no whole costs."""
    note: str = ""


_POSSIBLE = Reason(
    "not chosen",
    note="other costs make it optimal together with all plans that are optimal now",
)
_OPEN = Reason("not chosen", note="no reason was found within the limits")
_REORDERED = ", in another order"
_BY_SOLVER = ", as an integer program says"


class Reasons:
    """Looks for reasons, under one cost function that makes some plans optimal."""

    def __init__(
        self,
        task: LearningTask,
        options: LearnOptions,
        optimal: Sequence[int],
        clock: Clock,
        knowledge: Path | None,
    ) -> None:
        self.task, self.clock, self._path = task, clock, knowledge
        self.optimal = list(optimal)
        self._options = options
        self._separations = Separations(task, options)
        self._actions = [frozenset(plan.actions) for plan in task.plans]

    def of(self, plans: Sequence[int]) -> dict[int, Reason]:
        """Of each of these plans, as far as the clock lets it."""
        redundant = {plan: self._redundant(plan) for plan in plans}
        found = {plan: reason for plan, reason in redundant.items() if reason is not None}
        left = [plan for plan in plans if plan not in found]
        if left:
            self._begin(left)
        for place, plan in enumerate(left):
            known = self._known_reason(plan)
            share = _UNHURRIED * self.clock.remaining / (len(left) - place)
            try:
                found[plan] = self._decided(plan, known, self.clock.part(share))
            except (OutOfTimeError, UndecidedError, LimitError, PlannerError, SolverError):
                found[plan] = known or _OPEN
        return found

    def _redundant(self, plan: int) -> Reason | None:
        """Steps that can be left out; not where a plan may cost more than the cheapest."""
        own, parameters = self.task.plans[plan], self.task.parameters
        if own.factor != ONE:
            return None
        item = self.task.problems[own.problem]
        world = self.task.case.worlds[item.world]
        needed, note = needed_steps(world, item, own.actions), ""
        rest = tuple(own.actions[step] for step in needed)
        if len(rest) == len(own.actions):
            rest = self._in_another_order(item, own.actions)
            needed, note = _first_steps(own.actions, rest), _REORDERED
        if len(rest) == len(own.actions):
            return None
        steps = tuple(sorted(set(range(len(own.actions))) - set(needed)))
        row = difference(self.task.counts[plan], parameters.combine(rest), 0)
        rows = Counter([row])
        if not is_contradiction(parameters, Certificate((row,), (1,))):
            for step in steps:  # what several parameters make up is at least 1 by a row
                parts = tuple((p, -times) for p, times in parameters.parts[own.actions[step]])
                least = (r for r in parameters.always if r.coefficients == parts and r.margin > 0)
                rows.update(least)
        if not is_contradiction(parameters, Certificate(tuple(rows), tuple(rows.values()))):
            return None
        reasons = [(own, times, None) for own, times in rows.items() if own != row]
        first = row, rows[row], whole(plan, rest)
        return Reason("redundant", steps, rest, rows=(first, *reasons), note=note)

    def _in_another_order(self, item: Task, actions: tuple[int, ...]) -> tuple[int, ...]:
        """Fewer of these actions that reach the goal too; all if none are found."""
        allowed = np.zeros(self.task.action_count, dtype=bool)
        allowed[list(actions)] = True
        if not can_be_explored(self.task.case.worlds[item.world]):
            return actions
        oracles = self._separations.oracles
        reached = oracles.graph(item.world, [item], allowed, _MOST_STATES, self.clock)
        return (reached and fewer_of_its_own(reached, actions)) or actions

    def _begin(self, plans: Sequence[int]) -> None:
        """The graphs of these and the optimal plans, and the conflicts of an earlier run."""
        incumbent = Incumbent(self.task, self.clock, silent)
        members = sorted({*self.optimal, *plans})
        separation, possible = self._separations.of_used(members, self.clock, incumbent.say)
        self._together = _Demands(self.task, separation, self.clock)
        self._joint = set(possible) if isinstance(separation, Concept) else set()
        """Plans that are decided alone on the same graphs."""
        knowledge = Knowledge(incumbent, self._path)
        pool = self._together.feasibility.pool
        known = list(knowledge.read(self._together.rebuild, pool))
        if not known and isinstance(separation, Concept):
            known = self._together.crossings(separation, members, self._options)
        self._known: dict[int, list[Conflict]] = {plan: [] for plan in plans}
        """Of each plan the conflicts that it is in."""
        for conflict in known:
            for plan in self._known.keys() & frozenset().union(*conflict.classes):
                self._known[plan].append(conflict)

    def _known_reason(self, plan: int) -> Reason | None:
        """The known conflict with the fewest optimal plans."""
        found = (self._together.reason(plan, one, self.optimal) for one in self._known[plan])
        return min(filter(None, found), key=lambda reason: len(reason.plans), default=None)

    def _decided(self, plan: int, known: Reason | None, clock: Clock) -> Reason:
        """In conflict with itself, or with the fewest others that are found."""
        alone = self._together
        if plan not in self._joint:
            separation, _ = self._separations.of_used([plan], clock, lambda doing: None)
            alone = _Demands(self.task, separation, clock)
        answer = alone.decide([plan], clock)
        if isinstance(answer, Conflict):
            return alone.reason(plan, answer, ()) or _OPEN
        if known is not None:
            return known
        others = [n for n in self.optimal if n != plan]
        others.sort(key=lambda n: (-len(self._actions[n] & self._actions[plan]), n))
        for most in (*(n for n in _NEAREST if n < len(others)), len(others)):
            members = [*others[:most], plan]
            answer = self._together.decide(members, clock)
            if isinstance(answer, Conflict):
                return self._together.reason(plan, answer, self.optimal) or _OPEN
        if self._together.feasibility.whole(answer, members) is None:
            return _OPEN
        if self._options.solution == "icf":
            self.optimal.append(plan)  # all plans are to be optimal: it is asked of the next ones
        return _POSSIBLE


class _Demands:
    """Decides sets of plans, and remembers why plans demand rows."""

    def __init__(self, task: LearningTask, separation: Concept | ByPlanners, clock: Clock) -> None:
        self.task, self.separation = task, separation
        self.feasibility = Feasibility(task, self, clock)
        self._cuts: dict[Row, list[Cut]] = defaultdict(list)

    def decide(self, plans: Sequence[int], clock: Clock) -> Vector | Conflict:
        """See `Feasibility`."""
        self.feasibility.clock = clock
        if isinstance(self.separation, ByPlanners):
            self.separation.clock = clock
        return self.feasibility.decide(plans)

    def separate(self, costs: Costs, plans: Sequence[int], most: int = 6) -> dict[int, list[Cut]]:
        """See `Separation`."""
        found = self.separation.separate(costs, plans, most)
        for cut in (cut for cuts in found.values() for cut in cuts):
            self._cuts[cut.row].append(cut)
        return found

    def rebuild(self, why: Alternative) -> Cut | None:
        """The cut of an alternative from a file, if it is one."""
        cut = self.separation.rebuild(why)
        if cut is not None:
            self._cuts[cut.row].append(cut)
        return cut

    def crossings(
        self, concept: Concept, plans: Sequence[int], options: LearnOptions
    ) -> list[Conflict]:
        """Conflicts of two plans, as far as they are seen soon."""
        differ = differing_ways(options.ties) if options.solution == "scf" else None
        clock = self.feasibility.clock.part(self.feasibility.clock.remaining / 4)
        return list(find_crossings(self.feasibility, concept.paths, plans, clock, differ))

    def reason(self, plan: int, conflict: Conflict, optimal: Sequence[int]) -> Reason | None:
        """What a conflict says of a plan and some of the optimal ones; None if nothing."""
        others = _others(plan, conflict, optimal)
        if others is None:
            return None
        kind: Kind = "conflict" if others else "impossible"
        if conflict.proof is None:
            return Reason(kind, plans=others, note=_BY_SOLVER)
        always = set(self.task.parameters.always)
        rows = []
        for row, times in zip(conflict.proof.rows, conflict.proof.multipliers, strict=True):
            why = None if row in always else self._why(row, (plan, *others))
            if why is None and row not in always:
                return None
            rows.append((row, times, why))
        return Reason(kind, plans=others, rows=tuple(rows))

    def _why(self, row: Row, plans: Sequence[int]) -> Alternative | None:
        """An alternative of one of the plans that the row comes from."""
        pool = self.feasibility.pool
        first = pool.why[pool.number(row)]
        if not self._cuts[row] and first is not None:  # of a crossing
            self.rebuild(first)
        for plan, cut in ((n, cut) for n in plans for cut in self._cuts[row] if n in cut.plans):
            return self._moved(cut.why, plan)
        return None

    def _moved(self, why: Alternative, plan: int) -> Alternative:
        """The same alternative for another plan that has its stretch."""
        own, other = (self.task.plans[n].actions for n in (why.plan, plan))
        if why.is_whole or isinstance(self.separation, ByPlanners):
            return replace(why, plan=plan)
        part = own[why.begin : why.end if why.end >= 0 else None]
        states = self.separation.paths.states
        place = next(
            n
            for n in range(len(other) - len(part), -1, -1)  # the last one may lead to the goal
            if other[n : n + len(part)] == part and states[plan][n] == states[why.plan][why.begin]
        )
        return replace(why, plan=plan, begin=place, end=place + len(part))


def _others(plan: int, conflict: Conflict, optimal: Sequence[int]) -> tuple[int, ...] | None:
    """Optimal plans with which a plan is in that conflict; None if it is not."""
    found: set[int] = set()
    left = [own for own in conflict.classes if plan not in own]
    for own in left:
        near = next((n for n in optimal if n in own), None)
        if near is None or len(left) == len(conflict.classes):
            return None
        if found.isdisjoint(own):
            found.add(near)
    return tuple(sorted(found))


def _first_steps(actions: Sequence[int], rest: Sequence[int]) -> list[int]:
    """The first steps that have the actions of the rest."""
    left, found = Counter(rest), []
    for step, action in enumerate(actions):
        if left[action]:
            left[action] -= 1
            found.append(step)
    return found

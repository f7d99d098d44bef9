"""Why can a plan not be optimal, alone or together with others?

The simplest reason first: some of its steps can be left out; it is in conflict with itself, which
its alternatives show; it is in conflict with some of the plans that are optimal now. Conflicts that
a run has kept are taken where they fit; others are found by deciding the plan together with ever
more of the optimal plans, those first that have most actions in common with it: few plans are
decided soon, and are easy to understand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from plancost.clock import Clock, OutOfTimeError
from plancost.errors import LimitError, PlannerError, SolverError
from plancost.explanation import Kind
from plancost.learn.by_planners import ByPlanners
from plancost.learn.concept import Concept
from plancost.learn.conflict import Conflict
from plancost.learn.crossings import find_crossings
from plancost.learn.feasibility import Feasibility, UndecidedError
from plancost.learn.incumbent import Incumbent
from plancost.learn.knowledge import Knowledge
from plancost.learn.paths import Paths
from plancost.learn.rows import Alternative, Row, Vector, difference, whole
from plancost.learn.separation import Separations
from plancost.learn.task import ONE, LearningTask
from plancost.options import LearnOptions
from plancost.progress import silent
from plancost.search.redundant import needed_steps

_NEAREST = (16, 128)
_UNHURRIED = 4
"""Times an equal share of what is left may go to one plan."""


@dataclass(frozen=True)
class Reason:
    """Why a plan is not optimal; steps count from 0."""

    kind: Kind
    steps: tuple[int, ...] = ()
    """Those that can be left out."""
    rest: tuple[int, ...] = ()
    """The actions that are left then."""
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
_BY_SOLVER = ", as an integer program says"


def find_reasons(
    task: LearningTask,
    options: LearnOptions,
    asked: Sequence[int],
    optimal: Sequence[int],
    clock: Clock,
    knowledge: Path | None,
) -> dict[int, Reason]:
    """Of each plan that is asked about, as far as the clock lets it."""
    redundant = {plan: _redundant(task, plan) for plan in asked}
    found = {plan: reason for plan, reason in redundant.items() if reason is not None}
    left = [plan for plan in asked if plan not in found]
    if left:
        search = _Search(task, options, left, optimal, clock, knowledge)
        for place, plan in enumerate(left):
            share = clock.part(_UNHURRIED * clock.remaining / (len(left) - place))
            found[plan] = search.reason(plan, share)
    return found


def _redundant(task: LearningTask, plan: int) -> Reason | None:
    """Steps that can be left out; not where a plan may cost more than the cheapest."""
    own, parameters = task.plans[plan], task.parameters
    problem = task.problems[own.problem]
    needed = needed_steps(task.case.worlds[problem.world], problem, own.actions)
    steps = tuple(step for step in range(len(own.actions)) if step not in set(needed))
    if not steps or own.factor != ONE:
        return None
    rest = tuple(own.actions[step] for step in needed)
    row = difference(task.counts[plan], parameters.combine(rest), 0)
    least = Counter[Row]()
    for step in steps:  # what several parameters make up is at least 1 by a row
        parts = tuple((p, -times) for p, times in parameters.parts[own.actions[step]])
        least.update(r for r in parameters.always if r.coefficients == parts and r.margin > 0)
    always = ((known, times, None) for known, times in least.items())
    return Reason("redundant", steps, rest, rows=((row, 1, whole(plan, rest)), *always))


class _Search:
    """Looks for conflicts of some plans, under one cost function that makes others optimal."""

    def __init__(
        self,
        task: LearningTask,
        options: LearnOptions,
        asked: Sequence[int],
        optimal: Sequence[int],
        clock: Clock,
        knowledge: Path | None,
    ) -> None:
        self.task, self.options = task, options
        self.optimal = list(optimal)
        self._actions = [frozenset(plan.actions) for plan in task.plans]
        self._separations = Separations(task, options)
        plans = sorted({*optimal, *asked})
        separation, self._possible = self._separations.of_used(plans, clock, silent)
        self._together = Feasibility(task, separation, clock)
        kept = Knowledge(Incumbent(task, clock, silent), knowledge)
        self._conflicts = list(kept.read(separation.rebuild, self._together.pool))
        """Those of an earlier run, or else crossings."""
        if not self._conflicts and isinstance(separation, Concept):
            # Without these grids with 100 plans have 1.7 others in a conflict instead of 1.1.
            paths, share = separation.paths, clock.part(clock.remaining / 4)
            self._conflicts = list(find_crossings(self._together, paths, plans, options, share))

    def reason(self, plan: int, clock: Clock) -> Reason:
        """Why a plan is not optimal."""
        known = self._known(plan)
        try:
            return self._impossible(plan, clock) or known or self._beside(plan, clock)
        except (OutOfTimeError, UndecidedError, LimitError, PlannerError, SolverError):
            return known or _OPEN

    def _impossible(self, plan: int, clock: Clock) -> Reason | None:
        """No costs make it optimal."""
        feasibility = self._together
        if plan not in self._possible:  # so it is not on the graphs of the others
            separation, _ = self._separations.of_used([plan], clock, silent)
            feasibility = Feasibility(self.task, separation, clock)
        answer = _decided(feasibility, [plan], clock)
        if isinstance(answer, Conflict):
            return self._conflicting(plan, answer, feasibility) or _OPEN
        return None

    def _known(self, plan: int) -> Reason | None:
        """The known conflict with the fewest optimal plans."""
        own = (one for one in self._conflicts if any(plan in members for members in one.classes))
        found = (self._conflicting(plan, one, self._together) for one in own)
        return min(filter(None, found), key=lambda reason: len(reason.plans), default=None)

    def _beside(self, plan: int, clock: Clock) -> Reason:
        """In conflict with the fewest others that are found."""
        others = [n for n in self.optimal if n != plan]
        others.sort(key=lambda n: (-len(self._actions[n] & self._actions[plan]), n))
        for most in (*(n for n in _NEAREST if n < len(others)), len(others)):
            members = [*others[:most], plan]
            answer = _decided(self._together, members, clock)
            if isinstance(answer, Conflict):
                return self._conflicting(plan, answer, self._together) or _OPEN
        assert not isinstance(answer, Conflict)
        if self._together.whole(answer, members) is None:
            return _OPEN
        if self.options.solution == "icf":
            self.optimal.append(plan)  # all plans are to be optimal: it is asked of the next ones
        return _POSSIBLE

    def _conflicting(
        self, plan: int, conflict: Conflict, feasibility: Feasibility
    ) -> Reason | None:
        """What a conflict says of a plan and some of the optimal ones; None if nothing."""
        others = _others(plan, conflict, self.optimal)
        if others is None:
            return None
        kind: Kind = "conflict" if others else "impossible"
        if conflict.proof is None:
            return Reason(kind, plans=others, note=_BY_SOLVER)
        always = set(self.task.parameters.always)
        rows = []
        for row, times in zip(conflict.proof.rows, conflict.proof.multipliers, strict=True):
            why = None if row in always else _why(row, (plan, *others), feasibility)
            if why is None and row not in always:
                return None
            rows.append((row, times, why))
        return Reason(kind, plans=others, rows=tuple(rows))


def _decided(feasibility: Feasibility, plans: Sequence[int], clock: Clock) -> Vector | Conflict:
    """See `Feasibility.decide`."""
    feasibility.clock = clock
    if isinstance(feasibility.separation, ByPlanners):
        feasibility.separation.clock = clock
    return feasibility.decide(plans)


def _why(row: Row, plans: Sequence[int], feasibility: Feasibility) -> Alternative | None:
    """An alternative of one of the plans that the row comes from."""
    cuts = feasibility.pool.cuts[feasibility.pool.number(row)]
    own = ((plan, cut.why) for plan in plans for cut in cuts if plan in cut.plans)
    plan, why = next(own, (-1, None))
    if why is None or why.is_whole or why.plan == plan:
        return why and replace(why, plan=plan)
    assert isinstance(feasibility.separation, Concept)
    return _moved(why, plan, feasibility.separation.paths)


def _moved(why: Alternative, plan: int, paths: Paths) -> Alternative:
    """The same alternative for another plan that has its stretch."""
    own, other = (paths.task.plans[n].actions for n in (why.plan, plan))
    part, state = own[why.begin : why.end if why.end >= 0 else None], paths.states[why.plan]
    place = next(
        n
        for n in range(len(other) - len(part), -1, -1)  # the last one may lead to the goal
        if other[n : n + len(part)] == part and paths.states[plan][n] == state[why.begin]
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

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
from plancost.learn.by_planners import ByPlanners
from plancost.learn.certificate import Certificate, is_contradiction
from plancost.learn.concept import Concept
from plancost.learn.conflict import Conflict
from plancost.learn.crossings import find_crossings
from plancost.learn.feasibility import Feasibility, UndecidedError
from plancost.learn.incumbent import Incumbent
from plancost.learn.knowledge import Knowledge
from plancost.learn.paths import Paths
from plancost.learn.rows import Alternative, Row, Vector, difference, whole
from plancost.learn.scf import differing_ways
from plancost.learn.separation import Separations
from plancost.learn.task import ONE, LearningTask
from plancost.options import LearnOptions
from plancost.progress import silent
from plancost.result.explanation import Kind
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


@dataclass(frozen=True)
class _Joint:
    """Who decides about plans together, and the conflicts that are known of them."""

    feasibility: Feasibility
    alone: list[int]
    """Plans that are decided alone on the same graphs."""
    conflicts: list[Conflict]


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
        self.task, self.options, self.clock = task, options, clock
        self.optimal = list(optimal)
        self._separations = Separations(task, options)
        self._knowledge = Knowledge(Incumbent(task, clock, silent), knowledge)
        self._actions = [frozenset(plan.actions) for plan in task.plans]

    def of(self, plans: Sequence[int]) -> dict[int, Reason]:
        """Of each of these plans, as far as the clock lets it."""
        redundant = {plan: self._redundant(plan) for plan in plans}
        found = {plan: reason for plan, reason in redundant.items() if reason is not None}
        left = [plan for plan in plans if plan not in found]
        if not left:
            return found
        joint = self._joint(sorted({*self.optimal, *left}))
        for place, plan in enumerate(left):
            share = self.clock.part(_UNHURRIED * self.clock.remaining / (len(left) - place))
            known = self._known(plan, joint)
            try:
                alone = self._alone(plan, joint, share)
                found[plan] = alone or known or self._beside(plan, joint.feasibility, share)
            except (OutOfTimeError, UndecidedError, LimitError, PlannerError, SolverError):
                found[plan] = known or _OPEN
        return found

    def _redundant(self, plan: int) -> Reason | None:
        """Steps that can be left out; not where a plan may cost more than the cheapest."""
        actions, parameters = self.task.plans[plan].actions, self.task.parameters
        item = self.task.problems[self.task.plans[plan].problem]
        needed = needed_steps(self.task.case.worlds[item.world], item, actions)
        if len(needed) == len(actions) or self.task.plans[plan].factor != ONE:
            return None
        rest = tuple(actions[step] for step in needed)
        steps = tuple(sorted(set(range(len(actions))) - set(needed)))
        row = difference(self.task.counts[plan], parameters.combine(rest), 0)
        rows = Counter([row])
        if not is_contradiction(parameters, Certificate((row,), (1,))):
            for step in steps:  # what several parameters make up is at least 1 by a row
                parts = tuple((p, -times) for p, times in parameters.parts[actions[step]])
                least = (r for r in parameters.always if r.coefficients == parts and r.margin > 0)
                rows.update(least)
        if not is_contradiction(parameters, Certificate(tuple(rows), tuple(rows.values()))):
            return None
        why = whole(plan, rest)
        named = ((own, times, why if own == row else None) for own, times in rows.items())
        return Reason("redundant", steps, rest, rows=tuple(named))

    def _reordered(self, plan: int, found: Reason) -> Reason:
        """A plan that does without some steps in another order, if that is why it is impossible."""
        _, _, why = found.rows[0] if len(found.rows) == 1 else (None, 0, None)
        actions = self.task.plans[plan].actions
        if why is None or self.task.plans[plan].factor != ONE:
            return found
        rest = (*actions[: why.begin], *why.other, *(actions[why.end :] if why.end >= 0 else ()))
        if len(rest) == len(actions) or not Counter(rest) <= Counter(actions):
            return found
        left = Counter(rest)
        steps = []
        for step, action in enumerate(actions):
            left[action] -= 1
            if left[action] < 0:
                steps.append(step)
        return Reason("redundant", tuple(steps), rest, rows=found.rows, note=_REORDERED)

    def _joint(self, plans: list[int]) -> _Joint:
        """The conflicts are those of an earlier run, or else crossings."""
        separation, possible = self._separations.of_used(plans, self.clock, silent)
        together = Feasibility(self.task, separation, self.clock)
        conflicts = list(self._knowledge.read(separation.rebuild, together.pool))
        if not isinstance(separation, Concept):
            return _Joint(together, [], conflicts)
        if not conflicts:
            # Without these grids with 100 plans have 1.7 others in a conflict instead of 1.1.
            differ = differing_ways(self.options.ties) if self.options.solution == "scf" else None
            share = self.clock.part(self.clock.remaining / 4)
            conflicts = list(find_crossings(together, separation.paths, plans, share, differ))
        return _Joint(together, possible, conflicts)

    def _alone(self, plan: int, joint: _Joint, clock: Clock) -> Reason | None:
        """No costs make it optimal."""
        feasibility = joint.feasibility
        if plan not in joint.alone:
            separation, _ = self._separations.of_used([plan], clock, silent)
            feasibility = Feasibility(self.task, separation, clock)
        answer = _decided(feasibility, [plan], clock)
        if isinstance(answer, Conflict):
            return self._reordered(plan, self._reason(plan, answer, feasibility, ()) or _OPEN)
        return None

    def _known(self, plan: int, joint: _Joint) -> Reason | None:
        """The known conflict with the fewest optimal plans."""
        own = (one for one in joint.conflicts if any(plan in members for members in one.classes))
        found = (self._reason(plan, one, joint.feasibility, self.optimal) for one in own)
        return min(filter(None, found), key=lambda reason: len(reason.plans), default=None)

    def _beside(self, plan: int, feasibility: Feasibility, clock: Clock) -> Reason:
        """In conflict with the fewest others that are found."""
        others = [n for n in self.optimal if n != plan]
        others.sort(key=lambda n: (-len(self._actions[n] & self._actions[plan]), n))
        for most in (*(n for n in _NEAREST if n < len(others)), len(others)):
            members = [*others[:most], plan]
            answer = _decided(feasibility, members, clock)
            if isinstance(answer, Conflict):
                return self._reason(plan, answer, feasibility, self.optimal) or _OPEN
        if isinstance(answer, Conflict) or feasibility.whole(answer, members) is None:
            return _OPEN
        if self.options.solution == "icf":
            self.optimal.append(plan)  # all plans are to be optimal: it is asked of the next ones
        return _POSSIBLE

    def _reason(
        self, plan: int, conflict: Conflict, feasibility: Feasibility, optimal: Sequence[int]
    ) -> Reason | None:
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

"""Why a plan is not optimal: the smallest reasons that can be found, each checked.

A plan that is not in the best set cannot be added to it, so the plans of the set that it
clashes with are a conflict. Leaving out members one by one as long as the rest still
clashes gives a conflict from which none can be spared. If no other plan is left, the plan
is never optimal: alone because it contains redundant actions, or because its
alternatives leave no costs for it.
"""

from __future__ import annotations

import enum
import logging
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from plancost.learning.problem.parameter_limits import LEAST
from plancost.learning.problem.rows import Row
from plancost.learning.problem.task import LearningTask, PlanSet
from plancost.learning.subproblem.certificates import Certificate, combine
from plancost.learning.subproblem.conflict import Conflict, Possible
from plancost.learning.subproblem.feasibility import Subproblem
from plancost.learning.subproblem.known_rows import DEVIATION
from plancost.observations.planfile import Plan
from plancost.system.clock import Deadline

_log = logging.getLogger(__name__)


class Reason(enum.StrEnum):
    """Kinds of explanations."""

    REDUNDANT = "redundant"
    """Some of its actions can go, so it is more expensive than the rest whatever they cost."""
    NEVER_OPTIMAL = "never optimal"
    """Its alternatives leave no costs under which it is optimal."""
    CONFLICT = "in conflict"
    """It and some other observed plans cannot all be optimal."""
    NOT_PROVEN = "not proven"
    """No reason was found in time; it might be possible."""


@dataclass(frozen=True)
class Argument:
    """One inequality of a proof: a plan must cost no more than an alternative.

    After common actions are cancelled it says that `plan_only` costs no more than
    `alternative_only` (less than it, if `margin` is 1). The proof takes it `times` times.
    """

    candidate: int
    alternative: Plan
    plan_only: tuple[str, ...]
    alternative_only: tuple[str, ...]
    margin: int
    times: int
    factor: Fraction = Fraction(1)
    """The plan may cost so many times the alternative; then nothing is cancelled."""
    weights: tuple[tuple[str, int], ...] | None = None
    """Where costs are linear, the same in parameters, plan less alternative."""
    made_of: tuple[tuple[str, tuple[tuple[str, int], ...]], ...] = ()
    """Where costs are shared or linear, what those of both plans' actions are made of."""


@dataclass(frozen=True)
class Given:
    """What holds whichever plans are optimal: a proof takes it `times` times.

    The sum of ``coefficient * cost`` is at most `most`.
    """

    kind: str
    """Such as ``bound``."""
    coefficients: tuple[tuple[str, int], ...]
    most: int
    times: int
    observations: tuple[int, ...] = ()
    """Those whose known costs it comes from."""


@dataclass(frozen=True)
class Explanation:
    """Why a candidate is not optimal, as one of its observations has it.

    Adding up the `arguments` gives that some actions with positive counts cost at most
    so much, which cannot be, since every action costs at least 1.
    """

    reason: Reason
    members: tuple[int, ...] = ()
    redundant: tuple[int, ...] = ()
    """The steps that can go, counted from 0."""
    arguments: tuple[Argument | Given, ...] = ()
    by_solver: bool = False
    """There are rational costs but no integers, so there are no arguments to add up."""
    possible: bool = False
    """Not proven because other costs make it optimal together with those that are."""
    observation: int | None = None
    """Whose explanation it is; None: that of the first observation of the candidate."""


def explain(
    subproblem: Subproblem,
    chosen: PlanSet,
    candidates: Sequence[int],
    deadline: Deadline,
    progress: Callable[[int, int, str], None] = lambda done, total, known: None,
) -> dict[int, Explanation]:
    """Explain each of the candidates, none of which is in the chosen set."""
    found = {}
    for done, number in enumerate(candidates, start=1):
        if deadline.is_over:
            found[number] = Explanation(Reason.NOT_PROVEN)
            continue
        found[number] = _explain(subproblem, chosen, number, deadline)
        progress(done, len(candidates), _counted(found.values()))
    if found:
        _log.info("explained: %s", _counted(found.values()))
    return found


def _counted(found: Collection[Explanation]) -> str:
    """How many of each kind."""
    count = Counter(item.reason.value for item in found)
    return ", ".join(f"{number} {reason}" for reason, number in count.items())


def _explain(
    subproblem: Subproblem, chosen: PlanSet, number: int, deadline: Deadline
) -> Explanation:
    everyone = chosen | {number}
    known = _known_conflict(subproblem, everyone)
    conflict = subproblem.decide(everyone, deadline) if known is None else known
    if isinstance(conflict, Possible):
        return Explanation(Reason.NOT_PROVEN, possible=True)
    if not isinstance(conflict, Conflict):
        return Explanation(Reason.NOT_PROVEN)
    members = conflict.members(everyone) | {number}
    conflict, members = smallest_conflict(subproblem, conflict, members, number, deadline)
    certificate = conflict.certificate
    reason = Reason.NEVER_OPTIMAL if members == {number} else Reason.CONFLICT
    if certificate is None:
        return Explanation(reason, tuple(sorted(members)), by_solver=True)
    if not certificate.is_valid():
        return Explanation(Reason.NOT_PROVEN)
    arguments = tuple(_arguments(subproblem, certificate, members))
    if members != {number}:
        return Explanation(Reason.CONFLICT, tuple(sorted(members)), (), arguments)
    part = part_that_does(arguments)
    left_out = () if part is None else steps_left_out(subproblem.task.candidates[number].plan, part)
    if left_out:
        return Explanation(Reason.REDUNDANT, (number,), left_out, arguments)
    return Explanation(Reason.NEVER_OPTIMAL, (number,), (), arguments)


def _known_conflict(subproblem: Subproblem, chosen: PlanSet) -> Conflict | None:
    """The conflict of the fewest plans within a set that was found already, if there is one."""
    known = [
        conflict
        for conflict in subproblem.proofs
        if conflict.certificate is not None and conflict.contains(chosen)
    ]
    return min(known, key=lambda conflict: len(conflict.classes), default=None)


def part_that_does(arguments: Sequence[Argument | Given]) -> Plan | None:
    """The alternative with a part of a plan's actions that is all that a proof needs, if so."""
    needed = [a for a in arguments if not isinstance(a, Given) or a.kind != LEAST]
    first = needed[0]
    if len(needed) > 1 or isinstance(first, Given) or first.factor != 1 or first.alternative_only:
        return None
    return first.alternative


def steps_left_out(plan: Plan, part: Plan) -> tuple[int, ...]:
    """The steps of a plan that a part of it does without; empty if it needs another order."""
    left = []
    position = len(part)
    for step in range(len(plan) - 1, -1, -1):
        if position and plan[step] == part[position - 1]:
            position -= 1
        else:
            left.append(step)
    return () if position else tuple(reversed(left))


def smallest_conflict(
    subproblem: Subproblem,
    conflict: Conflict,
    members: PlanSet,
    keep: int | None,
    deadline: Deadline,
) -> tuple[Conflict, PlanSet]:
    """Leave out members as long as the rest is in conflict; `keep` stays in."""
    for member in sorted(members, reverse=True):
        if member == keep or member not in members or len(members) == 1:
            continue
        fewer = members - {member}
        answer = subproblem.decide(fewer, deadline)
        if isinstance(answer, Conflict):
            conflict = answer
            members = answer.members(fewer)
            if keep is not None:
                members |= {keep}
        elif not isinstance(answer, Possible):
            break
    return conflict, members


def _arguments(
    subproblem: Subproblem, certificate: Certificate, members: PlanSet
) -> list[Argument | Given]:
    found = [
        given_argument(subproblem, row, times)
        if row in subproblem.given
        else _owned(subproblem, row, min(subproblem.inducing_plans(row) & members), times)
        for row, times in zip(certificate.rows, certificate.multipliers, strict=True)
    ]
    return [*found, *least_costs(subproblem.task, certificate)]


def least_costs(task: LearningTask, certificate: Certificate) -> list[Given]:
    """That parameters are at least 1 because an action costs just that, where a proof needs it.

    What is left of an action in the sum is at least 1 as everybody knows. Of a weight that has to
    be said, since others may be 0.
    """
    if task.structure.is_plain:
        return []
    total, _ = combine(certificate.rows, certificate.multipliers)
    implied = {weight.parameter for weight in task.structure.weights} - task.may_be_zero
    implied |= {parameter for parameter, _ in task.structure.links}
    return [
        Given(LEAST, ((task.parameters[parameter], -1),), -1, int(times))
        for parameter, times in sorted(total.items())
        if times > 0 and parameter in implied
    ]


def given_argument(subproblem: Subproblem, row: Row, times: int) -> Given:
    """A row in words that holds whichever plans are optimal."""
    coefficients, margin = row
    names = subproblem.task.parameters
    kind = subproblem.given[row]
    known = [item for known_row, item in subproblem.task.known_rows() if known_row == row]
    return Given(
        kind,
        tuple((names[a], count) for a, count in coefficients),
        -margin,
        times,
        tuple(item.observation for item in (subproblem.task.known if kind == DEVIATION else known)),
    )


def _owned(subproblem: Subproblem, row: Row, candidate: int, times: int) -> Argument:
    own = subproblem.task.candidates[candidate].plan
    return argument(
        subproblem.task, row, candidate, own, subproblem.alternative(candidate, row), times
    )


def argument(
    task: LearningTask, row: Row, candidate: int, plan: Plan, alternative: Plan, times: int
) -> Argument:
    """A row in words, as one of the plans of a candidate has it."""
    coefficients, margin = row
    weights = None
    if not task.structure.is_plain:
        weights = tuple((task.parameters[a], count) for a, count in coefficients)
    factor = task.candidates[candidate].factor
    found = Argument(candidate, alternative, (), (), margin, times, factor, weights)
    return as_plan_has_it(task, found, plan)


def as_plan_has_it(task: LearningTask, argument: Argument, plan: Plan) -> Argument:
    """The argument with the actions of one of the plans that are copies of each other."""
    own, other = map(task.classes_of, (plan, argument.alternative))
    if argument.factor == 1:
        left, right = Counter(own), Counter(other)
        own, other = _in_order(left - right, own), _in_order(right - left, other)
    made_of = _made_of(task, plan + argument.alternative)
    return replace(argument, plan_only=own, alternative_only=other, made_of=made_of)


def _made_of(
    task: LearningTask, actions: Iterable[str]
) -> tuple[tuple[str, tuple[tuple[str, int], ...]], ...]:
    """What the costs of actions are made of, unless each has its own."""
    if task.composition is None:
        return ()
    return tuple(
        (name, tuple((task.parameters[parameter], times) for parameter, times in parts))
        for name in sorted(set(actions))
        for parts in [task.structure.parts[task.action_number[name]]]
    )


def _in_order(counts: Counter[str], plan: Plan) -> tuple[str, ...]:
    """So many of each action, as they come in the plan (the last ones of it)."""
    found = []
    for name in reversed(plan):
        if counts[name]:
            counts[name] -= 1
            found.append(name)
    return tuple(reversed(found))

"""From a case and options to a result: who learns, for each group, and who checks given costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import structs

from plancost.case.costs import given_costs, with_costs
from plancost.case.model import Case
from plancost.clock import Clock
from plancost.learn.outcome import Ending, Learned, Second, Verdict
from plancost.options import LearnOptions
from plancost.progress import Progress, Step
from plancost.result.assemble import assemble, assumed, joined
from plancost.result.given import NO_GROUP, divided, fitting
from plancost.result.model import Result


def learn_case(
    case: Case, options: LearnOptions, clock: Clock, progress: Progress, knowledge: Path | None
) -> Result:
    """Learn one cost function, or one for each group that observations name."""
    costed = with_costs(
        case, refine=options.refine, bounds=options.bounds, features=options.features
    )
    groups = costed.groups()
    if options.groups is not None:
        return _divided(costed, options, clock, progress)
    if len(groups) < 2:
        return assemble(costed, options, _learn_one(costed, options, clock, progress, knowledge))
    found: list[tuple[str, Result]] = []
    is_over = False
    for number, group in enumerate(groups):
        name = group or NO_GROUP
        part = _only(costed, group)
        if is_over:
            learned = _not_looked_at(part)
        else:
            share = clock.part(clock.remaining / (len(groups) - number))
            shown = _with_name(name, progress)
            learned = _learn_one(part, options, share, shown, _numbered(knowledge, number + 1))
        is_over = learned.ending is Ending.INTERRUPTED
        found.append((name, assemble(part, options, learned)))
    return joined(costed, options, found)


def verify_case(
    case: Case, given: Result | Mapping[str, Any], options: LearnOptions, clock: Clock
) -> Result:
    """Check given costs, with several groups each with those of its group."""
    whole = fitting(case, given)
    if isinstance(given, Result) and given.groups:
        parts = divided(whole, given.groups)
        found = [(name, _verified(part, costs, options, clock)) for name, part, costs in parts]
        return joined(whole, options, found)
    return _verified(whole, given, options, clock)


def _divided(case: Case, options: LearnOptions, clock: Clock, progress: Progress) -> Result:
    """Groups that nobody named: the bound is that of all divisions."""
    from plancost.learn.groups import learn_groups

    division = learn_groups(case, options, clock, progress)
    found = [(name, assemble(part, options, learned)) for name, part, learned in division.parts]
    whole = joined(case, options, found)
    bound = max(division.bound, whole.optimal_plans)
    proved = whole.verified and whole.optimal_plans == bound
    return structs.replace(whole, upper_bound=bound, proved=proved)


def _learn_one(
    case: Case, options: LearnOptions, clock: Clock, progress: Progress, knowledge: Path | None
) -> Learned:
    # Imported here because each brings its solver.
    if options.alternatives == "baseline":
        return _baseline(case, options, clock)
    if options.alternatives == "exact":
        from plancost.learn.run import learn_costs

        return learn_costs(case, options, clock, progress, knowledge)
    from plancost.learn.lacfip import lacfip

    return lacfip(case, options, clock, progress)


def _baseline(case: Case, options: LearnOptions, clock: Clock) -> Learned:
    costs = _least_costs(case)
    initial = case.costs.initial
    value = sum(costs)
    if initial is not None:
        value = sum(abs(cost - int(known)) for cost, known in zip(costs, initial, strict=True))
    learned = assumed(costs, _check(case, costs, options, clock), _plans(case))
    return replace(learned, second=Second(value, value, True), seconds={"total": clock.seconds})


def _verified(
    case: Case, given: Result | Mapping[str, Any], options: LearnOptions, clock: Clock
) -> Result:
    costs, notes = given_costs(case, given)
    learned = assumed(costs, _check(case, costs, options, clock), _plans(case))
    seconds = {"total": clock.seconds}
    return assemble(case, options, replace(learned, notes=notes, seconds=seconds))


def _check(
    case: Case, costs: Sequence[int], options: LearnOptions, clock: Clock
) -> tuple[Verdict, ...]:
    from plancost.learn.oracles import Oracles
    from plancost.learn.verify import verify

    return verify(costs, Oracles(case, options), clock)


def _least_costs(case: Case) -> tuple[int, ...]:
    """The baseline: all 1, or the known costs, raised or lowered to what is allowed."""
    model = case.costs
    wanted = model.least if model.initial is None else model.initial
    return tuple(map(int, np.clip(wanted, model.least, model.greatest)))


def _plans(case: Case) -> int:
    return sum(observation.count for observation in case.observations)


def _only(case: Case, group: str | None) -> Case:
    found = tuple(item for item in case.observations if item.group == group)
    return replace(case, observations=found)


def _not_looked_at(case: Case) -> Learned:
    """A group whose turn never came."""
    costs = _least_costs(case)
    unknown = [Verdict(case.cost(item.actions, costs), None, None) for item in case.observations]
    return replace(assumed(costs, unknown, _plans(case)), ending=Ending.INTERRUPTED)


def _numbered(path: Path | None, number: int) -> Path | None:
    """A knowledge file for each group, as RESULT.proof.2.json."""
    return path and path.with_suffix(f".{number}{path.suffix}")


def _with_name(group: str, progress: Progress) -> Progress:
    def told(step: Step) -> None:
        progress(replace(step, doing=f"group {group}: {step.doing}"))

    return told

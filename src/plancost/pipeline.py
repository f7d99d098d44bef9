"""From a case and options to a result: who learns, for each group, and who checks given costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import structs

from plancost.case.costs import TURNS, given_costs, with_costs
from plancost.case.model import Case
from plancost.clock import Clock
from plancost.learn.outcome import Ending, Learned, Second, Verdict
from plancost.options import LearnOptions
from plancost.progress import Progress, Step
from plancost.result.assemble import assemble, assumed, joined
from plancost.result.given import NO_GROUP, divided, fitting
from plancost.result.model import Likely, Result

_FOR_ESTIMATE = 0.85
"""The part of the time in which most likely costs are looked for; then they are checked."""


def learn_case(
    case: Case, options: LearnOptions, clock: Clock, progress: Progress, knowledge: Path | None
) -> Result:
    """Learn one cost function, or one for each group that observations name."""
    options = replace(options, features=_features(case, options))
    costed = with_costs(
        case, refine=options.refine, bounds=options.bounds, features=options.features
    )
    if options.solution == "likely":
        _explain_compiling(clock, progress)
    groups = costed.groups()
    if options.groups is not None:
        return _divided(costed, options, clock, progress)
    if len(groups) < 2:
        return _learn_one(costed, options, clock, progress, knowledge)
    found: list[tuple[str, Result]] = []
    is_over = False
    for number, group in enumerate(groups):
        name = group or NO_GROUP
        part = _only(costed, group)
        if is_over:
            result = assemble(part, options, _not_looked_at(part))
        else:
            share = clock.part(clock.remaining / (len(groups) - number))
            shown = _with_name(name, progress)
            result = _learn_one(part, options, share, shown, _numbered(knowledge, number + 1))
        is_over = result.ending == "interrupted"
        found.append((name, result))
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


def _features(case: Case, options: LearnOptions) -> tuple[str, ...]:
    """As the options say; most likely costs have some if they say nothing."""
    if options.features == ("none",):
        return ()
    if options.features or options.solution != "likely":
        return options.features
    from plancost.likely.most_likely import usual_features

    usual = usual_features(case)
    return usual if options.refine is False else tuple(name for name in usual if name == TURNS)


def _learn_one(
    case: Case, options: LearnOptions, clock: Clock, progress: Progress, knowledge: Path | None
) -> Result:
    # Imported here because each brings its solver.
    if options.solution == "likely":
        return _most_likely(case, options, clock, progress)
    if options.alternatives == "baseline":
        return assemble(case, options, _baseline(case, options, clock))
    if options.alternatives == "exact":
        from plancost.learn.run import learn_costs

        return assemble(case, options, learn_costs(case, options, clock, progress, knowledge))
    from plancost.learn.lacfip import lacfip

    return assemble(case, options, lacfip(case, options, clock, progress))


def _most_likely(case: Case, options: LearnOptions, clock: Clock, progress: Progress) -> Result:
    """Costs under which the plans are most likely, and how many are optimal under them."""
    from plancost.executor import workers
    from plancost.likely.estimate import UNITS
    from plancost.likely.most_likely import most_likely

    def say(doing: str) -> None:
        progress(Step(clock.seconds, doing))

    say("most likely costs")
    share = clock.part(clock.remaining * _FOR_ESTIMATE)
    found = most_likely(case, share, workers(options.scheduler, options.jobs), options.seed)
    say("check")
    learned = assumed(found.costs, _check(case, found.costs, options, clock), _plans(case))
    ending = Ending.INTERRUPTED if found.interrupted else learned.ending
    learned = replace(learned, ending=ending, notes=found.notes, seconds={"total": clock.seconds})
    likely = Likely(
        log_likelihood=found.log_likelihood,
        units_per_nat=UNITS,
        standard_errors=dict(zip(case.actions, found.standard_errors, strict=False)),
        features=found.features,
        spreads=found.spreads,
    )
    return structs.replace(assemble(case, options, learned), likely=likely)


def _explain_compiling(clock: Clock, progress: Progress) -> None:
    """The first time on a machine walks are compiled, which is kept for the next time."""
    progress(Step(clock.seconds, "compiling, once on this machine"))
    from plancost.likely.walks import compile_now

    compile_now()


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

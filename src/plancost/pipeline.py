"""From a case and options to a result: who learns, for each group, and who checks given costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import structs

from plancost.case.costs import NOT_FEATURES, TURNS, given_costs, with_costs
from plancost.case.model import Case, plain_model
from plancost.clock import Clock
from plancost.errors import InputError, LimitError, PlannerError
from plancost.learn.outcome import AFTER_INTERRUPT_S, CHECK_MORE_S, Ending, Learned, Second
from plancost.learn.parameters import Parameters
from plancost.learn.rows import Vector
from plancost.learn.verify import Check, Oracles
from plancost.options import LearnOptions
from plancost.progress import Progress, Step
from plancost.result.assemble import assemble, joined
from plancost.result.given import NO_GROUP, divided, fitting
from plancost.result.model import Likely, Result, Secondary
from plancost.values import decimal

_MOST_CLASSES = 20
"""A column of links with more texts is a name and no class."""
_FEW_ODD = 0.5
"""With more links without a number a column is no column of numbers."""
_NO_ATTRIBUTES = (*NOT_FEATURES, "x_from", "y_from", "x_to", "y_to", "osmid", "key")
_FOR_ORIGIN = 0.2
"""The part of the time in which they are looked for as costs to begin with."""
_UNITS_OF_ORIGIN = 10
_PROOF_AT_LEAST_S = 3.0
"""Beyond the limit: most bounds are proven again in less."""
_FOR_ESTIMATE = 0.85
"""The part of the time in which most likely costs are looked for; then they are checked."""


def learn_case(
    case: Case, options: LearnOptions, clock: Clock, progress: Progress, knowledge: Path | None
) -> Result:
    """Learn one cost function, or one for each group that observations name."""
    features, notes = _features(case, options)
    case, options = replace(case, notes=case.notes + notes), replace(options, features=features)
    costed = with_costs(case, refine=options.refine, bounds=options.bounds, features=features)
    groups = costed.groups()
    if options.groups is not None:
        return _divided(costed, options, clock, progress)
    if len(groups) < 2:
        return _learn_one(costed, options, clock, progress, knowledge)
    found: list[tuple[str, Result]] = []
    for number, group in enumerate(groups):
        name = group or NO_GROUP
        seen = tuple(item for item in costed.observations if item.group == group)
        part = replace(costed, observations=seen)
        if found and found[-1][1].ending == "interrupted":
            unknown = _baseline(part, options, Clock(0.0))
            result = assemble(part, options, replace(unknown, ending="interrupted", second=None))
        else:
            share = clock.part(clock.remaining / (len(groups) - number))
            shown = partial(_told_of, name, progress)
            own = knowledge and knowledge.with_suffix(f".{number + 1}{knowledge.suffix}")
            result = _learn_one(part, options, share, shown, own)
        found.append((name, result))
    return joined(costed, options, found)


def verify_case(
    case: Case, given: Result | Mapping[str, Any], options: LearnOptions, clock: Clock
) -> Result:
    """Check given costs, with several groups each with those of its group."""
    whole = fitting(case, given)
    groups = (given.groups or []) if isinstance(given, Result) else []
    found: list[tuple[str, Result]] = []
    for name, part, own in divided(whole, groups) if groups else [("", whole, given)]:
        costs, notes = given_costs(part, own)
        is_over = bool(found) and found[-1][1].ending == "interrupted"
        learned = _checked(part, costs, options, Clock(0.0) if is_over else clock)
        learned = replace(learned, notes=(*notes, *learned.notes))
        found.append((name, assemble(part, options, learned)))
    return joined(whole, options, found) if groups else found[0][1]


def _divided(case: Case, options: LearnOptions, clock: Clock, progress: Progress) -> Result:
    """Groups that nobody named: the bound is that of all divisions."""
    from plancost.learn.groups import learn_groups

    parts, bound = learn_groups(case, options, clock, progress)
    found = [(name, assemble(part, options, learned)) for name, part, learned in parts]
    whole = joined(case, options, found)
    bound = max(bound, whole.optimal_plans)
    proved = whole.verified and whole.optimal_plans == bound
    second = whole.secondary
    if second is not None:  # each is the least for its plans; other divisions may have less
        least, value = 0 if whole.refined else len(case.actions), second.value
        second = Secondary(value=value, lower_bound=least, proved=value == least)
    return structs.replace(whole, upper_bound=bound, proved=proved, secondary=second)


def _features(case: Case, options: LearnOptions) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """As the options say; most likely costs have some if they say nothing. And notes on these."""
    if options.features or options.solution != "likely":
        return tuple(name for name in options.features if name != "none"), ()
    usual, notes = usual_features(case)
    if options.refine is False:
        return usual, notes
    return tuple(name for name in usual if name == TURNS), ()


def usual_features(case: Case) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Of streets all attributes of links that are numbers or classes, and turns; and notes on what
    a user may believe to be a feature, but is none.
    """
    table = case.streets
    if table is None:
        return (), ()
    features, notes = [], []
    for name in (name for name in table.columns if name not in _NO_ATTRIBUTES):
        texts = table.column(name)
        numbers, kinds = [decimal(text) for text in texts], len(set(texts))
        odd = numbers.count(None)
        if all(number is not None and number >= 0 for number in numbers):
            tells_apart = kinds > 1
        else:
            tells_apart = odd == len(texts) and 1 < kinds <= _MOST_CLASSES
        if tells_apart:
            features.append(name)
        elif 0 < odd < _FEW_ODD * len(texts):
            notes.append(f"{name} is no feature: {odd} of {len(texts)} links have no number there")
    if table.turns or table.shapes:
        features.append(TURNS)
    else:
        notes.append("turns have no costs: there is no turns.csv, and no coordinates of places")
    return tuple(features), tuple(notes)


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

        origin = partial(_likely_origin, case, options)
        learned = learn_costs(case, options, clock, progress, knowledge, origin)
        result = assemble(case, options, learned)
        if knowledge is not None and result.ending in ("done", "none exists", "time limit"):
            progress(Step(clock.seconds, "proof"))
            try:
                _add_proof(case, options, learned, clock, knowledge)
            except (KeyboardInterrupt, InputError, OSError, ValueError) as trouble:
                words = f"the proof is not complete ({str(trouble) or 'interrupted'})"
                return structs.replace(result, notes=[*result.notes, words])
        return result
    from plancost.learn.lacfip import lacfip

    return assemble(case, options, lacfip(case, options, clock, progress))


def _add_proof(
    case: Case, options: LearnOptions, learned: Learned, clock: Clock, knowledge: Path
) -> None:
    """Prove the bounds without a solver, for others to check; what is open is said there."""
    from plancost.checking import given_of
    from plancost.learn.task import LearningTask
    from plancost.proof.tree import add_trees

    task, second = LearningTask(case, options), learned.second
    seen = zip(case.observations, learned.verdicts, strict=True)
    optimal = sum(item.count for item, verdict in seen if verdict.optimal)
    everything = int(task.weights.sum())
    exists = learned.ending != "none exists"
    most = learned.upper_bound if exists else min(learned.upper_bound, everything - 1)
    is_plain = second is None or second.lower_bound <= task.parameters.second_floor
    least = None if second is None or is_plain or optimal < most else second.lower_bound
    names = () if task.parameters.is_plain else case.costs.parameters
    values = dict(zip(names, learned.parameters, strict=False))
    given = {"given": given_of(case), "values": values}
    share = Clock(max(_PROOF_AT_LEAST_S, clock.remaining))
    add_trees(knowledge, task.weights.tolist(), most, least, given, share)


def _likely_origin(case: Case, options: LearnOptions, clock: Clock) -> Vector | None:
    """Ten times the most likely costs, rounded: near them many plans are optimal."""
    from plancost.executor import workers
    from plancost.likely.estimate import most_likely

    share = clock.part(clock.remaining * _FOR_ORIGIN)
    alone = replace(case, costs=plain_model(case.actions))
    try:
        found = most_likely(alone, share, workers(None, options.jobs), options.seed)
    except LimitError:
        return None
    if found.interrupted:
        raise KeyboardInterrupt
    return np.maximum(1.0, np.rint(np.array(found.costs) / _UNITS_OF_ORIGIN))


def _most_likely(case: Case, options: LearnOptions, clock: Clock, progress: Progress) -> Result:
    """Costs under which the plans are most likely, and how many are optimal under them."""
    from plancost.executor import workers
    from plancost.likely.estimate import UNITS, most_likely
    from plancost.likely.walks import compile_now

    progress(Step(clock.seconds, "compiling, once on this machine"))
    compile_now()
    progress(Step(clock.seconds, "most likely costs"))
    share = clock.part(clock.remaining * _FOR_ESTIMATE)
    found = most_likely(case, share, workers(options.scheduler, options.jobs), options.seed)
    progress(Step(clock.seconds, "check"))
    share = Clock(clock.limit + CHECK_MORE_S, clock.began)
    if found.interrupted:
        share = clock.part(AFTER_INTERRUPT_S)
    learned = _checked(case, found.costs, options, share)
    ending = "interrupted" if found.interrupted else learned.ending
    learned = replace(learned, ending=ending, notes=(*found.notes, *learned.notes))
    likely = Likely(
        log_likelihood=found.log_likelihood,
        units_per_nat=UNITS,
        standard_errors=dict(zip(case.actions, found.standard_errors, strict=False)),
        features=found.features,
        spreads=found.spreads,
    )
    return structs.replace(assemble(case, options, learned), likely=likely)


def _baseline(case: Case, options: LearnOptions, clock: Clock) -> Learned:
    """All costs 1, or the known ones, raised or lowered to what is allowed."""
    parameters = Parameters(case)
    values = parameters.baseline
    value = parameters.second(values)
    learned = _checked(case, tuple(parameters.costs(values).tolist()), options, clock)
    return replace(learned, second=Second(value, value, least_for_set=True))


def _checked(case: Case, costs: tuple[int, ...], options: LearnOptions, clock: Clock) -> Learned:
    """Costs that nobody learned, with what the check says of them; whatever ends it is noted."""
    ending: Ending = "done"
    notes: tuple[str, ...] = ()
    oracles = Oracles(case, options)
    check = Check(costs, oracles)
    try:
        check.run(clock)
        if any(verdict.optimal is None for verdict in check.verdicts):
            ending = oracles.undecided(clock)
    except KeyboardInterrupt:
        ending = "interrupted"
    except MemoryError:
        ending = "out of memory"
    except PlannerError as failure:
        ending, notes = "failed", (str(failure),)
    return Learned(
        costs=costs,
        parameters=(),
        claimed=tuple(verdict.optimal is True for verdict in check.verdicts),
        upper_bound=sum(observation.count for observation in case.observations),
        second=None,
        verdicts=check.verdicts,
        ending=ending,
        seconds={"total": clock.seconds},
        notes=notes,
    )


def _told_of(group: str, progress: Progress, step: Step) -> None:
    progress(replace(step, doing=f"group {group}: {step.doing}"))

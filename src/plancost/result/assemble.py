"""From what was learned, or from given costs and their check, to a `Result`.

Only what the check confirmed counts as optimal. The bound speaks of all alternatives, so an answer
is proven where the check has decided about every plan and the confirmed ones reach the bound.
"""

from __future__ import annotations

import resource
import sys
from collections import Counter
from collections.abc import Sequence

import msgspec
from msgspec import UNSET, structs

from plancost.case.model import Case, Observation
from plancost.learn.outcome import Ending, Learned, Verdict, worst
from plancost.options import LearnOptions, as_json
from plancost.result.model import ObservationResult, Result, Secondary

_ENDED_EARLY: dict[Ending, str] = {
    "time limit": "the time limit ended the search; more time may prove more",
    "gave up": "planners gave up: this is the best answer so far",
    "out of memory": "memory ran out: this is the best answer so far",
    "interrupted": "interrupted: this is the best answer so far",
}


def assemble(case: Case, options: LearnOptions, learned: Learned) -> Result:
    """The result for all observations of a case, which have one cost function."""
    second, seen = learned.second, Counter[tuple[bool | None, bool]]()
    for item, verdict, is_claimed in zip(
        case.observations, learned.verdicts, learned.claimed, strict=True
    ):
        seen[verdict.optimal, is_claimed] += item.count
    optimal = seen[True, True] + seen[True, False]
    return Result(
        solution=options.solution,
        refined=case.costs.initial is not None,
        alternatives=options.alternatives,
        options=as_json(options),
        ending=learned.ending,
        plans=seen.total(),
        optimal_plans=optimal,
        upper_bound=learned.upper_bound,
        proved=learned.ending == "none exists"
        or (learned.verified and optimal == learned.upper_bound),
        claimed_optimal=sum(count for (_, is_claimed), count in seen.items() if is_claimed),
        secondary=None
        if second is None
        else msgspec.convert(second, Secondary, from_attributes=True),
        costs=dict(zip(case.actions, learned.costs, strict=True)),
        observations=[
            _observation(case, *pair)
            for pair in zip(case.observations, learned.verdicts, strict=True)
        ],
        verified=learned.verified,
        seconds={name: round(value, 3) for name, value in learned.seconds.items()},
        memory_mb=_memory_mb(),
        history=list(learned.history),
        notes=[*case.notes, *learned.notes, *_remarks(learned, seen)],
    )


def joined(case: Case, options: LearnOptions, groups: Sequence[tuple[str, Result]]) -> Result:
    """The sums over groups, each with costs of its own, and below them their results."""
    parts = [_of_group(name, result, case.notes) for name, result in groups]
    optimal = sum(part.optimal_plans for part in parts)
    bound = sum(part.upper_bound for part in parts)
    verified = all(part.verified for part in parts)
    seconds: dict[str, float] = {}
    for name, value in (item for part in parts for item in part.seconds.items()):
        seconds[name] = round(seconds.get(name, 0.0) + value, 3)
    second = [part.secondary for part in parts if part.secondary is not None]
    return Result(
        solution=options.solution,
        refined=any(part.refined for part in parts),
        alternatives=options.alternatives,
        options=as_json(options),
        ending=worst(*(part.ending for part in parts)),
        plans=sum(part.plans for part in parts),
        optimal_plans=optimal,
        upper_bound=bound,
        proved=verified and optimal == bound,
        claimed_optimal=sum(part.claimed_optimal for part in parts),
        secondary=None
        if len(second) < len(parts)
        else Secondary(
            value=sum(own.value for own in second),
            lower_bound=sum(own.lower_bound for own in second),
            proved=all(own.proved for own in second),
        ),
        costs={},
        observations=[item for part in parts for item in part.observations],
        verified=verified,
        seconds=seconds,
        memory_mb=_memory_mb(),
        history=[],
        notes=list(case.notes),
        groups=parts,
    )


def _observation(case: Case, observation: Observation, verdict: Verdict) -> ObservationResult:
    is_trip = case.streets is not None
    return ObservationResult(
        problem=UNSET if is_trip else case.tasks[observation.task].name,
        plan=UNSET if is_trip else observation.name,
        trip=observation.name if is_trip else UNSET,
        count=observation.count,
        total=observation.total or UNSET,
        optimal=verdict.optimal,
        cost=verdict.cost,
        optimal_cost=verdict.optimal_cost,
    )


def _remarks(learned: Learned, seen: Counter[tuple[bool | None, bool]]) -> list[str]:
    """What else there is to know before the costs are used; `seen` counts plans by what the check
    says and by what the optimiser claims.
    """
    found = [_ENDED_EARLY[learned.ending]] if learned.ending in _ENDED_EARLY else []
    if undecided := seen[None, True] + seen[None, False]:
        found.append(f"the check could not decide about {undecided} of {seen.total()} plans")
    if refuted := seen[False, True]:
        found.append(f"the check refutes {refuted} of the plans that were thought to be optimal")
    if (more := seen[True, False]) and learned.ending != "none exists":
        found.append(f"{more} more plans are optimal than the search knew: the check found them")
    second = learned.second
    if second is not None and not second.proved:
        least = f"{second.value} is the least for the set of optimal plans that was found"
        raised = "costs were not lowered to the end: high ones of actions in no plan say nothing"
        found.append(least if second.least_for_set else raised)
    return found


def _of_group(name: str, result: Result, known: Sequence[str]) -> Result:
    """The same as the result of a group, without notes that stand at the top already."""
    items = [structs.replace(item, group=name) for item in result.observations]
    notes = [note for note in result.notes if note not in known]
    return structs.replace(result, group=name, observations=items, notes=notes)


def _memory_mb() -> int:
    """The most memory that this process has had; macOS counts in bytes, Linux in kilobytes."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(most // (2**20 if sys.platform == "darwin" else 2**10))

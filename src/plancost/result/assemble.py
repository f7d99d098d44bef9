"""From what was learned, or from given costs and their check, to a `Result`.

Only what the check confirmed counts as optimal. The bound speaks of all alternatives, so an answer
is proven where the check has decided about every plan and the confirmed ones reach the bound.
"""

from __future__ import annotations

import resource
import sys
from collections import Counter
from collections.abc import Sequence

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
    counts, second = [observation.count for observation in case.observations], learned.second
    verified = learned.verified
    optimal = _weighed(counts, [verdict.optimal is True for verdict in learned.verdicts])
    claimed = _weighed(counts, learned.claimed)
    return Result(
        solution=options.solution,
        refined=case.costs.initial is not None,
        alternatives=options.alternatives,
        options=as_json(options),
        ending=learned.ending,
        plans=sum(counts),
        optimal_plans=optimal,
        upper_bound=learned.upper_bound,
        proved=learned.ending == "none exists" or (verified and optimal == learned.upper_bound),
        claimed_optimal=claimed,
        secondary=None
        if second is None
        else Secondary(value=second.value, lower_bound=second.lower_bound, proved=second.proved),
        costs=dict(zip(case.actions, learned.costs, strict=True)),
        observations=[
            _observation(case, *pair)
            for pair in zip(case.observations, learned.verdicts, strict=True)
        ],
        verified=verified,
        seconds={name: round(value, 3) for name, value in learned.seconds.items()},
        memory_mb=_memory_mb(),
        history=list(learned.history),
        notes=[*case.notes, *learned.notes, *_remarks(learned, counts)],
    )


def joined(case: Case, options: LearnOptions, groups: Sequence[tuple[str, Result]]) -> Result:
    """The sums over groups, each with costs of its own, and below them their results."""
    parts = [_of_group(name, result, case.notes) for name, result in groups]
    seconds = [part.seconds for part in parts]
    verified = all(part.verified for part in parts)
    optimal = sum(part.optimal_plans for part in parts)
    bound = sum(part.upper_bound for part in parts)
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
        secondary=_sum_of_seconds(parts),
        costs={},
        observations=[item for part in parts for item in part.observations],
        verified=verified,
        seconds={
            name: round(sum(found.get(name, 0.0) for found in seconds), 3)
            for name in dict.fromkeys(name for found in seconds for name in found)
        },
        memory_mb=_memory_mb(),
        history=[],
        notes=list(case.notes),
        groups=parts,
    )


def _weighed(counts: Sequence[int], holds: Sequence[bool]) -> int:
    return sum(count for count, does in zip(counts, holds, strict=True) if does)


def _sum_of_seconds(parts: Sequence[Result]) -> Secondary | None:
    found = [part.secondary for part in parts if part.secondary is not None]
    if len(found) < len(parts):
        return None
    return Secondary(
        value=sum(second.value for second in found),
        lower_bound=sum(second.lower_bound for second in found),
        proved=all(second.proved for second in found),
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


def _remarks(learned: Learned, counts: Sequence[int]) -> list[str]:
    """What else there is to know before the costs are used."""
    found = [_ENDED_EARLY[learned.ending]] if learned.ending in _ENDED_EARLY else []
    seen = Counter[tuple[bool | None, bool]]()
    for verdict, claimed, count in zip(learned.verdicts, learned.claimed, counts, strict=True):
        seen[verdict.optimal, claimed] += count
    if undecided := seen[None, True] + seen[None, False]:
        found.append(f"the check could not decide about {undecided} of {sum(counts)} plans")
    if refuted := seen[False, True]:
        found.append(f"the check refutes {refuted} of the plans that were thought to be optimal")
    if (more := seen[True, False]) and learned.ending != "none exists":
        found.append(f"optimal plans that only the check has found: {more}")
    second = learned.second
    if second is not None and not second.proved and second.least_for_set:
        found.append(f"{second.value} is the least for the set of optimal plans that was found")
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

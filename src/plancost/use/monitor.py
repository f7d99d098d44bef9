"""Does a stream of new plans still fit what was learned? Outliers, and change.

A plan's score is what it costs more than is expected of its task: under most likely costs in nats
and beside the mean cost of plans, else as a share of the cheapest plan. Its p-value is conformal:
the share of plans that nobody learned from whose score is as high. If nothing has changed it is
uniform, whatever the costs are. Change is told by a CUSUM of the normal scores of p-values.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, replace
from statistics import NormalDist

from plancost.case.model import Case
from plancost.clock import Clock
from plancost.errors import InputError
from plancost.result.model import Result
from plancost.use.predict import Given, Priced, outlooks, parts_of, priced_case

_ALLOWANCE, _ALARM = 0.5, 5.0
"""Normal scores: a CUSUM with these cries wolf once in about 930 plans (Siegmund)."""


@dataclass(frozen=True)
class Watched:
    """One plan of the stream."""

    plan: str
    task: str
    group: str
    time: str | None
    score: float
    p_value: float
    cusum: float
    """How much evidence of a change has come together."""
    changed: bool
    """Whether this plan made it enough; the sum begins anew after it."""


@dataclass(frozen=True)
class Watch:
    """The plans of a stream in their order."""

    plans: tuple[Watched, ...]
    calibration: int
    """How many plans p-values rest on."""
    notes: tuple[str, ...] = ()


def monitor_case(case: Case, given: Given, stream: Case, clock: Clock) -> Watch:
    """Compare each plan of a stream with the plans of the case that nobody learned from."""
    known, notes = _unlearned(case, given)
    scores = sorted(score for _, score in _scores(known, given, clock))
    normal = NormalDist()
    cusum, found = 0.0, []
    for observation, score in _scores(stream, given, clock):
        as_high = len(scores) - bisect_left(scores, score - 1e-9)
        p_value = (as_high + 1) / (len(scores) + 1)
        middle = (as_high + 0.5) / (len(scores) + 1)
        cusum = max(0.0, cusum + normal.inv_cdf(1 - middle) - _ALLOWANCE)
        changed = cusum > _ALARM
        item = stream.observations[observation]
        task = stream.tasks[item.task].name
        found.append(
            Watched(item.name, task, item.group or "", item.time, score, p_value, cusum, changed)
        )
        cusum = 0.0 if changed else cusum
    return Watch(tuple(found), len(scores), notes)


def _unlearned(case: Case, given: Given) -> tuple[Case, tuple[str, ...]]:
    """The plans of the case that are not in the result; all of them if there are none."""
    if not isinstance(given, Result):
        return case, ()
    learned = {item.key for part in given.parts for item in part.observations}
    names = ["" if case.streets is not None else task.name for task in case.tasks]
    kept = tuple(o for o in case.observations if (names[o.task], o.name) not in learned)
    if kept:
        return replace(case, observations=kept), ()
    note = (
        "all plans of the case were learned from, so p-values are too small: give a case with "
        "plans that were not"
    )
    return case, (note,)


def _scores(case: Case, given: Given, clock: Clock) -> list[tuple[int, float]]:
    """Of each observation by number."""
    number = {(o.task, o.name): n for n, o in enumerate(case.observations)}
    found = []
    for _, part, costs in parts_of(case, given):
        priced, _ = priced_case(part, costs)
        own = _of_part(priced, clock)
        found += [(number[o.task, o.name], s) for o, s in zip(part.observations, own, strict=True)]
    return sorted(found)


def _of_part(priced: Priced, clock: Clock) -> list[float]:
    case = priced.case
    tasks = sorted({observation.task for observation in case.observations})
    best = priced.cheapest(tasks, 1, clock)
    expected = outlooks(priced, {task: [own[0][1]] for task, own in best.items()}, clock)
    found = []
    for item in case.observations:
        cost, least = case.cost(item.actions, priced.costs), best[item.task][0][0]
        if item.task in expected and priced.units is not None:
            found.append(cost / priced.units - expected[item.task].cost)
        elif priced.units is not None:
            raise InputError(f"{item.name}: its plans have no probabilities")
        else:
            found.append(cost / max(1, least) - 1)
    return found

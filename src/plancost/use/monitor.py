"""Does a stream of new plans still fit what was learned? Outliers, and change.

A plan's score is what it costs more than is expected of its task: under most likely costs in nats
and beside the mean cost of plans, else as a share of the cheapest plan. Its p-value is conformal:
the share of plans that nobody learned from whose score is as high. If nothing has changed it is
uniform, whatever the costs are. Change is told by a CUSUM of the normal scores of p-values
(of the middle where scores are equal). A plan that was seen n times counts n times.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace
from statistics import NormalDist

from plancost.case.model import Case
from plancost.clock import Clock
from plancost.errors import InputError
from plancost.use.predict import (
    NO_PROBABILITIES,
    Given,
    parts_of,
    priced_case,
    unlearned,
)

_ALL_LEARNED = (
    "all plans of the case were learned from, so p-values are too small: give a case with plans "
    "that were not"
)
_EQUAL = 1e-9
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
    """How much more than expected it costs, in nats; or than the cheapest plan, as a share."""
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
    """How many plans p-values rest on, each as often as it was seen."""
    notes: tuple[str, ...] = ()


def monitor_case(case: Case, given: Given, stream: Case, clock: Clock) -> Watch:
    """Compare each plan of a stream with the plans of the case that nobody learned from."""
    if not stream.observations:
        raise InputError("there are no plans in this stream")
    kept = unlearned(case, given)
    notes = () if kept else (_ALL_LEARNED,)
    known = replace(case, observations=kept) if kept else case
    pairs = zip(_scores(known, given, clock), known.observations, strict=True)
    scores = sorted(score for score, item in pairs for _ in range(item.count))
    normal = NormalDist()
    cusum, found = 0.0, []
    for item, score in zip(stream.observations, _scores(stream, given, clock), strict=True):
        as_high = len(scores) - bisect_left(scores, score - _EQUAL)
        higher = len(scores) - bisect_right(scores, score + _EQUAL)
        p_value = (as_high + 1) / (len(scores) + 1)
        middle = (as_high + higher + 1) / 2 / (len(scores) + 1)
        step = normal.inv_cdf(1 - middle) - _ALLOWANCE
        cusum = max(0.0, cusum + item.count * step)
        changed = cusum > _ALARM
        task = stream.tasks[item.task].name
        found.append(
            Watched(item.name, task, item.group or "", item.time, score, p_value, cusum, changed)
        )
        cusum = 0.0 if changed else cusum
    return Watch(tuple(found), len(scores), notes)


def _scores(case: Case, given: Given, clock: Clock) -> list[float]:
    """Of each observation."""
    scores = {}
    for _, part, costs in parts_of(case, given):
        priced, _ = priced_case(part, costs)
        best, expected = priced.foreseen(1, clock)
        for item in part.observations:
            cost = part.cost(item.actions, priced.costs)
            if priced.units is None:
                score = cost / max(1, best[item.task][0][0]) - 1
            elif item.task in expected:
                score = cost / priced.units - expected[item.task].cost
            else:
                raise InputError(f"{item.name}: {NO_PROBABILITIES}")
            scores[item.task, item.name] = score
    return [scores[item.task, item.name] for item in case.observations]

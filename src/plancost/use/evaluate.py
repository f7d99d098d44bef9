"""Which method predicts best? Each learns from some plans and is measured on those held out."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

import numpy as np

from plancost.case.model import Case
from plancost.clock import Clock
from plancost.errors import InputError, LimitError, UsageError
from plancost.options import LearnOptions
from plancost.pipeline import learn_case
from plancost.progress import Progress, Step, silent
from plancost.use.predict import (
    Given,
    PlanScore,
    Priced,
    Scores,
    mean_scores,
    outlooks,
    parts_of,
    priced_case,
    score_plans,
)

METHODS: dict[str, dict[str, Any]] = {
    "mcf": {"solution": "mcf"},
    "scf": {"solution": "scf"},
    "likely": {"solution": "likely"},
    "initial": {"alternatives": "baseline"},
    "unit": {"alternatives": "baseline", "refine": False},
    "maxent": {"solution": "likely", "features": ("none",), "refine": False},
}
"""What `learn` is asked; maxent has a constant for each action and nothing that they share."""
SCORES = ("overlap", "exact", "optimal", "log_likelihood")
_NORMAL_95 = 1.96
_NATS_A_STEP = (0.3, 8.0)
_TRIALS = 8


@dataclass(frozen=True)
class Comparison:
    """What is compared: methods by name, results by name, and how plans are held out."""

    methods: tuple[str, ...] = ("likely", "mcf", "unit")
    given: Mapping[str, Given] = field(default_factory=dict)
    folds: int = 5
    share: float | None = None
    """Hold out this share of the plans once, instead of folds."""
    by_task: bool = False
    """All plans of a task together."""


@dataclass(frozen=True)
class Row:
    """A method and its mean scores."""

    method: str
    scores: Scores


@dataclass(frozen=True)
class Difference:
    """How much better one method is than another on the same plans, with a 95 % interval."""

    method: str
    than: str
    score: str
    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Evaluation:
    """All methods on the same plans, which none of them had learned from."""

    rows: tuple[Row, ...]
    differences: tuple[Difference, ...]
    notes: tuple[str, ...] = ()


def evaluate_case(
    case: Case, asked: Comparison, options: LearnOptions, clock: Clock, progress: Progress = silent
) -> Evaluation:
    """Learn by each method without some plans, predict these, and compare."""
    _check(asked, options)
    splits = _splits(case, asked, options.seed)
    scores: dict[str, list[PlanScore]] = defaultdict(list)
    counts: list[int] = []
    notes: dict[str, None] = {}
    left = len(splits) * (len(asked.methods) + len(asked.given))
    for number, (learned_from, held_out) in enumerate(splits):
        counts += [observation.count for observation in held_out.observations]
        for name in (*asked.methods, *asked.given):
            progress(Step(clock.seconds, f"{name}, part {number + 1} of {len(splits)}"))
            share, left = clock.part(clock.remaining / left), left - 1
            result = asked.given.get(name)
            if result is None:
                own = replace(options, **METHODS[name])
                result = learn_case(learned_from, own, share, silent, None)
                if result.ending == "interrupted":
                    raise KeyboardInterrupt
                if result.ending != "done":
                    notes[f"{name}: the time limit ended the search for some costs"] = None
            scores[name] += _scored(learned_from, held_out, result, clock)
    rows = tuple(
        Row(name, found) for name in scores if (found := mean_scores(scores[name], counts))
    )
    return Evaluation(rows, tuple(_differences(scores, counts)), tuple(notes))


def _check(asked: Comparison, options: LearnOptions) -> None:
    wrong = [name for name in asked.methods if name not in METHODS]
    if wrong:
        raise UsageError(f"there is no method {wrong[0]}, only {', '.join(METHODS)}")
    if "initial" in asked.methods and options.refine is False:
        raise UsageError("the method initial needs `refine`: costs that are known approximately")
    if asked.share is not None and not 0 < asked.share < 1:
        raise UsageError("`share` must be between 0 and 1")
    if not asked.folds >= 2:
        raise UsageError("`folds` must be at least 2")


def _splits(case: Case, asked: Comparison, seed: int) -> list[tuple[Case, Case]]:
    """What is learned from, and what is held out."""
    random = np.random.default_rng(seed)
    unit = [o.task if asked.by_task else n for n, o in enumerate(case.observations)]
    order = random.permutation(sorted(set(unit)))
    if asked.share is None:
        parts = [order[start :: asked.folds] for start in range(asked.folds)]
    else:
        parts = [order[: max(1, round(asked.share * len(order)))]]
    found = []
    for part in parts:
        out = set(part.tolist())
        kept = tuple(o for o, own in zip(case.observations, unit, strict=True) if own not in out)
        held = tuple(o for o, own in zip(case.observations, unit, strict=True) if own in out)
        if not kept or not held:
            raise InputError(f"{len(order)} plans or tasks are too few to hold some out")
        found.append((replace(case, observations=kept), replace(case, observations=held)))
    return found


def _scored(learned_from: Case, held_out: Case, given: Given, clock: Clock) -> list[PlanScore]:
    """Of each plan held out, in their order."""
    before = {name: part for name, part, _ in parts_of(learned_from, given)}
    by_plan: dict[tuple[int, str], PlanScore] = {}
    for name, part, costs in parts_of(held_out, given):
        priced, _ = priced_case(part, costs)
        if priced.units is None and name in before:
            units = _fitted_units(replace(priced, case=before[name]), clock)
            priced = replace(priced, units=units)
        tasks = sorted({observation.task for observation in part.observations})
        found = priced.cheapest(tasks, 1, clock)
        expected = outlooks(priced, {task: [own[0][1]] for task, own in found.items()}, clock)
        log_z = {task: outlook.log_z for task, outlook in expected.items()}
        keys = [(observation.task, observation.name) for observation in part.observations]
        by_plan.update(zip(keys, score_plans(priced, found, log_z), strict=True))
    return [by_plan[item.task, item.name] for item in held_out.observations]


def _fitted_units(priced: Priced, clock: Clock) -> float | None:
    """In how many units of a nat costs are if plans are as likely as can be; golden section."""
    from plancost.executor import Threads
    from plancost.likely.tracks import PlansOnTracks
    from plancost.likely.walks import DivergesError

    try:
        plans = PlansOnTracks(priced.case, Threads(), clock)
    except LimitError:
        return None
    steps = sum(len(o.actions) * o.count for o in priced.case.observations)
    spent = sum(
        priced.case.cost(o.actions, priced.costs) * o.count for o in priced.case.observations
    )

    def unlikely(log_units: float) -> float:
        costs = priced.costs / math.exp(log_units)
        try:
            return -plans.builder()(costs).total(costs)
        except DivergesError:
            return math.inf

    low, high = (math.log(spent / steps / nats) for nats in _NATS_A_STEP[::-1])
    ratio = (math.sqrt(5) - 1) / 2
    inner = [high - ratio * (high - low), low + ratio * (high - low)]
    values = [unlikely(x) for x in inner]
    for _ in range(_TRIALS):
        if values[0] <= values[1]:
            high = inner[1]
            inner = [high - ratio * (high - low), inner[0]]
            values = [unlikely(inner[0]), values[0]]
        else:
            low = inner[0]
            inner = [inner[1], low + ratio * (high - low)]
            values = [values[1], unlikely(inner[1])]
    return math.exp(inner[int(values[1] < values[0])]) if math.isfinite(min(values)) else None


def _differences(
    scores: Mapping[str, Sequence[PlanScore]], counts: Sequence[int]
) -> list[Difference]:
    """Of each pair of methods, plan by plan."""
    found = []
    weights = np.array(counts, dtype=np.float64) / sum(counts)
    for one, other in combinations(scores, 2):
        for score in SCORES:
            pairs = [
                (getattr(a, score), getattr(b, score))
                for a, b in zip(scores[one], scores[other], strict=True)
            ]
            if any(a is None or b is None for a, b in pairs):
                continue
            apart = np.array([float(a) - float(b) for a, b in pairs])
            mean = float(weights @ apart)
            error = _NORMAL_95 * math.sqrt(float(weights**2 @ (apart - mean) ** 2))
            found.append(Difference(one, other, score, mean, mean - error, mean + error))
    return found

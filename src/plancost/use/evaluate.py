"""Which method predicts best? Each learns from some plans and is measured on those held out."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from scipy.special import stdtrit

from plancost.case.model import Case, Observation
from plancost.clock import Clock
from plancost.errors import InputError, LimitError, UsageError
from plancost.options import LearnOptions
from plancost.pipeline import learn_case
from plancost.progress import Progress, Step, silent
from plancost.use.predict import (
    SCORES,
    Given,
    Priced,
    Scores,
    mean_scores,
    parts_of,
    priced_case,
    score_plans,
    unlearned,
)
from plancost.values import shown

USUAL = ("likely", "mcf", "unit")
METHODS: dict[str, dict[str, Any]] = {
    "mcf": {"solution": "mcf"},
    "scf": {"solution": "scf"},
    "likely": {"solution": "likely"},
    "initial": {"alternatives": "baseline"},
    "unit": {"alternatives": "baseline", "refine": False},
    "maxent": {"solution": "likely", "features": ("none",), "refine": False},
}
"""What `learn` is asked; maxent has a constant for each action and nothing that they share."""
_HIGH = 0.975
"""The quantile at the upper end of an interval of 95 %."""
_NATS_A_STEP = (0.3, 8.0)
_TRIALS = 10
_UNLIKELIEST = 1e12


@dataclass(frozen=True)
class Difference:
    """How much better one method is than another on the same plans, with a 95 % interval.

    It is Student's, over plans or tasks, whichever was held out together.
    """

    method: str
    than: str
    score: str
    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Evaluation:
    """All methods on the same plans, which none of them had learned from."""

    scores: dict[str, Scores]
    """The means of each method."""
    differences: tuple[Difference, ...]
    notes: tuple[str, ...] = ()


def evaluate_case(
    case: Case,
    methods: Sequence[str],
    given: Mapping[str, Given],
    options: LearnOptions,
    clock: Clock,
    progress: Progress = silent,
    *,
    folds: int = 5,
    share: float | None = None,
    by_task: bool = False,
) -> Evaluation:
    """Learn by each method without some plans, predict these, and compare, also with given costs.

    Plans are held out in so many parts, or once this share of them; if by task, all plans of a
    task together.
    """
    names = (*methods, *given)
    _check(names, methods, options)
    unit = [item.task if by_task else n for n, item in enumerate(case.observations)]
    splits = [
        _split(case, unit, set(out)) for out in _held_out(case, unit, folds, share, options.seed)
    ]
    scores: dict[str, list[Scores]] = defaultdict(list)
    units: list[int] = []
    notes = dict.fromkeys(case.notes)
    for name, own_costs in given.items():
        if len(unlearned(case, own_costs)) < len(case.observations):
            notes[f"{name} was learned from some of these plans: it looks better than it is"] = None
    left = len(splits) * len(names)
    for number, (learned_from, held_out) in enumerate(splits):
        first = len(units)
        units += [
            item.task if by_task else first + n for n, item in enumerate(held_out.observations)
        ]
        for name in names:
            progress(Step(clock.seconds, f"{name}, part {number + 1} of {len(splits)}"))
            part, left = clock.part(clock.remaining / left), left - 1
            result = given.get(name)
            if result is None:
                own = replace(options, **METHODS[name])
                result = learn_case(learned_from, own, part, silent, None)
                if result.ending == "interrupted":
                    raise KeyboardInterrupt
                if result.ending != "done":
                    notes[f"{name}: the time limit ended learning, or its check"] = None
            scores[name] += _scored(learned_from, held_out, result, clock)
    means = {name: mean_scores(own) for name, own in scores.items()}
    return Evaluation(means, tuple(_differences(scores, units)), tuple(notes))


def _check(names: Sequence[str], methods: Sequence[str], options: LearnOptions) -> None:
    for name in methods:
        if name not in METHODS:
            raise UsageError(f"there is no method {shown(name)}, only {', '.join(METHODS)}")
    if not names or len(set(names)) < len(names):
        raise UsageError("`methods` must be some of different names")
    if "initial" in methods and options.refine is False:
        raise UsageError("the method initial needs `refine`: costs that are known approximately")


def _held_out(
    case: Case, unit: Sequence[int], folds: int, share: float | None, seed: int
) -> list[list[int]]:
    """Units that are held out each time: in a random order, from each group its part."""
    if share is not None and not 0 < share < 1:
        raise UsageError("`share` must be between 0 and 1")
    if folds < 2:
        raise UsageError("`folds` must be at least 2")
    group = dict(zip(unit, (item.group or "" for item in case.observations), strict=True))
    order = np.random.default_rng(seed).permutation(sorted(group)).tolist()
    order.sort(key=group.__getitem__)
    if share is not None:
        number = np.rint(share * np.arange(len(order) + 1))
        return [[one for one, more in zip(order, np.diff(number), strict=True) if more]]
    if len(order) < folds:
        few = f"too few {'plans' if len(order) == len(unit) else 'tasks'} ({len(order)})"
        raise UsageError(f"{few} for {folds} parts: give fewer as `folds`, or a `share`")
    return [order[start::folds] for start in range(folds)]


def _split(case: Case, unit: Sequence[int], out: set[int]) -> tuple[Case, Case]:
    """What is learned from, and what is held out."""
    both: tuple[list[Observation], list[Observation]] = [], []
    for item, own in zip(case.observations, unit, strict=True):
        both[own in out].append(item)
    kept, held = (replace(case, observations=tuple(items)) for items in both)
    if not kept.groups() or not held.groups() or set(held.groups()) - set(kept.groups()):
        raise InputError(
            "plans, or those of a group, are too few to hold some out and learn from others"
        )
    return kept, held


def _scored(learned_from: Case, held_out: Case, given: Given, clock: Clock) -> list[Scores]:
    """Of each plan held out, in their order."""
    before = {name: part for name, part, _ in parts_of(learned_from, given)}
    by_plan: dict[tuple[int, str], Scores] = {}
    for name, part, costs in parts_of(held_out, given):
        priced, _ = priced_case(part, costs)
        if priced.units is None and name in before:
            units = _fitted_units(replace(priced, case=before[name]), clock)
            priced = replace(priced, units=units)
        keys = [(observation.task, observation.name) for observation in part.observations]
        by_plan.update(zip(keys, score_plans(priced, *priced.foreseen(1, clock)), strict=True))
    return [by_plan[item.task, item.name] for item in held_out.observations]


def _fitted_units(priced: Priced, clock: Clock) -> float | None:
    """In how many units of a nat costs are if plans are as likely as can be."""
    from scipy.optimize import minimize_scalar

    from plancost.likely.likelihood import Likelihood, plans_of

    try:
        plans = plans_of(priced.case, clock)
    except LimitError:
        return None
    plans_seen = priced.case.observations
    steps = sum(len(item.actions) * item.count for item in plans_seen)
    spent = sum(priced.case.cost(item.actions, priced.costs) * item.count for item in plans_seen)
    if not steps:
        return None

    def unlikely(log_units: float) -> float:
        if clock.is_over:
            return _UNLIKELIEST
        costs = priced.costs / math.exp(log_units)
        return min(_UNLIKELIEST, -Likelihood(plans, costs).total(costs))

    dearest, cheapest = (math.log(spent / steps / nats) for nats in _NATS_A_STEP)
    found = minimize_scalar(
        unlikely, bounds=(cheapest, dearest), method="bounded", options={"maxiter": _TRIALS}
    )
    return math.exp(found.x) if found.fun < _UNLIKELIEST else None


def _differences(
    scores: Mapping[str, Sequence[Scores]], units: Sequence[int]
) -> Iterator[Difference]:
    """Of each pair of methods, plan by plan."""
    counts = np.array([score.plans for score in next(iter(scores.values()))])
    weights = counts / counts.sum()
    unit = np.unique(units, return_inverse=True)[1]
    number = int(unit.max()) + 1
    if number < 2:
        return
    quantile = float(stdtrit(number - 1, _HIGH)) * math.sqrt(number / (number - 1))
    table = {
        name: np.array([[getattr(own, score) for score in SCORES] for own in plans], dtype=float)
        for name, plans in scores.items()
    }
    for one, other in combinations(scores, 2):
        apart = table[one] - table[other]
        means, by_unit = weights @ apart, np.zeros((number, len(SCORES)))
        np.add.at(by_unit, unit, weights[:, None] * (apart - means))
        errors = quantile * np.linalg.norm(by_unit, axis=0)
        for score, mean, error in zip(SCORES, means.tolist(), errors.tolist(), strict=True):
            if math.isfinite(mean):
                yield Difference(one, other, score, mean, mean - error, mean + error)

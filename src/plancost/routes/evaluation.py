"""Do costs carry over to other trips? Every method on every fold, in one table."""

from __future__ import annotations

import random
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from plancost.errors import UsageError
from plancost.files.tables import TextTable
from plancost.routes.learning import RouteOptions
from plancost.routes.methods import (
    Found,
    Unavailable,
    check_method,
    find_costs,
    usual_methods,
)
from plancost.routes.network import Network, Trip
from plancost.routes.prediction import Shares, TripScore, score_trips
from plancost.system.options import options_of
from plancost.system.progress import Progress, no_progress

_GROUPS = "the group column is not used: one cost function is learned for all trips"


@dataclass(frozen=True)
class RouteEvaluateOptions:
    """What is compared, and how."""

    folds: int = 5
    methods: tuple[str, ...] = ()
    """Empty: all that there are."""
    seed: int = 0
    routes: RouteOptions = field(default_factory=RouteOptions)
    """How ours learns; its time limit is for each learning."""

    def __post_init__(self) -> None:
        if self.folds < 2:
            raise UsageError("--folds takes a whole number of at least 2")


@dataclass(frozen=True)
class RouteTrial:
    """One method on one fold: the scores of the trips learned from and of those held out."""

    method: str
    fold: int
    learned: tuple[TripScore, ...]
    held_out: tuple[TripScore, ...]
    seconds: float
    bound: int | None = None
    """Ours: no costs make more of the trips learned from optimal."""
    reason: str | None = None
    """Why the method could not be used, if so."""


@dataclass(frozen=True)
class RouteSummary:
    """A method over all folds."""

    method: str
    learned: Shares | None
    held_out: Shares | None
    seconds: float
    reason: str | None

    def to_json(self) -> dict[str, Any]:
        """Plain values; shares that could not be measured are None."""
        found: dict[str, Any] = {"method": self.method}
        for name, shares in (("learned", self.learned), ("held_out", self.held_out)):
            for key in ("trips", "overlap", "exact", "optimal"):
                value = None if shares is None else getattr(shares, key)
                found[f"{name}_{key}"] = round(value, 6) if isinstance(value, float) else value
        return {**found, "seconds": round(self.seconds, 3), "reason": self.reason}


@dataclass(frozen=True)
class RouteEvaluation:
    """All that was measured."""

    options: RouteEvaluateOptions
    trials: tuple[RouteTrial, ...]
    summaries: tuple[RouteSummary, ...]
    notes: tuple[str, ...] = ()

    def table(self) -> TextTable:
        """One row for each method."""
        headings = ("method", "optimal of those learned from", "overlap", "exact", "optimal")
        rows = tuple(
            (item.method, _optimal(item.learned), *_figures(item.held_out), f"{item.seconds:.1f}")
            for item in self.summaries
        )
        return TextTable((*headings, "seconds"), rows)

    def to_json(self) -> dict[str, Any]:
        """The summaries and every held-out trip."""
        return {
            "folds": self.options.folds,
            "seed": self.options.seed,
            "methods": [item.to_json() for item in self.summaries],
            "trips": self.rows(),
            "notes": list(self.notes),
        }

    def rows(self) -> list[dict[str, Any]]:
        """One row for each method and held-out trip."""
        return [
            {
                "method": trial.method,
                "fold": trial.fold,
                "trip": score.trip.name,
                "count": score.trip.count,
                "overlap": round(score.overlap, 6),
                "exact": int(score.exact),
                "optimal": int(score.optimal),
            }
            for trial in self.trials
            for score in trial.held_out
        ]


def evaluate_routes(
    network: Network,
    trips: Sequence[Trip],
    options: RouteEvaluateOptions | None = None,
    *,
    progress: Progress = no_progress,
    **keywords: Any,  # noqa: ANN401 (of any option)
) -> RouteEvaluation:
    """Learn from all trips but those of a fold and predict these, for each fold and method.

    Args:
        network: The streets.
        trips: The routes that were driven on them.
        options: What is compared, and how; None: the defaults.
        progress: Called with how many trials are done.
        keywords: Single options, such as ``folds=3``.

    Returns:
        Every score, and a summary for each method.

    Raises:
        UsageError: The options are wrong, or there are too few trips.
    """
    options = options_of(RouteEvaluateOptions, options, keywords)
    methods = options.methods or usual_methods(network, options.routes)
    for method in methods:
        check_method(method, network, options.routes)
    if len(trips) < options.folds:
        raise UsageError(f"there are only {len(trips)} trips for {options.folds} folds")
    notes = (_GROUPS,) if any(trip.group for trip in trips) else ()
    plain = [replace(trip, group=None) for trip in trips]
    trials: list[RouteTrial] = []
    total = options.folds * len(methods)
    for fold, (train, test) in enumerate(folds(plain, options.folds, options.seed), start=1):
        for method in methods:
            progress("trials", len(trials), total, f"fold {fold}, {method}")
            found = find_costs(method, network, train, options.routes)
            trials.append(_trial(network, (method, fold), found, (train, test)))
    progress("trials", total, total)
    return RouteEvaluation(
        options, tuple(trials), tuple(_summary(method, trials) for method in methods), notes
    )


def folds(trips: Sequence[Trip], count: int, seed: int) -> Iterator[tuple[list[Trip], list[Trip]]]:
    """What is learned from and what is held out; every trip is held out once."""
    order = list(range(len(trips)))
    random.Random(seed).shuffle(order)
    for number in range(count):
        held = set(order[number::count])
        yield (
            [trip for place, trip in enumerate(trips) if place not in held],
            [trip for place, trip in enumerate(trips) if place in held],
        )


def _trial(
    network: Network,
    name: tuple[str, int],
    found: Found | Unavailable,
    parts: tuple[Sequence[Trip], Sequence[Trip]],
) -> RouteTrial:
    if isinstance(found, Unavailable):
        return RouteTrial(*name, (), (), 0.0, reason=found.reason)
    learned, held_out = (
        tuple(score for score, _ in score_trips(network, found.costs, part)) for part in parts
    )
    bound = None if found.result is None else found.result.upper_bound
    return RouteTrial(*name, learned, held_out, found.seconds, bound)


def _summary(method: str, trials: Sequence[RouteTrial]) -> RouteSummary:
    own = [trial for trial in trials if trial.method == method]
    learned = [score for trial in own for score in trial.learned]
    held_out = [score for trial in own for score in trial.held_out]
    return RouteSummary(
        method,
        Shares.of(learned) if learned else None,
        Shares.of(held_out) if held_out else None,
        statistics.fmean(trial.seconds for trial in own),
        next((trial.reason for trial in own if trial.reason is not None), None),
    )


def _optimal(shares: Shares | None) -> str:
    return "?" if shares is None else f"{shares.optimal:.3f}"


def _figures(shares: Shares | None) -> tuple[str, str, str]:
    if shares is None:
        return "?", "?", "?"
    return f"{shares.overlap:.3f}", f"{shares.exact:.3f}", f"{shares.optimal:.3f}"

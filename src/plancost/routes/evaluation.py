"""Do costs carry over to other trips? Every method on every fold, in one table."""

from __future__ import annotations

import random
import statistics
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from plancost.errors import UsageError
from plancost.files.tables import TextTable
from plancost.progress.shown import shows_progress
from plancost.routes.given import as_network, as_trips, at_least
from plancost.routes.learning import RouteOptions
from plancost.routes.methods import (
    Unavailable,
    check_method,
    find_costs,
    usual_methods,
)
from plancost.routes.network import Network, Trip
from plancost.routes.prediction import Shares, TripScore, score_trips
from plancost.system.options import options_of
from plancost.system.progress import Progress
from plancost.system.values import shown

_ALL_TRIPS = (
    "trips of {} were predicted by the costs of all trips: no trip of the group was learned from"
)

Part = tuple[list[Trip], list[Trip], list[Trip]]
"""The trips to learn from; those of them that are scored, and those held out."""


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
        object.__setattr__(self, "folds", at_least(self.folds, 2, "--folds"))
        object.__setattr__(self, "methods", _methods(self.methods))
        if not isinstance(self.routes, RouteOptions):
            raise UsageError(f"routes must be RouteOptions, not {shown(self.routes)}")
        if self.routes.learning.groups not in (None, 1):
            raise UsageError("routes evaluate has the groups of the column group, or --groups 1")


def _methods(given: object) -> tuple[str, ...]:
    """The names of methods; one alone may be a text."""
    if isinstance(given, str):
        return (given,)
    names = tuple(given) if isinstance(given, Iterable) else (given,)
    if not all(isinstance(name, str) for name in names):
        raise UsageError(f"--methods takes names such as 'ours' and 'unit', not {shown(given)}")
    return names


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


@shows_progress
def evaluate_routes(
    network: Network,
    trips: Iterable[Trip],
    options: RouteEvaluateOptions | None = None,
    *,
    progress: Progress | bool = False,
    **keywords: Any,  # noqa: ANN401 (of any option)
) -> RouteEvaluation:
    """Learn from all trips but those of a fold and predict these, for each fold and method.

    Args:
        network: The streets.
        trips: The routes that were driven on them.
        options: What is compared, and how; None: the defaults.
        progress: True: show a bar on a terminal or in a notebook; or a function that is called with
            how many trials are done.
        keywords: Single options, such as ``folds=3``.

    Returns:
        Every score, and a summary for each method.

    Raises:
        UsageError: The options are wrong, or there are too few trips.
    """
    assert not isinstance(progress, bool)
    options = options_of(RouteEvaluateOptions, options, keywords)
    network, trips = as_network(network), as_trips(trips)
    methods = options.methods or usual_methods(network, options.routes)
    for method in methods:
        check_method(method, network, options.routes)
    if len(trips) < options.folds:
        raise UsageError(f"there are only {len(trips)} trips for {options.folds} folds")
    trials: list[RouteTrial] = []
    notes: dict[str, None] = {}
    total = options.folds * len(methods)
    for fold, (train, test) in enumerate(folds(trips, options.folds, options.seed), start=1):
        parts = list(_by_group(train, test, options.routes, notes))
        for method in methods:
            progress("trials", len(trials), total, f"fold {fold}, {method}")
            own = [_trial(network, (method, fold), part, options.routes) for part in parts]
            trials.append(_together(own))
    progress("trials", total, total)
    summaries = tuple(_summary(method, trials) for method in methods)
    return RouteEvaluation(options, tuple(trials), summaries, tuple(notes))


def _by_group(
    train: Sequence[Trip], test: Sequence[Trip], options: RouteOptions, notes: dict[str, None]
) -> Iterator[Part]:
    """What each group learns from, what of it is scored, and what is held out.

    A group of which nothing was learned is predicted by the costs of all trips.
    """
    if options.learning.groups == 1:
        train, test = _plain(train), _plain(test)
    for group in dict.fromkeys(trip.group for trip in (*train, *test)):
        own = _plain(trip for trip in train if trip.group == group)
        if not own:
            notes.setdefault(_ALL_TRIPS.format(group or "no group"))
        held_out = [trip for trip in test if trip.group == group]
        yield own or _plain(train), own, _plain(held_out)


def _plain(trips: Iterable[Trip]) -> list[Trip]:
    return [replace(trip, group=None) for trip in trips]


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
    network: Network, name: tuple[str, int], part: Part, options: RouteOptions
) -> RouteTrial:
    train, *scored = part
    found = find_costs(name[0], network, train, options)
    if isinstance(found, Unavailable):
        return RouteTrial(*name, (), (), 0.0, reason=found.reason)
    learned, held_out = (
        tuple(score for score, _ in score_trips(network, found.costs, trips)) for trips in scored
    )
    bound = None if found.result is None else found.result.upper_bound
    return RouteTrial(*name, learned, held_out, found.seconds, bound)


def _together(trials: Sequence[RouteTrial]) -> RouteTrial:
    """The trials of all groups as one."""
    bounds = [trial.bound for trial in trials if trial.bound is not None]
    return replace(
        trials[0],
        learned=tuple(score for trial in trials for score in trial.learned),
        held_out=tuple(score for trial in trials for score in trial.held_out),
        seconds=sum(trial.seconds for trial in trials),
        bound=sum(bounds) if len(bounds) == len(trials) else None,
        reason=next((trial.reason for trial in trials if trial.reason is not None), None),
    )


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

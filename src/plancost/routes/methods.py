"""Where costs of links come from: the methods that an evaluation compares."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from plancost.errors import UsageError
from plancost.learning.problem.options import Choose
from plancost.results.result import Result
from plancost.routes.costs import LearnedRoutes
from plancost.routes.learning import RouteOptions, from_nothing, learn_routes
from plancost.routes.maxent import SPREAD, LinkEntropy
from plancost.routes.network import Network, Trip
from plancost.routes.prediction import RouteCosts
from plancost.routes.scale import in_units
from plancost.system.clock import Deadline

UNIT = "unit"
"""All costs 1."""
MAXENT = "maxent"
"""Maximum entropy with one constant for each link; ``maxent:4`` has a prior of spread 4."""
OURS = "ours"
"""`learn_routes` from nothing."""
REFINED = "refined"
"""`learn_routes` from the initial numbers."""
LIKELY = "likely"
"""`learn_routes` with --choose likely: likely costs under which more trips are optimal;
``likely:0`` has an optimality weight of 0 instead of one chosen by cross-validation."""
LIKELY_REFINED = "likely-refined"
"""The same from the initial numbers."""
WORDS = (UNIT, MAXENT, OURS, REFINED, LIKELY, LIKELY_REFINED)
_FROM_INITIAL = (REFINED, LIKELY_REFINED)
_WITH_NUMBER = {MAXENT: 1e6, LIKELY: 1.0, LIKELY_REFINED: 1.0}
"""Methods that may be followed by a number, and how large it can be."""


@dataclass(frozen=True)
class Found:
    """Costs that a method found, and how long that took."""

    costs: RouteCosts
    seconds: float
    result: Result | None = None
    """Ours: all else that is known."""


@dataclass(frozen=True)
class Unavailable:
    """The method cannot be used here."""

    reason: str


def check_method(name: str, network: Network, options: RouteOptions) -> None:
    """A `UsageError` unless there is such a method for this network."""
    word, _ = _parsed(name)
    if word in _FROM_INITIAL and options.initial is None:
        raise UsageError(f"the method {word} needs --initial COLUMN")
    if word not in WORDS and name not in network.columns:
        known = ", ".join((*WORDS, *network.columns))
        raise UsageError(
            f"unknown method '{name[:40]}'; known are {known}, maxent:SPREAD and likely:WEIGHT"
        )


def _parsed(name: str) -> tuple[str, float | None]:
    """A method and its number, if it has one; a name that is no method stays as it is."""
    word, colon, text = name.partition(":")
    if not colon or word not in _WITH_NUMBER:
        return name, None
    try:
        value = float(text)
    except ValueError:
        return name, None
    fits = value > 0 if word == MAXENT else value >= 0
    return (word, value) if fits and value <= _WITH_NUMBER[word] else (name, None)


def usual_methods(network: Network, options: RouteOptions) -> tuple[str, ...]:
    """All that there are; a method that is a column has its name."""
    refined = options.initial is not None
    ours = (OURS, REFINED, LIKELY, LIKELY_REFINED) if refined else (OURS, LIKELY)
    return (UNIT, *network.columns, MAXENT, *ours)


def find_costs(
    method: str, network: Network, trips: Sequence[Trip], options: RouteOptions
) -> Found | Unavailable:
    """Costs from these trips by a method."""
    started = time.monotonic()
    word, number = _parsed(method)
    # Costs without turns, but nobody is predicted to take a forbidden one.
    turns = options.turns if options.turns is not None and options.turns.forbidden else None
    if method == UNIT:
        return Found(RouteCosts({link.name: 1 for link in network.links}, turns=turns), 0.0)
    if word == MAXENT:
        model = LinkEntropy(network, trips, number or SPREAD)
        costs = model.learn(Deadline.after(options.learning.time_limit_s))
        if costs is None:
            return Unavailable("maximum entropy did not end within the time limit")
        return Found(RouteCosts(costs, turns=turns), time.monotonic() - started)
    if word in (OURS, REFINED, LIKELY, LIKELY_REFINED):
        if word not in _FROM_INITIAL:
            options = from_nothing(network, options)
        return _learned(network, trips, _options(word, number, options))
    numbers: Mapping[str, int] = in_units(
        {link.name: link.numbers[method] for link in network.links}, method
    ).units
    return Found(RouteCosts(numbers, turns=turns), 0.0)


def _options(word: str, number: float | None, options: RouteOptions) -> RouteOptions:
    """How a method of ours learns."""
    likely = word in (LIKELY, LIKELY_REFINED)
    choose = Choose.LIKELY if likely else Choose.LEAST
    learning = replace(options.learning, choose=choose, optimality_weight=number)
    return replace(options, learning=learning)


def _learned(network: Network, trips: Sequence[Trip], options: RouteOptions) -> Found | Unavailable:
    result = learn_routes(network, trips, options)
    if result.interrupted:
        raise KeyboardInterrupt
    learned = replace(LearnedRoutes.of(result), turns=options.turns)
    return Found(learned.group(None), result.seconds["total"], result)

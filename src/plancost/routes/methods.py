"""Where costs of links come from: the methods that an evaluation compares."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from plancost.errors import UsageError
from plancost.learning.problem.options import Choose
from plancost.results.result import Result
from plancost.routes.costs import LearnedRoutes
from plancost.routes.learning import RouteOptions, learn_routes
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
"""`learn_routes` with --choose likely: likely costs under which more trips are optimal."""
WORDS = (UNIT, MAXENT, OURS, REFINED, LIKELY)


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
    word, _, spread = name.partition(":")
    if word == MAXENT and (not spread or _spread(spread) is not None):
        return
    if name == REFINED and options.initial is None:
        raise UsageError("the method refined needs --initial COLUMN")
    if name not in (*WORDS, *network.columns):
        known = ", ".join((*WORDS, *network.columns))
        raise UsageError(f"unknown method '{name[:40]}'; known are {known}, and maxent:SPREAD")


def _spread(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0 < value < 1e6 else None


def usual_methods(network: Network, options: RouteOptions) -> tuple[str, ...]:
    """All that there are; a method that is a column has its name."""
    refined = (REFINED,) if options.initial is not None else ()
    return (UNIT, *network.columns, MAXENT, OURS, *refined, LIKELY)


def find_costs(
    method: str, network: Network, trips: Sequence[Trip], options: RouteOptions
) -> Found | Unavailable:
    """Costs from these trips by a method."""
    started = time.monotonic()
    word, _, spread = method.partition(":")
    # Costs without turns, but nobody is predicted to take a forbidden one.
    turns = options.turns if options.turns is not None and options.turns.forbidden else None
    if method == UNIT:
        return Found(RouteCosts({link.name: 1 for link in network.links}, turns=turns), 0.0)
    if word == MAXENT:
        model = LinkEntropy(network, trips, _spread(spread) or SPREAD)
        costs = model.learn(Deadline.after(options.learning.time_limit_s))
        if costs is None:
            return Unavailable("maximum entropy did not end within the time limit")
        return Found(RouteCosts(costs, turns=turns), time.monotonic() - started)
    if method in (OURS, REFINED, LIKELY):
        return _learned(method, network, trips, options)
    numbers: Mapping[str, int] = in_units(
        {link.name: link.numbers[method] for link in network.links}, method
    ).units
    return Found(RouteCosts(numbers, turns=turns), 0.0)


def _learned(
    method: str, network: Network, trips: Sequence[Trip], options: RouteOptions
) -> Found | Unavailable:
    if method != REFINED:
        options = replace(options, initial=None, scale=None)
    choose = Choose.LIKELY if method == LIKELY else Choose.LEAST
    options = replace(options, learning=replace(options.learning, choose=choose))
    result = learn_routes(network, trips, options)
    if result.interrupted:
        raise KeyboardInterrupt
    learned = replace(LearnedRoutes.of(result), turns=options.turns)
    return Found(learned.group(None), result.seconds["total"], result)

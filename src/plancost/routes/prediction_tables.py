"""Predicted routes as a table, as JSON, and in short."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from plancost.files.tables import TextTable
from plancost.results.samples import GivenSamples
from plancost.routes.costs import LearnedRoutes
from plancost.routes.csv_files import joined
from plancost.routes.network import Network, Trip
from plancost.routes.prediction import (
    PredictedRoute,
    Shares,
    TripScore,
    predict_routes,
    score_trips,
)
from plancost.routes.read_pairs import Pair
from plancost.routes.sampled import RouteChance, SampledRoutes
from plancost.system.clock import Deadline

_DIGITS = 6


@dataclass(frozen=True)
class Predictions:
    """Routes for pairs of places, or for the ends of trips with their scores."""

    network: Network
    pairs: tuple[Pair, ...]
    routes: tuple[tuple[PredictedRoute, ...], ...]
    scores: tuple[TripScore, ...] | None = None
    chances: tuple[tuple[RouteChance | None, ...], ...] | None = None
    """What samples say of each route, if there are samples."""

    @classmethod
    def of_pairs(
        cls,
        network: Network,
        costs: LearnedRoutes,
        pairs: Sequence[Pair],
        alternatives: int = 1,
        group: str | None = None,
    ) -> Predictions:
        """Predict between pairs of places."""
        routes = predict_routes(network, costs.group(group), pairs, alternatives)
        return cls(network, tuple(pairs), tuple(map(tuple, routes)))

    @classmethod
    def of_trips(
        cls,
        network: Network,
        costs: LearnedRoutes,
        trips: Sequence[Trip],
        alternatives: int = 1,
        group: str | None = None,
    ) -> Predictions:
        """Predict between the ends of trips, each by the costs of its group."""
        by_group: dict[str | None, list[int]] = {}
        for number, trip in enumerate(trips):
            own = group or (trip.group if costs.groups else None)
            by_group.setdefault(own, []).append(number)
        found: dict[int, tuple[TripScore, list[PredictedRoute]]] = {}
        for name, numbers in by_group.items():
            own_trips = [trips[number] for number in numbers]
            scored = score_trips(network, costs.group(name), own_trips, alternatives)
            found |= dict(zip(numbers, scored, strict=True))
        ordered = [found[number] for number in range(len(trips))]
        pairs = tuple(
            Pair(score.predicted.start, score.predicted.end, score.trip.line)
            for score, _ in ordered
        )
        routes = tuple(tuple(own) for _, own in ordered)
        return cls(network, pairs, routes, tuple(score for score, _ in ordered))

    def with_samples(self, costs: LearnedRoutes, samples: GivenSamples) -> Predictions:
        """The same with how probable each route is to be cheapest."""
        sampled = SampledRoutes(self.network, costs, self.routes, samples)
        found = sampled.chances(sampled.outlooks(Deadline()))
        return replace(self, chances=tuple(map(tuple, found)))

    @property
    def shares(self) -> Shares | None:
        """How near the routes come to the trips."""
        return None if self.scores is None else Shares.of(self.scores)

    def rows(self) -> list[dict[str, Any]]:
        """A row for each route."""
        have_blanks = any(len(link.name.split()) > 1 for link in self.network.links)
        found = []
        for number, routes in enumerate(self.routes):
            for place, route in enumerate(routes):
                row: dict[str, Any] = {
                    "from": route.start,
                    "to": route.end,
                    "rank": route.rank,
                    "cost": route.cost,
                    "links": joined(route.links, have_blanks),
                }
                if self.chances is not None:
                    row |= _chance(self.chances[number], place)
                if self.scores is not None:
                    row |= _score(self.scores[number])
                found.append(row)
        return found

    def to_json(self) -> dict[str, Any]:
        """The shares, and every route."""
        shares = self.shares
        found: dict[str, Any] = {} if shares is None else vars(shares)
        return {**found, "routes": self.rows()}

    def summary(self) -> TextTable:
        """The shares, or how many routes there are."""
        shares = self.shares
        if shares is None:
            routes = sum(map(len, self.routes))
            return TextTable(("pairs", "routes"), ((str(len(self.pairs)), str(routes)),))
        figures = (f"{value:.3f}" for value in (shares.overlap, shares.exact, shares.optimal))
        return TextTable(("trips", "overlap", "exact", "optimal"), ((str(shares.trips), *figures),))

    def notes(self, path: Path) -> list[str]:
        """Pairs without a route; `path` is the file that they are in."""
        return [
            f"{path}:{pair.line}: there is no route from {pair.start} to {pair.end}"
            for pair, routes in zip(self.pairs, self.routes, strict=True)
            if not routes
        ]


def _chance(chances: Sequence[RouteChance | None], place: int) -> dict[str, Any]:
    """None where a route has no link, and is the cheapest in any case."""
    chance = chances[place] if place < len(chances) else None
    return {
        "probability": None if chance is None else round(chance.probability, _DIGITS),
        "expected_regret": None if chance is None else round(chance.expected_regret, _DIGITS),
    }


def _score(score: TripScore) -> dict[str, Any]:
    return {
        "trip": score.trip.name,
        "count": score.trip.count,
        "driven_cost": score.cost,
        "overlap": round(score.overlap, _DIGITS),
        "exact": int(score.exact),
        "optimal": int(score.optimal),
    }

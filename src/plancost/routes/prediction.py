"""Routes that learned costs predict, and how near they come to trips that were driven."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from plancost.errors import InputError, UsageError
from plancost.routes.alternatives import cheapest_routes
from plancost.routes.given import as_network, as_pairs, as_trips, at_least
from plancost.routes.invalid import Invalid
from plancost.routes.loops import loopless
from plancost.routes.network import Network, Trip, check_links, ends
from plancost.routes.read_pairs import Pair
from plancost.routes.search import Found, RouteGraph
from plancost.routes.turns import Turns, check_turns
from plancost.system.values import shown, whole_number


@dataclass(frozen=True)
class RouteCosts:
    """Costs of links, and of classes of turns, and what decides between equally cheap routes."""

    costs: Mapping[str, int]
    second: Mapping[str, int] | None = None
    """Of equally cheap routes the one with the least sum of these is predicted: initial costs."""
    turns: Turns | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "costs", _checked(self.costs))

    def graph(self, network: Network) -> RouteGraph:
        """The network with these costs.

        Args:
            network: The streets.

        Returns:
            What routes are searched on.

        Raises:
            InputError: A link has no cost.
        """
        missing = next(
            (link for link in network.links if link.name not in self.costs and not link.is_loop),
            None,
        )
        if missing is not None:
            raise InputError(
                f"link {missing.name} of {network.source} has no cost there; learn again with "
                "these links"
            )
        return RouteGraph(network, self.costs, self.turns, self.second)


def _checked(costs: object) -> dict[str, int]:
    """Costs by name, if they are such numbers."""
    if not isinstance(costs, Mapping):
        raise InputError(f"costs must be a mapping such as {{'mill-lane': 3}}, not {shown(costs)}")
    found: dict[str, int] = {}
    for name, value in costs.items():
        cost = whole_number(value)
        if cost is None or cost < 1:
            raise InputError(
                f"the cost of {name} must be a whole number of at least 1, not {shown(value)}"
            )
        found[name] = cost
    return found


@dataclass(frozen=True)
class PredictedRoute:
    """A cheapest route, or the next cheapest ones by their ranks from 1."""

    start: str
    end: str
    rank: int
    cost: int
    links: tuple[str, ...]


@dataclass(frozen=True)
class TripScore:
    """A driven trip beside the route that is predicted for its ends."""

    trip: Trip
    predicted: PredictedRoute
    cost: int
    """Of the driven trip."""

    @property
    def overlap(self) -> float:
        """F1 of the links predicted and those driven."""
        driven, predicted = set(self.trip.links), set(self.predicted.links)
        return 2 * len(driven & predicted) / (len(driven) + len(predicted))

    @property
    def exact(self) -> bool:
        """Whether it is predicted link by link."""
        return self.trip.links == self.predicted.links

    @property
    def optimal(self) -> bool:
        """Whether no route costs less."""
        return self.cost == self.predicted.cost


@dataclass(frozen=True)
class Shares:
    """What scores come to; trips count with their multiplicities."""

    trips: int
    overlap: float
    exact: float
    optimal: float

    @classmethod
    def of(cls, scores: Sequence[TripScore]) -> Shares:
        """The means of some scores.

        Args:
            scores: Of trips, as `score_trips` returns them; there must be one.

        Returns:
            The shares of all trips together.
        """
        if not scores:
            raise InputError("there is no trip to score")
        weight = sum(score.trip.count for score in scores)

        def mean(values: Iterator[float]) -> float:
            counts = (score.trip.count for score in scores)
            return sum(v * c for v, c in zip(values, counts, strict=True)) / weight

        return cls(
            weight,
            mean(score.overlap for score in scores),
            mean(float(score.exact) for score in scores),
            mean(float(score.optimal) for score in scores),
        )


def predict_routes(
    network: Network,
    costs: RouteCosts | Mapping[str, int],
    pairs: Iterable[Pair | tuple[str, str]],
    alternatives: int = 1,
) -> list[list[PredictedRoute]]:
    """The cheapest routes between pairs of places.

    Args:
        network: The streets.
        costs: Their costs, such as ``read_costs(path).group(None)``, or by name.
        pairs: Where routes start and end.
        alternatives: How many routes to find for each pair, at most.

    Returns:
        The routes of each pair, cheapest first; none where there is no route.

    Raises:
        InputError: A place is not in the network, or a link has no cost.
    """
    network, known = as_network(network), as_pairs(pairs)
    for pair in known:
        for place in (pair.start, pair.end):
            if place not in network.place_number:
                raise InputError(f"there is no place {place} in {network.source}")
    most = at_least(alternatives, 1, "--alternatives")
    return _predicted(_as_costs(costs).graph(network), known, most)


def _as_costs(costs: object) -> RouteCosts:
    """The costs that a caller gave."""
    if isinstance(costs, RouteCosts):
        return costs
    if isinstance(costs, Mapping):
        return RouteCosts(costs)
    raise UsageError(
        "costs must be RouteCosts, such as LearnedRoutes.of(result).group(None), not "
        f"{shown(costs)}"
    )


def _predicted(
    graph: RouteGraph, pairs: Sequence[Pair], alternatives: int
) -> list[list[PredictedRoute]]:
    by_end: dict[str, list[int]] = {}
    for number, pair in enumerate(pairs):
        by_end.setdefault(pair.end, []).append(number)
    routes: list[list[PredictedRoute]] = [[] for _ in pairs]
    known: dict[tuple[str, str], list[Found]] = {}
    for end, numbers in by_end.items():
        togo = graph.togo(end)
        for number in numbers:
            start = pairs[number].start
            if (start, end) not in known:
                known[start, end] = cheapest_routes(graph, start, end, alternatives, togo)
            routes[number] = [
                PredictedRoute(start, end, rank, found.cost, _names(graph.network, found))
                for rank, found in enumerate(known[start, end], start=1)
            ]
    return routes


def score_trips(
    network: Network,
    costs: RouteCosts | Mapping[str, int],
    trips: Iterable[Trip],
    alternatives: int = 1,
) -> list[tuple[TripScore, list[PredictedRoute]]]:
    """How well costs predict trips.

    Args:
        network: The streets.
        costs: Their costs.
        trips: The trips that were driven.
        alternatives: How many routes to find for each trip, at most.

    Returns:
        For each trip its score, and the routes predicted between its ends.

    Raises:
        InputError: A trip is not one on this network, or a link has no cost.
    """
    network, given, prices = as_network(network), as_trips(trips), _as_costs(costs)
    most = at_least(alternatives, 1, "--alternatives")
    for trip in given:
        check_links(network, trip.name, trip.links)
    if prices.turns is not None:
        check_turns(prices.turns, network, given, None, Invalid())
    graph = prices.graph(network)
    pairs = [Pair(*ends(network, trip), trip.line) for trip in given]
    predicted = _predicted(graph, pairs, most)
    return [
        (TripScore(trip, routes[0], graph.cost(loopless(network, trip.links))), routes)
        for trip, routes in zip(given, predicted, strict=True)
    ]


def _names(network: Network, found: Found) -> tuple[str, ...]:
    return tuple(network.links[position].name for position in found.links)

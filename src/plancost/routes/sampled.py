"""Samples of street costs: how probable routes are to be cheapest, and where to look next."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from plancost.errors import InputError, UsageError
from plancost.learning.problem.options import LearnOptions
from plancost.observations.planfile import Plan
from plancost.observations.road_map import case_from_routes
from plancost.probability.outlook import Outlook, Searcher, outlooks
from plancost.probability.ranking import Asked, Candidate, rank_tasks
from plancost.probability.sampled_costs import check_samples, sampled_costs
from plancost.results.claims import Claims
from plancost.results.samples import GivenSamples, Samples, samples_of
from plancost.routes.costs import LearnedRoutes
from plancost.routes.given import as_pairs
from plancost.routes.loops import without_loops
from plancost.routes.network import Network, Trip
from plancost.routes.prediction import PredictedRoute, predict_routes
from plancost.routes.read_pairs import Pair
from plancost.routes.road_maps import NetworkMap
from plancost.system.clock import Deadline
from plancost.system.progress import Progress, no_progress


@dataclass(frozen=True)
class RouteChance:
    """What samples say of one route."""

    probability: float
    """The share of the samples under which no route is cheaper."""
    expected_regret: float
    """The mean over the samples of its cost over that of the cheapest route."""


class SampledRoutes:
    """Routes between pairs of places under samples of the costs.

    Pairs without a route, and those that need no link, are not searched.
    """

    def __init__(
        self,
        network: Network,
        costs: LearnedRoutes,
        routes: Sequence[Sequence[PredictedRoute]],
        samples: GivenSamples,
    ) -> None:
        """`routes` are those found for each pair."""
        drawn = samples_of(samples)
        if costs.groups:
            raise UsageError("--samples does not go with several groups")
        check_samples(drawn, Claims(costs=dict(costs.costs), path=costs.path))
        streets = without_loops(network, ())[0]
        road_map = NetworkMap.of(streets, costs.turns)
        driven = {
            (pair, place): road_map.route(Trip(f"{pair}-{place}", route.links))
            for pair, own in enumerate(routes)
            for place, route in enumerate(own)
            if route.links
        }
        self._plans: dict[tuple[int, int], Plan] = {
            place: route.roads for place, route in driven.items()
        }
        self._count = len(routes)
        if not driven:
            return
        self._case = case_from_routes(road_map.road_map, list(driven.values()))
        self._task = {
            pair: item.task for (pair, _), item in zip(driven, self._case.observations, strict=True)
        }
        self._drawn = sampled_costs(_known(drawn, self._case.actions), self._case.actions)

    @property
    def samples(self) -> int:
        """How many samples there are."""
        return self._drawn.count if self._plans else 0

    def outlooks(
        self, deadline: Deadline, progress: Progress = no_progress
    ) -> list[Outlook | None]:
        """What the samples say of each pair; None: there is nothing to search."""
        if not self._plans:
            return [None] * self._count
        plans: dict[int, list[Plan]] = {}
        for (pair, _), plan in self._plans.items():
            plans.setdefault(self._task[pair], []).append(plan)
        searcher = Searcher.of(self._case, LearnOptions(), deadline)
        tasks = list(plans)
        found = outlooks(searcher, tasks, self._drawn, deadline, plans=plans, progress=progress)
        looks = dict(zip(tasks, found, strict=True))
        return [
            looks[self._task[pair]] if pair in self._task else None for pair in range(self._count)
        ]

    def chances(self, looks: Sequence[Outlook | None]) -> list[list[RouteChance | None]]:
        """What the samples say of each route of each pair."""
        found: list[list[RouteChance | None]] = [[] for _ in looks]
        for (pair, place), plan in self._plans.items():
            look, own = looks[pair], found[pair]
            own += [None] * (place - len(own))
            own.append(None if look is None else _chance(look, plan))
        return found


def _chance(look: Outlook, plan: Plan) -> RouteChance | None:
    number = look.number(plan)
    probability, regret = look.probability(number), look.expected_regret(number)
    if probability is None or regret is None:
        return None
    return RouteChance(probability, regret)


def _known(samples: Samples, actions: Sequence[str]) -> Samples:
    missing = set(actions).difference(samples.actions)
    if missing:
        raise InputError(f"{min(missing)} has no cost in the samples; learn again with these links")
    return samples


def ask_routes(
    network: Network,
    costs: LearnedRoutes,
    pairs: Iterable[Pair | tuple[str, str]],
    samples: GivenSamples,
    budget: int | None = None,
    *,
    deadline: Deadline = Deadline(),  # noqa: B008 (frozen)
) -> Asked:
    """Rank pairs of places by how much a trip between them would teach about the costs.

    Args:
        network: The streets.
        costs: What was learned, such as ``read_costs(path)``, with the turns of the network.
        pairs: Where trips may start and end.
        samples: The path of a file that ``--samples-out`` wrote, or a result with samples.
        budget: How many pairs to choose that teach the most together; None: rank all of them.
        deadline: When to stop searching; what was searched by then counts.

    Returns:
        The pairs, those that teach the most first; of equal ones the first.

    Raises:
        InputError: The samples are of another result, or there is no route for any pair.
        LimitError: The time was up before any sample was searched.
    """
    known = as_pairs(pairs)
    routes = predict_routes(network, costs.group(None), known)
    sampled = SampledRoutes(network, costs, routes, samples)
    looks = sampled.outlooks(deadline)
    candidates = [
        Candidate(f"from {pair.start} to {pair.end}", look)
        for pair, look in zip(known, looks, strict=True)
        if look is not None
    ]
    if not candidates:
        raise InputError("there is no route between any of these pairs")
    without = len(known) - len(candidates)
    notes = [f"{without} pairs have no route, or need none"] if without else []
    return rank_tasks(candidates, sampled.samples, budget, notes)

"""Cheapest routes on a network under given costs.

One backward search for each destination gives what the rest of the way costs from everywhere, by
SciPy and exactly. A route is then a walk along links that lose nothing. Of several equally cheap
routes one is chosen in this order: least sum of the second numbers (initial costs, if there are
any), fewest links, and where two still differ first, the link that comes first in the network.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from plancost.routes.network import Network
from plancost.routes.turns import Turns

Vector = npt.NDArray[np.float64]
Togo = Sequence[float] | Vector
"""What the rest of the way costs from each state; inf: there is none."""

_EXACT = 2**53
"""Sums up to here are exact in floats."""


@dataclass(frozen=True)
class Arc:
    """A step from one state to another: a link, with the turn into it."""

    target: int
    link: int
    """Its position in the network."""
    cost: int
    second: int


@dataclass(frozen=True)
class Found:
    """A route: its cost, its second number, and the positions of its links."""

    cost: int
    second: int
    links: tuple[int, ...]

    @property
    def key(self) -> tuple[int, int, int, tuple[int, ...]]:
        """Less is better."""
        return self.cost, self.second, len(self.links), self.links


class RouteGraph:
    """A network with costs. States are places, and with turns also the ends of links.

    Loops are no part of it. A link without a cost raises `KeyError`.
    """

    def __init__(
        self,
        network: Network,
        costs: Mapping[str, int],
        turns: Turns | None = None,
        second: Mapping[str, int] | None = None,
    ) -> None:
        self.network = network
        self._costs = costs
        self._second = second or {}
        self._turns = turns
        self._place = network.place_number
        self._end = {
            link.name: len(self._place) + position if turns else self._place[link.end]
            for position, link in enumerate(network.links)
        }
        self.arcs: list[list[Arc]] = [
            [] for _ in range(len(self._place) + (len(network.links) if turns else 0))
        ]
        for source, arc in self._all_arcs():
            self.arcs[source].append(arc)

    def start(self, place: str) -> int:
        """The state in which a route from a place starts."""
        return self._place[place]

    def goals(self, place: str) -> list[int]:
        """The states in which a route to a place may end."""
        if self._turns is None:
            return [self._place[place]]
        entering = self.network.entering.get(place, ())
        return [self._place[place], *(self._end[link.name] for link in entering)]

    def cost(self, links: Sequence[str]) -> int:
        """What a route costs, with its turns."""
        turns = () if self._turns is None else self._turns.in_trip(links)
        return sum(self._costs[name] for name in links) + sum(
            self._costs.get(turn, 0) for turn in turns if turn is not None
        )

    def togo(self, place: str) -> Togo:
        """What the rest of the way to a place costs from each state."""
        matrix = self._incoming
        if matrix is None:
            return self._togo_by_heap(place)
        found: Vector = dijkstra(matrix, indices=self.goals(place), min_only=True)
        return found

    def reach(self, place: str) -> Vector:
        """What the way from a place to each state costs; costs must be small enough for floats."""
        if self._outgoing is None:
            raise ValueError("these costs may add up to more than floats hold exactly")
        found: Vector = dijkstra(self._outgoing, indices=[self.start(place)])[0]
        return found

    @property
    def is_exact_in_floats(self) -> bool:
        """Whether all costs together are small enough for floats."""
        return self._incoming is not None

    def cheapest(self, start: str, togo: Togo) -> Found | None:
        """The cheapest route to where `togo` leads; None: there is none."""
        first = self.start(start)
        if togo[first] == float("inf"):
            return None
        best: dict[int, Found] = {}
        for state in sorted(self._tight_states(first, togo), key=togo.__getitem__):
            onward = [
                Found(
                    arc.cost + best[arc.target].cost,
                    arc.second + best[arc.target].second,
                    (arc.link, *best[arc.target].links),
                )
                for arc in self.arcs[state]
                if arc.target in best and togo[state] == arc.cost + togo[arc.target]
            ]
            best[state] = min(onward, key=lambda found: found.key, default=Found(0, 0, ()))
        return best[first]

    def _tight_states(self, first: int, togo: Togo) -> set[int]:
        """The states on cheapest routes."""
        seen, waiting = {first}, [first]
        while waiting:
            state = waiting.pop()
            for arc in self.arcs[state]:
                if arc.target not in seen and togo[state] == arc.cost + togo[arc.target]:
                    seen.add(arc.target)
                    waiting.append(arc.target)
        return seen

    def _all_arcs(self) -> Iterator[tuple[int, Arc]]:
        for position, link in enumerate(self.network.links):
            if link.is_loop:
                continue
            cost, end = self._costs[link.name], self._end[link.name]
            second = self._second.get(link.name, 0)
            yield self._place[link.start], Arc(end, position, cost, second)
            if self._turns is None:
                continue
            for before in self.network.entering.get(link.start, ()):
                turn = (before.name, link.name)
                if before.is_loop or turn in self._turns.forbidden:
                    continue
                name = self._turns.action(*turn)
                extra = 0 if name is None else self._costs.get(name, 0)
                also = 0 if name is None else self._second.get(name, 0)
                yield self._end[before.name], Arc(end, position, cost + extra, second + also)

    @cached_property
    def _incoming(self) -> csr_array | None:
        """The cheapest arc between any two states, by target; None if sums may not be exact."""
        least: dict[tuple[int, int], int] = {}
        for source, arcs in enumerate(self.arcs):
            for arc in arcs:
                key = (arc.target, source)
                least[key] = min(arc.cost, least.get(key, arc.cost))
        if sum(least.values()) >= _EXACT:
            return None
        size = len(self.arcs)
        ends = np.array(list(least), dtype=np.int64).reshape(-1, 2)
        costs = np.array(list(least.values()), dtype=np.float64)
        return csr_array((costs, (ends[:, 0], ends[:, 1])), shape=(size, size))

    @cached_property
    def _outgoing(self) -> csr_array | None:
        """The same by source."""
        return None if self._incoming is None else csr_array(self._incoming.T)

    def _togo_by_heap(self, place: str) -> Togo:
        """The same in Python's integers, which have no end."""
        togo: list[float] = [float("inf")] * len(self.arcs)
        waiting: list[tuple[int, int]] = [(0, goal) for goal in self.goals(place)]
        while waiting:
            cost, state = heapq.heappop(waiting)
            if togo[state] != float("inf"):
                continue
            togo[state] = cost
            for source, step in self._sources[state]:
                if togo[source] == float("inf"):
                    heapq.heappush(waiting, (cost + step, source))
        return togo

    @cached_property
    def _sources(self) -> list[list[tuple[int, int]]]:
        found: list[list[tuple[int, int]]] = [[] for _ in self.arcs]
        for source, arcs in enumerate(self.arcs):
            for arc in arcs:
                found[arc.target].append((source, arc.cost))
        return found

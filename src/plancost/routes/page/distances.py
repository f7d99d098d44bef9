"""What the cheapest way costs between places of a network, in whole numbers.

SciPy counts in floating-point numbers, which are exact for whole numbers up to 2**53; `Distances`
refuses costs that could add up to more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from plancost.errors import InputError
from plancost.routes.network import Network

Numbers = npt.NDArray[np.int64]
Costs = npt.NDArray[np.float64]

_LARGEST_EXACT = 2**53
_AT_ONCE = 2_000_000
"""Distances are computed for some places at a time, so many numbers together."""


class Distances:
    """Links by number under given costs; loops are part of no cheapest way."""

    def __init__(self, network: Network, costs: Mapping[str, int]) -> None:
        self.places = network.place_names
        self.number = {place: number for number, place in enumerate(self.places)}
        self.start = np.array([self.number[link.start] for link in network.links], dtype=np.int64)
        self.end = np.array([self.number[link.end] for link in network.links], dtype=np.int64)
        self.cost = np.array([costs[link.name] for link in network.links], dtype=np.int64)
        if len(self.cost) and len(self.places) * int(self.cost.max()) >= _LARGEST_EXACT:
            raise InputError(
                f"{network.source}: costs of up to {int(self.cost.max())} are too large for the map"
            )

    @cached_property
    def leaving(self) -> Sequence[Sequence[int]]:
        """For each place the links that leave it, without loops."""
        found: list[list[int]] = [[] for _ in self.places]
        for link, (start, end) in enumerate(zip(self.start, self.end, strict=True)):
            if start != end:
                found[start].append(link)
        return found

    def from_places(self, places: Iterable[int]) -> Iterator[tuple[int, Costs]]:
        """The cost from a place to every other; infinite where no way leads."""
        return self._each(places, self._cheapest(self.start, self.end))

    def to_places(self, places: Iterable[int]) -> Iterator[tuple[int, Costs]]:
        """The cost to a place from every other; infinite where no way leads."""
        return self._each(places, self._cheapest(self.end, self.start))

    def _each(
        self, places: Iterable[int], matrix: csr_array[np.float64]
    ) -> Iterator[tuple[int, Costs]]:
        wanted = list(dict.fromkeys(places))
        size = max(1, _AT_ONCE // max(1, len(self.places)))
        for begin in range(0, len(wanted), size):
            some = wanted[begin : begin + size]
            yield from zip(some, dijkstra(matrix, indices=some), strict=True)

    def _cheapest(self, rows: Numbers, columns: Numbers) -> csr_array[np.float64]:
        """A matrix with the cheapest of parallel links (SciPy would add them up)."""
        order = np.lexsort((self.cost, columns, rows))
        order = order[rows[order] != columns[order]]
        keys = rows[order] * len(self.places) + columns[order]
        first = order[np.unique(keys, return_index=True)[1]]
        shape = (len(self.places), len(self.places))
        values = self.cost[first].astype(np.float64)
        return csr_array((values, (rows[first], columns[first])), shape=shape)

"""Trips that visit a place twice, cut into parts that do not.

Such a trip can never be a cheapest route between its ends: what lies between the two visits could
be left out. It often is one trip there and another back. It is cut where it turns back: in the
middle between the two visits. That is repeated until no part visits a place twice.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from plancost.routes.network import Network, Trip


@dataclass(frozen=True)
class Split:
    """A trip and its parts: one, if it visits no place twice."""

    trip: Trip
    parts: tuple[Trip, ...]
    places: tuple[str, ...] = ()
    """Where it was cut."""


def split_trip(network: Network, trip: Trip) -> Split:
    """Cut a trip."""
    places = network.visited(trip.links)
    cuts = cuts_of(places)
    if not cuts:
        return Split(trip, (trip,))
    ends = [0, *cuts, len(trip.links)]
    parts = tuple(
        Trip(
            f"{trip.name} part {number} of {len(ends) - 1}",
            trip.links[start:stop],
            trip.count,
            trip.group,
            trip.time,
            trip.line,
        )
        for number, (start, stop) in enumerate(itertools.pairwise(ends), start=1)
    )
    return Split(trip, parts, tuple(places[cut] for cut in cuts))


def cuts_of(places: Sequence[str]) -> list[int]:
    """The positions at which a sequence of places is cut so that no part has a place twice.

    Both parts have the place where they meet. Two visits one after the other, as by a street
    that leads back to its own place, cannot be cut apart: such a street must be left out before.
    """
    cuts: list[int] = []
    seen: dict[str, int] = {}
    position = 0
    while position < len(places):
        earlier = seen.get(places[position])
        if earlier is None:
            seen[places[position]] = position
            position += 1
            continue
        if position - earlier < 2:
            raise ValueError(f"{places[position]} is visited twice without a way in between")
        cuts.append((earlier + position) // 2)
        seen = {}
        position = cuts[-1]
    return cuts

"""From a network to the map that learning works on, and from trips to routes on it.

Without turns a place of the map is a place of the network. With turns it also says by which link
one has come: from there a link leads to its own end, or, if that takes a turn of some class, to a
place where that turn is still to be paid for. So links and classes of turns are actions, each
with one cost, and a forbidden turn is no way at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from plancost.errors import InputError
from plancost.observations.files import ObservedFile
from plancost.observations.road_map import Road, RoadMap, Route, Way
from plancost.routes.network import Network, Trip, ends
from plancost.routes.turns import Turns


@dataclass(frozen=True)
class NetworkMap:
    """A network as a map."""

    network: Network
    road_map: RoadMap
    turns: Turns | None = None

    @classmethod
    def of(cls, network: Network, turns: Turns | None = None) -> NetworkMap:
        """The map of a network without loops."""
        if turns is None:
            number = network.place_number
            roads = tuple(
                Road.between(link.name, number[link.start], number[link.end])
                for link in network.links
            )
            return cls(network, RoadMap(network.place_names, roads))
        clash = next((name for name in turns.names if name in network.by_name), None)
        if clash is not None:
            raise InputError(f"{network.source}: a link must not be called {clash} beside turns")
        return cls(network, _TurnMap(network, turns).road_map(), turns)

    def route(self, trip: Trip, path: Path | None = None) -> Route:
        """A trip as a route; `path` is the file that it is in."""
        start, end = ends(self.network, trip)
        turns = [None] * len(trip.links) if self.turns is None else self.turns.in_trip(trip.links)
        roads: list[str] = []
        for turn, name in zip(turns, trip.links, strict=True):
            roads += [name] if turn is None else [name, turn]
        place = None if path is None else (path, trip.line)
        source = ObservedFile(
            Path(f"from {start} to {end}"),
            _label(trip.name),
            trip.count,
            time=trip.time,
            group=trip.group,
            place=place,
        )
        return Route(self.network.place_number[start], tuple(roads), source)


def _label(name: str) -> Path:
    """A name as a path that reads the same."""
    return Path(name) if str(Path(name)) == name else Path(name.replace("/", "|"))


class _TurnMap:
    """Places: those of the network, the ends of links, and turns to be paid for."""

    def __init__(self, network: Network, turns: Turns) -> None:
        self._network = network
        self._turns = turns
        self._names = list(network.place_names)
        self._number = {name: place for place, name in enumerate(self._names)}
        self._destinations = list(range(len(self._names)))
        self._end = {
            link.name: self._add(f"{link.end} by {link.name}", self._number[link.end])
            for link in network.links
        }
        self._unpaid: dict[tuple[str, str], int] = {}
        self._nowhere = self._add("on the way")

    def road_map(self) -> RoadMap:
        ways: dict[str, list[Way]] = {name: [] for name in self._turns.names}
        for link in self._network.links:
            own = ways[link.name] = [(self._number[link.start], self._end[link.name])]
            for before in (item.name for item in self._network.entering.get(link.start, ())):
                if (before, link.name) in self._turns.forbidden:
                    continue
                turn = self._turns.action(before, link.name)
                after = self._end[link.name] if turn is None else self._paying(turn, link.name)
                own.append((self._end[before], after))
        for (turn, name), place in self._unpaid.items():
            ways[turn].append((place, self._end[name]))
        roads = tuple(Road(name, tuple(own)) for name, own in ways.items() if own)
        return RoadMap(tuple(self._names), roads, tuple(self._destinations))

    def _paying(self, turn: str, name: str) -> int:
        """The place behind a link where a turn is still to be paid for."""
        if (turn, name) not in self._unpaid:
            self._unpaid[turn, name] = self._add(f"{turn} into {name}", self._nowhere)
        return self._unpaid[turn, name]

    def _add(self, name: str, destination: int | None = None) -> int:
        """A place; without another destination it is its own."""
        while name in self._number:
            name += "'"
        number = self._number[name] = len(self._names)
        self._names.append(name)
        self._destinations.append(number if destination is None else destination)
        return number

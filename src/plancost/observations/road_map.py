"""A case out of a map and routes on it, without PDDL.

Every place is a value of one variable, every road an action, and a route is a sequence of roads. A
road may be usable in several places (both ways, or after different turns): it is one action with
an operator for each, so that it has one cost. Roads between the same two places are actions of
their own.

Several places can count as one destination: behind a junction there is a place for each road that
one may have come by, and a route to the junction may end in any of them. The destination is then
a second variable.
"""

from __future__ import annotations

import hashlib
import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from plancost.errors import InputError
from plancost.observations.case import Case, Observation, Task
from plancost.observations.files import ObservedFile
from plancost.observations.planfile import Plan
from plancost.observations.sas import Effect, Operator, SasTask, Variable

Way = tuple[int, int]
"""From one place to another, by their numbers."""


@dataclass(frozen=True)
class Road:
    """What is driven, with one cost, and where: from one place to another.

    A way that leads back to its own place is no part of a cheapest route.
    """

    name: str
    """What the action is called."""
    ways: tuple[Way, ...]
    """No two of them start at the same place."""

    @classmethod
    def between(cls, name: str, start: int, end: int, *, two_way: bool = False) -> Road:
        """A road from one place to another, and back again if it is `two_way`."""
        there, back = (start, end), (end, start)
        return cls(name, (there, back) if two_way and back != there else (there,))


@dataclass(frozen=True)
class RoadMap:
    """Places, numbered from 0, and the roads between them.

    No two places, and no two roads, have one name.
    """

    places: tuple[str, ...]
    roads: tuple[Road, ...]
    destinations: tuple[int, ...] | None = None
    """For each place the place that it counts as at the end of a route; None: itself."""

    def __post_init__(self) -> None:
        if "" in self.places or any(not road.name for road in self.roads):
            raise ValueError("a place or a road of a map has no name")
        _require_distinct("places", self.places)
        _require_distinct("roads", (road.name for road in self.roads))
        for road in self.roads:
            if len({start for start, _ in road.ways}) < len(road.ways):
                raise ValueError(f"the road {road.name!r} leads from one place to several")

    @property
    def world(self) -> str:
        """What tells this map from others."""
        content = repr((self.places, self.roads, self.destinations))
        return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()

    @cached_property
    def ways(self) -> Mapping[str, Mapping[int, int]]:
        """For each road, by name, where it leads from the places where it can be used."""
        return {road.name: dict(road.ways) for road in self.roads}

    def destination(self, place: int) -> int:
        """The place that a place counts as at the end of a route."""
        return place if self.destinations is None else self.destinations[place]


@dataclass(frozen=True)
class Route:
    """Roads that were driven one after the other, and what messages call that."""

    start: int
    roads: tuple[str, ...]
    source: ObservedFile | None = None
    """None: it is called by its number."""


def _require_distinct(what: str, names: Iterable[object]) -> None:
    again = [name for name, count in Counter(names).items() if count > 1]
    if again:
        raise ValueError(f"two {what} of a map are called {again[0]!r}")


def case_from_routes(road_map: RoadMap, routes: Sequence[Route], notes: Sequence[str] = ()) -> Case:
    """A case whose observed plans are routes; `notes` are for the user."""
    sas, world = _sas(road_map), road_map.world
    goal_variable = len(sas.variables) - 1
    number_of_ends: dict[tuple[int, int], int] = {}
    tasks: list[Task] = []
    observations: list[Observation] = []
    for number, route in enumerate(routes, start=1):
        places = _places(road_map, route, number)
        ends = (route.start, road_map.destination(places[-1]))
        label = f"from {road_map.places[ends[0]]} to {road_map.places[ends[1]]}"
        if ends not in number_of_ends:
            number_of_ends[ends] = len(tasks)
            initial = (ends[0], road_map.destination(ends[0]))[: goal_variable + 1]
            walk = sas.between(initial, ((goal_variable, ends[1]),))
            tasks.append(Task(None, walk, label, world))
        source = route.source or ObservedFile(Path(label), Path(f"route {number}"))
        loops = len(set(places)) < len(places)
        observations.append(Observation(number_of_ends[ends], route.roads, loops, source))
    if not observations:
        raise InputError("there is no route to learn from")
    return Case(Path(), None, (), tuple(tasks), tuple(observations), tuple(notes))


def _places(road_map: RoadMap, route: Route, number: int) -> list[int]:
    """The places that a route passes."""
    if not route.roads:
        raise InputError(f"route {number} has no road")
    places = [route.start]
    for step, name in enumerate(route.roads, start=1):
        there = road_map.ways.get(name, {}).get(places[-1])
        if there is None:
            raise InputError(
                f"step {step} of route {number} takes {name}, which cannot be used at "
                f"{road_map.places[places[-1]]}"
            )
        places.append(there)
    return places


def plan_between(
    road_map: RoadMap, names: Mapping[Way, str], route: Sequence[int], number: int
) -> Plan:
    """The roads of a route that is given by its places, where `names` has the road of each way."""
    if len(route) < 2:
        raise InputError(f"route {number} has fewer than two places")
    steps = []
    for step, (here, there) in enumerate(itertools.pairwise(route), start=1):
        if (here, there) not in names:
            start, end = road_map.places[here], road_map.places[there]
            raise InputError(
                f"step {step} of route {number} goes from {start} to {end}, where there is no road"
            )
        steps.append(names[here, there])
    return tuple(steps)


def _sas(road_map: RoadMap) -> SasTask:
    values = tuple(f"Atom at({place})" for place in road_map.places)
    variables = [Variable("place", -1, values)]
    if road_map.destinations is not None:
        ends = tuple(f"Atom arrived({place})" for place in road_map.places)
        variables.append(Variable("destination", -1, ends))
    initial = (0,) * len(variables)
    return SasTask(tuple(variables), (), initial, (), tuple(_operators(road_map)), ())


def _operators(road_map: RoadMap) -> Iterable[Operator]:
    for road in road_map.roads:
        for start, end in road.ways:
            effects = [] if start == end else [Effect((), 0, end)]
            if effects and road_map.destinations is not None:
                effects.append(Effect((), 1, road_map.destinations[end]))
            yield Operator(road.name, ((0, start),), tuple(effects))

"""A case out of a map and routes on it, without PDDL.

Every place is a value of one variable, every road an action. A road that can be used both
ways is one action with two operators, so that it has one cost. Learning knows actions by their
names, so a map is refused unless its names are as those of actions and each stands for one thing.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from plancost.errors import InputError
from plancost.observations.case import Case, Observation, Task
from plancost.observations.files import ObservedFile
from plancost.observations.planfile import Plan, action_name
from plancost.observations.sas import Effect, Operator, SasTask, Variable

_WORD = re.compile(r"[^\s(),]+")


@dataclass(frozen=True)
class Road:
    """A way from one place to another, by their numbers, and back again if it is `two_way`.

    One that leads back to its own place is no part of a cheapest route.
    """

    name: str
    """As actions are spelled: ``(go a b)``."""
    start: int
    end: int
    two_way: bool = False

    @property
    def ways(self) -> tuple[tuple[int, int], ...]:
        """From which place to which other it can be used."""
        there = (self.start, self.end)
        back = (self.end, self.start)
        return (there, back) if self.two_way and back != there else (there,)


@dataclass(frozen=True)
class RoadMap:
    """Places, numbered from 0, and the roads between them.

    A place is a word, without blanks, parentheses and commas. No two places, and no two roads,
    have one name, and no two roads lead from one place to the same other.
    """

    places: tuple[str, ...]
    roads: tuple[Road, ...]

    def __post_init__(self) -> None:
        for place in self.places:
            if _WORD.fullmatch(place) is None or place != place.lower():
                raise ValueError(f"the place {place!r} is not one word in lower case")
        for road in self.roads:
            if action_name(road.name) != road.name:
                raise ValueError(f"the road {road.name!r} is not spelled as actions are")
        _require_distinct("places", self.places)
        _require_distinct("roads", (road.name for road in self.roads))
        _require_distinct("ways", (way for road in self.roads for way in road.ways))

    @property
    def world(self) -> str:
        """What tells this map from others."""
        content = repr((self.places, self.roads))
        return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()

    def road_names(self) -> dict[tuple[int, int], str]:
        """The road from one place to another."""
        return {way: road.name for road in self.roads for way in road.ways}


def _require_distinct(what: str, names: Iterable[object]) -> None:
    again = [name for name, count in Counter(names).items() if count > 1]
    if again:
        raise ValueError(f"two {what} of a map are called {again[0]!r}")


def case_from_routes(
    road_map: RoadMap, routes: Sequence[Sequence[int]], counts: Sequence[int] | None = None
) -> Case:
    """A case whose observed plans are routes, each a sequence of places."""
    names = road_map.road_names()
    plans = [_plan(road_map, names, route, number) for number, route in enumerate(routes, start=1)]
    sas, world = _sas(road_map), road_map.world
    number_of_ends: dict[tuple[int, int], int] = {}
    tasks: list[Task] = []
    observations: list[Observation] = []
    for number, (route, plan) in enumerate(zip(routes, plans, strict=True), start=1):
        ends = (route[0], route[-1])
        label = f"from {road_map.places[ends[0]]} to {road_map.places[ends[1]]}"
        if ends not in number_of_ends:
            number_of_ends[ends] = len(tasks)
            walk = sas.between((ends[0],), ((0, ends[1]),))
            tasks.append(Task(None, walk, label, world))
        count = 1 if counts is None else counts[number - 1]
        source = ObservedFile(Path(label), Path(f"route {number}"), count)
        loops = len(set(route)) < len(route)
        observations.append(Observation(number_of_ends[ends], plan, loops, source))
    if not observations:
        raise InputError("there is no route to learn from")
    return Case(Path(), None, (), tuple(tasks), tuple(observations), ())


def _plan(
    road_map: RoadMap, names: Mapping[tuple[int, int], str], route: Sequence[int], number: int
) -> Plan:
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
    return SasTask(
        (Variable("place", -1, values),), (), (0,), (), tuple(_operators(road_map.roads)), ()
    )


def _operators(roads: Iterable[Road]) -> Iterable[Operator]:
    for road in roads:
        for start, end in road.ways:
            effects = () if start == end else (Effect((), 0, end),)
            yield Operator(road.name, ((0, start),), effects)

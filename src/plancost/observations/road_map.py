"""A case out of a map and routes on it, without PDDL.

Every place is a value of one variable, every road an action. A road that can be used both
ways is one action with two operators, so that it has one cost.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from plancost.errors import InputError
from plancost.observations.case import Case, Observation, Task
from plancost.observations.files import ObservedFile
from plancost.observations.planfile import Plan
from plancost.observations.sas import Effect, Operator, SasTask, Variable

_WORLD = "map"


@dataclass(frozen=True)
class Road:
    """A way from one place to another, by their numbers, and back again if it is `two_way`."""

    name: str
    start: int
    end: int
    two_way: bool = False


@dataclass(frozen=True)
class RoadMap:
    """Places, numbered from 0, and the roads between them.

    No two roads lead from one place to the same other, and none back to its own.
    """

    places: tuple[str, ...]
    roads: tuple[Road, ...]

    def road_names(self) -> dict[tuple[int, int], str]:
        """The road from one place to another."""
        found = {(road.start, road.end): road.name for road in self.roads}
        return found | {(road.end, road.start): road.name for road in self.roads if road.two_way}


def case_from_routes(
    road_map: RoadMap, routes: Sequence[Sequence[int]], counts: Sequence[int] | None = None
) -> Case:
    """A case whose observed plans are routes, each a sequence of places."""
    names = road_map.road_names()
    plans = [_plan(road_map, names, route, number) for number, route in enumerate(routes, start=1)]
    sas = _sas(road_map)
    number_of_ends: dict[tuple[int, int], int] = {}
    tasks: list[Task] = []
    observations: list[Observation] = []
    for number, (route, plan) in enumerate(zip(routes, plans, strict=True), start=1):
        ends = (route[0], route[-1])
        label = f"from {road_map.places[ends[0]]} to {road_map.places[ends[1]]}"
        if ends not in number_of_ends:
            number_of_ends[ends] = len(tasks)
            walk = sas.between((ends[0],), ((0, ends[1]),))
            tasks.append(Task(None, walk, label, _WORLD))
        source = ObservedFile(Path(label), Path(f"route {number}"))
        observations.append(
            Observation(
                number_of_ends[ends],
                plan,
                source.problem,
                source.plan,
                1 if counts is None else counts[number - 1],
                len(set(route)) < len(route),
                source,
            )
        )
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
        yield _move(road.name, road.start, road.end)
        if road.two_way:
            yield _move(road.name, road.end, road.start)


def _move(name: str, start: int, end: int) -> Operator:
    return Operator(name, ((0, start),), (Effect((), 0, end),))

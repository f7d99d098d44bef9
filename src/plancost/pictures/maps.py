"""Finding a map in a case, and the scene that shows costs and plans on it."""

from __future__ import annotations

import enum
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from plancost.errors import InputError, UsageError
from plancost.observations.case import Case
from plancost.observations.files import name_within
from plancost.pictures.coordinates import Position, from_file, from_names, from_values
from plancost.pictures.layout import lay_out
from plancost.pictures.scene import MOST_COLOURS, Arrow, Point, Route, Scene
from plancost.pictures.terrain import Terrain, find_movement, find_small_states
from plancost.system.values import PathLike, path_or_none

_MOST_PLACES = 4000
_LEAST_SHARE = 0.5
"""Without coordinates, this share of all steps must be moves; otherwise it is not a map."""
_MOST_LAID_OUT = 300
"""Larger maps are drawn only with coordinates."""
_MOST_NAMES = 80
_LONGEST_NAME = 24

NO_MAP = (
    "there is no map to draw: no single object moves in this case, and its state graph is too "
    "large to draw"
)


class Placed(enum.StrEnum):
    """Where the positions of a map come from."""

    FILE = "file"
    VALUES = "values"
    NAMES = "names"
    LAYOUT = "layout"


@dataclass(frozen=True)
class Map:
    """A terrain with positions. `of_states`: its places are states of the whole task."""

    terrain: Terrain
    positions: tuple[Position, ...]
    placed: Placed
    of_states: bool = False
    notes: tuple[str, ...] = ()


def find_map(case: Case, coordinates: PathLike | None = None) -> Map | None:
    """The map of a case.

    Args:
        case: A loaded case.
        coordinates: A CSV file with the positions of places.

    Returns:
        The map, or None if there is none that can be drawn.

    Raises:
        InputError: The coordinates are wrong.
    """
    file = path_or_none(coordinates, "coordinates")
    movement = find_movement(case)
    if movement is not None and len(movement.places) <= _MOST_PLACES:
        found = _place(movement, case, file)
        if found is not None:
            notes = () if movement.share == 1 else ("Only the steps that move are drawn.",)
            return Map(movement, tuple(found[0]), found[1], notes=notes)
    states = find_small_states(case)
    if states is None:
        return None
    positions = tuple(lay_out(len(states.places), states.ways))
    about: tuple[str, ...] = ("Each point is a state of the whole problem.",)
    if coordinates is not None:
        about += ("The coordinates are not used, since no single object moves.",)
    return Map(states, positions, Placed.LAYOUT, of_states=True, notes=about)


def _place(
    movement: Terrain, case: Case, coordinates: Path | None
) -> tuple[list[Position], Placed] | None:
    """The positions of the places of a movement, or None if it is no map."""
    places, ways = movement.places, movement.ways
    if coordinates is not None:
        return from_file(places, coordinates), Placed.FILE
    problems = [problem for problem, _ in case.problems]
    if (known := from_values(places, problems)) is not None:
        return known, Placed.VALUES
    if (known := from_names(places, ways)) is not None:
        return known, Placed.NAMES
    if movement.share >= _LEAST_SHARE and len(places) <= _MOST_LAID_OUT:
        return lay_out(len(places), ways), Placed.LAYOUT
    return None


def scene_of(
    the_map: Map, case: Case, costs: Mapping[str, int], plans: Collection[int] | None = None
) -> Scene:
    """What is drawn of a map.

    Args:
        the_map: What `find_map` returned.
        case: The case of the map.
        costs: The cost of every action.
        plans: The numbers of the observations to draw, the first is 1; None: all.

    Returns:
        A scene for `write_picture`.

    Raises:
        InputError: An action of the map has no cost.
        UsageError: There is no observation with such a number.
    """
    most = len(case.observations)
    for number in plans or ():
        if not 1 <= number <= most:
            raise UsageError(f"--plans: there is no plan {number}; there are {most}")
    for name in (name for names in the_map.terrain.ways.values() for name in names):
        if name not in costs:
            raise InputError(f"there is no cost of {name}")
    terrain, of_states = the_map.terrain, the_map.of_states
    arrows = tuple(
        Arrow(*way, tuple((name, costs[name]) for name in names))
        for way, names in terrain.ways.items()
    )
    routes = tuple(
        Route(
            number,
            name_within(case.root, item.plan_file),
            terrain.route(item.task, item.plan),
            item.count,
        )
        for number, item in enumerate(case.observations, start=1)
        if plans is None or number in plans
    )
    places = enumerate(zip(terrain.places, the_map.positions, strict=True), start=1)
    points = tuple(
        Point(f"state {number}", *position, place) if of_states else Point(place, *position)
        for number, (place, position) in places
    )
    notes = the_map.notes
    if len(routes) > MOST_COLOURS:
        notes += (
            f"The first {MOST_COLOURS} of {len(routes)} plans are in colour; the others are grey, "
            "wider where more of them go.",
        )
    return Scene(points, arrows, routes, names_shown=_are_shown(the_map), notes=notes)


def _are_shown(the_map: Map) -> bool:
    """Whether to write names: those that only repeat the coordinates are left out."""
    names = the_map.terrain.places
    return (
        the_map.placed is not Placed.NAMES
        and not the_map.of_states
        and len(names) <= _MOST_NAMES
        and max(map(len, names)) <= _LONGEST_NAME
    )

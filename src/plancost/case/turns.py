"""Turns from one link into the next: their classes, and a network in which they cost.

Over places alone a turn has no cost. In the network made here a trip is link, turn, link, ...:
place --a--> end of a --turn a>b--> before b --b--> end of b. It may pass a place twice and be
optimal, and it reaches its destination at the end of any link that leads there.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from plancost.case.cost_models import plain_model
from plancost.case.links import Links, Point, Table, coordinate, distinct, read_rows
from plancost.case.model import Case, Ints, Network, StreetTable
from plancost.case.values import shown
from plancost.errors import InputError, UsageError

TURN_BY = 0.5236
"""Radians (30 degrees): less is straight on."""
BACK_FROM = 3.1
_LARGEST_CITY = 10.0
"""Degrees: coordinates that spread more are no degrees."""


def read_turns(table: Table, links: Links) -> tuple[dict[tuple[int, int], str], tuple[str, ...]]:
    """The classes of turns by a table with the columns link, next, and angle or class."""
    source, rows = read_rows(table, "turns", ("link", "next"))
    kind = next((name for name in ("class", "angle") if name in rows[0]), None)
    if kind is None:
        raise InputError("the first line must name the column class or angle", source, 1)
    found: dict[tuple[int, int], str] = {}
    apart = 0
    for row in rows:
        before, after = links.number.get(row["link"]), links.number.get(row["next"])
        if before is None or after is None or links.ends[before] != links.starts[after]:
            apart += 1
            continue
        name = row[kind]
        if kind == "angle" and name:
            angle = coordinate(name)
            if angle is None:
                message = f"the angle must be a number of radians, not {shown(name)}"
                raise InputError(message, source, row.line)
            name = class_of(angle)
        if name:
            found[before, after] = name
    if not found:
        raise InputError(f"no turn is one of {links.source}", source)
    note = f"{source}: {apart} turns between links that are unknown or do not meet are left out"
    return found, (note,) if apart else ()


def class_of(angle: float) -> str:
    """The class of a turn by its angle in radians; to the right is positive."""
    if abs(angle) > BACK_FROM:
        return "back"
    if abs(angle) <= TURN_BY:
        return "straight"
    return "left" if angle < 0 else "right"


def with_turns(case: Case) -> Case:
    """The same trips where turns cost too; as it is if they do already."""
    if case.streets is None or not isinstance(case.worlds[0], Network):
        raise UsageError("only streets have turns")
    count = len(case.streets.rows)
    roads = case.worlds[0]
    if len(roads.source) > count:
        return case
    before, after = _pairs(roads)
    pairs = list(zip(before.tolist(), after.tolist(), strict=True))
    names = [f"{case.actions[link]}>{case.actions[following]}" for link, following in pairs]
    actions = (*case.actions, *distinct(names, case.actions))
    number = {pair: action for action, pair in enumerate(pairs, start=count)}
    ends_at: dict[int, list[int]] = {}
    for link, place in enumerate(roads.target.tolist()):
        ends_at.setdefault(place, []).append(link + len(roads.states))
    tasks = tuple(
        replace(
            task,
            goal_states=frozenset(end for place in task.goal_states for end in ends_at[place]),
        )
        for task in case.tasks
    )
    observations = tuple(
        replace(observation, actions=_with_turns(observation.actions, number))
        for observation in case.observations
    )
    return replace(
        case,
        actions=actions,
        worlds=(_network(roads, case.actions, before, after),),
        tasks=tasks,
        observations=observations,
        costs=plain_model(actions),
        notes=tuple(note for note in case.notes if note != loops_note(case)),
        streets=replace(case.streets, turns=_classes(case.streets, pairs)),
    )


def turn_pairs(case: Case) -> list[tuple[int, int]]:
    """The links of each turn action, in their order; none if turns do not cost."""
    world = case.worlds[0]
    if case.streets is None or not isinstance(world, Network):
        return []
    count = len(case.streets.rows)
    places = len(world.states) - 2 * count
    is_turn = world.action >= count
    before, after = world.source[is_turn] - places, world.target[is_turn] - places - count
    return list(zip(before.tolist(), after.tolist(), strict=True))


def loops_note(case: Case) -> str | None:
    """What to say of trips that pass a place twice, where turns do not cost."""
    world = case.worlds[0]
    assert isinstance(world, Network)
    target = world.target.tolist()
    count = 0
    for observation in case.observations:
        (start,) = case.tasks[observation.task].initial
        count += len({start, *map(target.__getitem__, observation.actions)}) <= len(
            observation.actions
        )
    if not count:
        return None
    return (
        f"{count} of {len(case.observations)} trips visit a place twice: without costs of turns "
        "they can never be optimal"
    )


def _pairs(roads: Network) -> tuple[Ints, Ints]:
    """All links and next links that meet, by link."""
    order = np.argsort(roads.source, kind="stable")
    first = np.searchsorted(roads.source[order], roads.target, side="left")
    last = np.searchsorted(roads.source[order], roads.target, side="right")
    often = last - first
    before = np.repeat(np.arange(len(often)), often)
    inside = np.arange(len(before)) - np.repeat(np.cumsum(often) - often, often)
    return before, order[np.repeat(first, often) + inside]


def _network(roads: Network, links: Sequence[str], before: Ints, after: Ints) -> Network:
    """States are places (to start from), then ends of links, then beginnings of links."""
    places, count = len(roads.states), len(links)
    link = np.arange(count)
    ends, begins = places + link, places + count + link
    turn = count + np.arange(len(before))
    return Network(
        (*roads.states, *(f"end of {name}" for name in links), *(f"before {n}" for n in links)),
        np.concatenate((roads.source, begins, ends[before])),
        np.concatenate((ends, ends, begins[after])),
        np.concatenate((link, link, turn)),
    )


def _with_turns(links: Sequence[int], turns: dict[tuple[int, int], int]) -> tuple[int, ...]:
    found = list(links[:1])
    for pair in itertools.pairwise(links):
        found += (turns[pair], pair[1])
    return tuple(found)


def _classes(table: StreetTable, pairs: Sequence[tuple[int, int]]) -> dict[tuple[int, int], str]:
    """The classes of all turns: as they are given, or else from where links run."""
    if table.turns:
        usual = "straight" if {"left", "right"} & set(table.turns.values()) else "other"
        return {pair: table.turns.get(pair, usual) for pair in pairs}
    if not table.shapes:
        return {}
    degrees = _are_degrees(table.shapes)
    ways = [_directions(shape, degrees) for shape in table.shapes]
    found = {}
    for before, after in pairs:
        here, there = ways[before], ways[after]
        angle = 0.0 if here is None or there is None else here[1] - there[0]
        found[before, after] = class_of(math.remainder(angle, 2 * math.pi))
    return found


def _are_degrees(shapes: Sequence[Sequence[Point]]) -> bool:
    """Whether coordinates can be longitude and latitude of one region."""
    x, y = np.array([point for shape in shapes for point in shape]).T
    near = max(np.ptp(x), np.ptp(y)) <= _LARGEST_CITY
    return bool(near and np.abs(x).max() <= 180 and np.abs(y).max() <= 90)


def _directions(shape: Sequence[Point], degrees: bool) -> tuple[float, float] | None:
    """In which directions a link sets out and arrives, from the x axis to the left."""
    points = [point for point, _ in itertools.groupby(shape)]
    if len(points) < 2:
        return None
    return _direction(points[0], points[1], degrees), _direction(points[-2], points[-1], degrees)


def _direction(one: Point, two: Point, degrees: bool) -> float:
    width = math.cos(math.radians((one[1] + two[1]) / 2)) if degrees else 1.0
    return math.atan2(two[1] - one[1], width * (two[0] - one[0]))

"""Turns from one link into the next: their classes, and a network in which they cost.

Over places alone a turn has no cost. In the network made here a trip is link, turn, link, ...:
place --a--> end of a --turn a>b--> before b --b--> end of b. It may pass a place twice and be
optimal, and it reaches its destination at the end of any link that leads there.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from plancost.case.links import Links, Point, width_of_x
from plancost.case.model import Case, Ints, Network, StreetTable, plain_model
from plancost.case.tables import AnyTable, read_table
from plancost.errors import InputError, UsageError
from plancost.values import decimal, distinct

Pair = tuple[int, int]
"""The numbers of a link and of the next one."""
LOOPS = "trips visit a place twice: without costs of turns they can never be optimal"
"""The end of a note."""
TURN_BY = 0.5236
"""Radians (30 degrees): less is straight on."""
BACK_FROM = 3.1
_OTHER = "other"
"""The class of turns of which nothing is known where something is known of others."""


def read_turns(turns: AnyTable, links: Links) -> dict[Pair, str]:
    """The classes of turns by a table with the columns link, next, and angle or class.

    It may list turns of a larger network too.
    """
    table = read_table(turns, "turns", ("link", "next"))
    found: dict[Pair, str] = {}
    for line, row in table.rows:
        before, after = links.number.get(row["link"]), links.number.get(row["next"])
        if before is None or after is None or links.ends[before] != links.starts[after]:
            continue
        kind, angle = row.get("class"), decimal(row.get("angle", ""))
        if not kind and angle is None:
            raise InputError("a turn needs a class or, in radians, an angle", table.source, line)
        found[before, after] = kind or _class_of(float(angle or 0))
    if not found:
        raise InputError(f"no turn is one of {links.table.source}", table.source)
    return found


def _class_of(angle: float) -> str:
    """The class of a turn by its angle in radians; to the right is positive."""
    if abs(angle) > BACK_FROM:
        return "back"
    if abs(angle) <= TURN_BY:
        return "straight"
    return "left" if angle < 0 else "right"


def with_turns(case: Case) -> Case:
    """The same trips where turns cost too."""
    table, roads = case.streets, case.worlds[0]
    if table is None or not isinstance(roads, Network):
        raise UsageError("only streets have turns")
    pairs = _pairs(roads)
    turns = [f"{case.actions[before]}>{case.actions[after]}" for before, after in pairs]
    actions = (*case.actions, *distinct(turns, case.actions))
    number = {pair: action for action, pair in enumerate(pairs, start=len(case.actions))}
    tasks = []
    for task in case.tasks:
        arriving = np.flatnonzero(np.isin(roads.target, list(task.goal_states)))
        ends = frozenset((len(roads.states) + arriving).tolist())
        tasks.append(replace(task, goal_states=ends))
    seen = (replace(own, actions=_with_turns(own.actions, number)) for own in case.observations)
    world = _network(roads, case.actions, np.array(pairs, dtype=np.int64).reshape(-1, 2))
    return replace(
        case,
        actions=actions,
        worlds=(world,),
        tasks=tuple(tasks),
        observations=tuple(seen),
        costs=plain_model(actions),
        notes=tuple(note for note in case.notes if not note.endswith(LOOPS)),
        streets=replace(table, turns=_classes(table, pairs)),
    )


def _pairs(roads: Network) -> list[Pair]:
    """All links and next links that meet."""
    leaving: dict[int, list[int]] = defaultdict(list)
    for link, place in enumerate(roads.source.tolist()):
        leaving[place].append(link)
    ends = enumerate(roads.target.tolist())
    return [(before, after) for before, place in ends for after in leaving[place]]


def _network(roads: Network, links: Sequence[str], pairs: Ints) -> Network:
    """States are places (to start from), then ends of links, then beginnings of links."""
    places, count = len(roads.states), len(links)
    link, turn = np.arange(count), count + np.arange(len(pairs))
    ends, begins = places + link, places + count + link
    return Network(
        (*roads.states, *(f"end of {name}" for name in links), *(f"before {n}" for n in links)),
        np.concatenate((roads.source, begins, ends[pairs[:, 0]])),
        np.concatenate((ends, ends, begins[pairs[:, 1]])),
        np.concatenate((link, link, turn)),
    )


def _with_turns(links: Sequence[int], turns: Mapping[Pair, int]) -> tuple[int, ...]:
    found = list(links[:1])
    for pair in itertools.pairwise(links):
        found += (turns[pair], pair[1])
    return tuple(found)


def _classes(table: StreetTable, pairs: Iterable[Pair]) -> dict[Pair, str]:
    """The classes of all turns: as they are given, or else from where links run."""
    if table.turns or not table.shapes:
        usual = _OTHER if table.turns else ""
        return {pair: table.turns.get(pair, usual) for pair in pairs}
    width = width_of_x(np.array([point for shape in table.shapes for point in shape]))
    ways = [_directions(shape, width) for shape in table.shapes]
    found = {}
    for before, after in pairs:
        is_known = ways[before] and ways[after]
        angle = ways[before][-1] - ways[after][0] if is_known else 0.0
        found[before, after] = _class_of(math.remainder(angle, math.tau)) if is_known else _OTHER
    return found


def _directions(shape: Sequence[Point], width: float) -> list[float]:
    """The directions of the parts of a link, from the x axis to the left."""
    points = [point for point, _ in itertools.groupby(shape)]
    return [
        math.atan2(two[1] - one[1], width * (two[0] - one[0]))
        for one, two in itertools.pairwise(points)
    ]

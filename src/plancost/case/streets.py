"""Streets and trips become a case: places are states, links are actions, trips are plans.

Over places alone a turn from one link into the next has no cost. In the network of `with_turns` a
trip is link, turn, link, ...: place --a--> end of a --turn a>b--> before b --b--> end of b. It may
pass a place twice and be optimal, and it reaches its destination at the end of any link that leads
there.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from plancost.case.links import Links, Point, read_links, width_of_x
from plancost.case.model import (
    Case,
    Ints,
    Network,
    Observation,
    StreetTable,
    Task,
    plain_model,
)
from plancost.case.tables import (
    KNOWN,
    AnyTable,
    Table,
    check_total,
    known_of,
    read_table,
    rows_of,
)
from plancost.errors import InputError, UsageError
from plancost.values import at, check_on_invalid, decimal, distinct, first_of, shown

Pair = tuple[int, int]
"""The numbers of a link and of the next one."""
LOOPS = "trips visit a place twice: without costs of turns they can never be optimal"
"""The end of a note."""
_TURN_BY = 0.5236
"""Radians (30 degrees): less is straight on."""
_BACK_FROM = 3.1
_OTHER = "other"
"""The class of turns of which nothing is known where something is known of others."""
AnyTrips = Path | str | Iterable[Mapping[str, Any] | Iterable[Any]] | Any
"""A CSV file; its rows; or sequences of links, or of nodes of a graph."""


def street_case(
    links: AnyTable | Any,
    trips: AnyTrips,
    *,
    nodes: AnyTable | None = None,
    turns: AnyTable | None = None,
    on_invalid: str = "error",
) -> Case:
    """A case from links and trips on them.

    `links` are a CSV or GraphML file, mappings or a DataFrame with link, from, to, or a graph of
    networkx or OSMnx. `trips` are a CSV file, sequences of links (of a graph: of nodes, edges or
    names of links), or mappings or a DataFrame with links or nodes and perhaps trip, count, cost,
    suboptimality, group, time. Between two nodes the shortest of parallel links is meant. `nodes`
    (node, x, y) say where places are, `turns` (link, next, and class or angle) what a turn is.
    """
    check_on_invalid(on_invalid)
    network = read_links(links, nodes)
    classes = {} if turns is None else read_turns(turns, network)
    ends, observations, notes = _trips(trips, network, skip=on_invalid == "skip")
    names, places = tuple(network.number), tuple(network.places)
    tasks = [
        Task(f"{places[one]} -> {places[two]}", 0, frozenset({one}), goal_states=frozenset({two}))
        for one, two in ends
    ]
    source, target = np.array(network.starts), np.array(network.ends)
    world = Network(places, source, target, np.arange(len(names)))
    table, costs = replace(network.table, turns=classes), plain_model(names)
    return Case("streets", names, (world,), tuple(tasks), observations, costs, notes, streets=table)


def _trips(
    trips: AnyTrips, links: Links, *, skip: bool
) -> tuple[Iterable[tuple[int, int]], tuple[Observation, ...], tuple[str, ...]]:
    """The two places of each task, the trips, and notes; with `skip` without wrong trips."""
    table = _table(trips, links)
    task_of: dict[tuple[int, int], int] = {}
    found: dict[str, Observation] = {}
    wrong = []
    for line, row in table.rows:
        name = str(row.get("trip") or line)
        try:
            with at(table.source, line, f"trip {shown(name)}: "):
                if name in found:
                    raise InputError("another trip has this name")
                way, known = _way(row, links), known_of(row)
                check_total(known, len(way))
        except InputError as error:
            if not skip:
                raise
            wrong.append(str(error))
            continue
        task = task_of.setdefault((links.starts[way[0]], links.ends[way[-1]]), len(task_of))
        found[name] = Observation(name, task, way, **known)
    if not found:
        raise InputError(wrong[0])
    notes = [f"{len(wrong)} trips are left out: {first_of(wrong)}"] if wrong else []
    loops = 0
    for trip in found.values():
        places = {links.starts[trip.actions[0]], *(links.ends[link] for link in trip.actions)}
        loops += trip.count * (len(places) <= len(trip.actions))
    if loops:
        notes.append(f"{loops} of {sum(trip.count for trip in found.values())} {LOOPS}")
    return task_of, tuple(found.values()), tuple(notes)


def _way(row: Mapping[str, Any], links: Links) -> tuple[int, ...]:
    """The links of a trip, which must meet."""
    if row.get("links"):
        way = _numbers(row["links"], "link", links.number, links.edges, links)
    else:
        places = _numbers(row.get("nodes"), "place", links.places, links.nodes, links)
        way = [_between(*pair, links) for pair in itertools.pairwise(places)]
    if not way:
        raise InputError("it has no link")
    for before, after in itertools.pairwise(way):
        if links.ends[before] != links.starts[after]:
            names = list(links.number)
            one, other = shown(names[before]), shown(names[after])
            raise InputError(f"it jumps: link {one} does not end where link {other} starts")
    return tuple(way)


def _numbers(
    value: Any, what: str, known: Mapping[str, int], given: Mapping[Any, str], links: Links
) -> list[int]:
    """Of places or links by their names, or as they are in a graph."""
    found = []
    for item in _items(value, known):
        number = known.get(_found(item, given) or str(item))
        if number is None:
            raise InputError(f"there is no {what} {shown(item)} in {links.table.source}")
        found.append(number)
    return found


def _between(start: int, end: int, links: Links) -> int:
    """The link between two places."""
    found = links.between.get((start, end), [])
    if len(found) == 1:
        return found[0]
    names = list(links.places)
    ends = f"from {shown(names[start])} to {shown(names[end])}"
    if not found:
        raise InputError(f"there is no link {ends}")
    words = f"there are {len(found)} links {ends}: give their lengths, or the trip by its links"
    raise InputError(words)


def _items(value: Any, known: Collection[str]) -> Sequence[Any]:
    """What a text or a list names; in a text, semicolons separate names, or else blanks."""
    if isinstance(value, str):
        parts = value.split(";") if ";" in value or value in known else value.split()
        return [part.strip() for part in parts if part.strip()]
    items = value if isinstance(value, Iterable) else ()
    return [tuple(item) if isinstance(item, list) else item for item in items]


def _table(trips: AnyTrips, links: Links) -> Table:
    """Trips as a table; of sequences the columns are links and nodes."""
    if not isinstance(trips, Path | str):
        rows = [_row(trip, links) for trip in rows_of(trips)] or trips
        return read_table(rows, "trips", (), near=KNOWN)
    table = read_table(trips, "trips", ("trip",), near=KNOWN)
    if ("links" in table.columns) == ("nodes" in table.columns):
        words = "the first line must name a column links or a column nodes, and not both"
        raise InputError(words, trips, 1)
    return table


def _row(trip: Any, links: Links) -> Mapping[str, Any]:
    """A sequence as a mapping: it is of nodes if more of it are nodes of a graph than links."""
    if isinstance(trip, Mapping):
        return trip
    if isinstance(trip, str) or not isinstance(trip, Iterable):
        raise InputError(f"a trip must be a list of links, or a mapping, not {shown(trip)}")
    items = _items(trip, ())
    nodes = sum(_found(item, links.nodes) is not None for item in items)
    named = (_found(item, links.edges) or _found(item, links.number) for item in items)
    are_nodes = nodes > 0 and nodes >= sum(name is not None for name in named)
    return {"nodes" if are_nodes else "links": items}


def _found(item: Any, known: Mapping[Any, Any]) -> Any:
    """What is known of something, also if it has no hash."""
    try:
        return known.get(item)
    except TypeError:
        return None


# Turns


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
    """The class of a turn by its angle in radians, NaN if unknown; to the right is positive."""
    if math.isnan(angle):
        return _OTHER
    if abs(angle) > _BACK_FROM:
        return "back"
    if abs(angle) <= _TURN_BY:
        return "straight"
    return "left" if angle < 0 else "right"


def with_turns(case: Case) -> Case:
    """The same trips where turns cost too."""
    table, roads = case.streets, case.worlds[0]
    if table is None or not isinstance(roads, Network):
        raise UsageError("only streets have turns")
    leaving: dict[int, list[int]] = defaultdict(list)
    for link, place in enumerate(roads.source.tolist()):
        leaving[place].append(link)
    ends = enumerate(roads.target.tolist())
    pairs = [(before, after) for before, place in ends for after in leaving[place]]
    turns = [f"{case.actions[before]}>{case.actions[after]}" for before, after in pairs]
    actions = (*case.actions, *distinct(turns, case.actions))
    number = {pair: action for action, pair in enumerate(pairs, start=len(case.actions))}
    tasks = []
    for task in case.tasks:
        arriving = np.flatnonzero(np.isin(roads.target, list(task.goal_states)))
        goals = frozenset((len(roads.states) + arriving).tolist())
        tasks.append(replace(task, goal_states=goals))
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
    return {
        (before, after): _class_of(math.remainder(ways[before][1] - ways[after][0], math.tau))
        for before, after in pairs
    }


def _directions(shape: Sequence[Point], width: float) -> tuple[float, float]:
    """How a link begins and ends, from the x axis to the left; NaN if it is nowhere."""
    points = [point for point, _ in itertools.groupby(shape)]
    if len(points) < 2:
        return math.nan, math.nan
    steps = [(two[0] - one[0], two[1] - one[1]) for one, two in itertools.pairwise(points)]
    first, last = (math.atan2(y, width * x) for x, y in (steps[0], steps[-1]))
    return first, last

"""Trips on a network: sequences of links that meet, from a table or from a program."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from plancost.case.links import Links
from plancost.case.model import Observation, Task
from plancost.case.tables import known_of, read_table, text_of
from plancost.case.values import at, shown
from plancost.errors import InputError

AnyTrips = Path | str | Iterable[Mapping[str, Any] | Iterable[Any]]
"""A CSV file; or sequences of links (or of nodes of a graph), or mappings as the rows of one."""
LOOPS = "trips visit a place twice: without costs of turns they can never be optimal"
"""The end of a note."""
_MOST_NAMED = 10


def read_trips(
    trips: AnyTrips, links: Links, *, skip: bool
) -> tuple[tuple[Task, ...], tuple[Observation, ...], tuple[str, ...]]:
    """The trips, a task for each two places between which there are some, and notes.

    With `skip` trips that are wrong are left out, and a note says so.
    """
    source = str(trips) if isinstance(trips, Path | str) else "trips"
    task_of: dict[tuple[int, int], int] = {}
    found: dict[str, Observation] = {}
    wrong = []
    for line, row in _rows(trips, links):
        name = text_of(row.get("trip")) or str(line)
        try:
            with at(source, line, f"trip {shown(name)}: "):
                if name in found:
                    raise InputError("another trip has this name")
                way, known = _way(row, links), known_of(row, least_cost=1)
        except InputError as error:
            if not skip:
                raise
            wrong.append(str(error))
            continue
        task = task_of.setdefault((links.starts[way[0]], links.ends[way[-1]]), len(task_of))
        found[name] = Observation(name, task, way, **known)
    if not found:
        raise InputError(wrong[0] if wrong else f"{source}: there are no trips")
    notes = [f"{len(wrong)} trips are left out: {'; '.join(wrong[:_MOST_NAMED])}"] if wrong else []
    loops = sum(_visits_twice(trip.actions, links) for trip in found.values())
    if loops:
        notes.append(f"{loops} of {len(found)} {LOOPS}")
    return _tasks(task_of, links), tuple(found.values()), tuple(notes)


def _tasks(ways: Iterable[tuple[int, int]], links: Links) -> tuple[Task, ...]:
    names = list(links.places)
    return tuple(
        Task(f"{names[start]} -> {names[end]}", 0, frozenset({start}), goal_states=frozenset({end}))
        for start, end in ways
    )


def _visits_twice(way: Sequence[int], links: Links) -> bool:
    places = {links.starts[way[0]], *(links.ends[link] for link in way)}
    return len(places) <= len(way)


def _way(row: Mapping[str, Any], links: Links) -> tuple[int, ...]:
    """The links of a trip, which must meet."""
    if row.get("links") is None:
        places = [_place(item, links) for item in _items(row.get("nodes"), links.places)]
        way = tuple(_between(*pair, links) for pair in itertools.pairwise(places))
    else:
        way = tuple(_link(item, links) for item in _items(row["links"], links.number))
    if not way:
        raise InputError("it has no link")
    for before, after in itertools.pairwise(way):
        if links.ends[before] != links.starts[after]:
            names = list(links.number)
            one, other = shown(names[before]), shown(names[after])
            raise InputError(f"it jumps: link {one} does not end where link {other} starts")
    return way


def _link(item: Any, links: Links) -> int:
    number = links.number.get(links.edges.get(item, str(item)))
    if number is None:
        raise InputError(f"there is no link {shown(item)} in {links.source}")
    return number


def _place(item: Any, links: Links) -> int:
    number = links.places.get(links.nodes.get(item, str(item)))
    if number is None:
        raise InputError(f"no link of {links.source} begins or ends at {shown(item)}")
    return number


def _between(start: int, end: int, links: Links) -> int:
    found = links.between.get((start, end), [])
    if len(found) != 1:
        names = list(links.places)
        raise InputError(
            f"there must be one link from {shown(names[start])} to {shown(names[end])}, not "
            f"{len(found)}; where links are parallel, give the trip by its links"
        )
    return found[0]


def _items(value: Any, known: Collection[str]) -> Sequence[Any]:
    """What a text or a list names; in a text, semicolons separate names, or else blanks."""
    if isinstance(value, str):
        parts = value.split(";") if ";" in value or value in known else value.split()
        return [part.strip() for part in parts if part.strip()]
    items = value if isinstance(value, Iterable) else ()
    return [tuple(item) if isinstance(item, list) else item for item in items]


def _rows(trips: AnyTrips, links: Links) -> Iterator[tuple[int, Mapping[str, Any]]]:
    if isinstance(trips, Path | str):
        table = read_table(trips, "trips", ("trip",))
        if ("links" in table.columns) == ("nodes" in table.columns):
            message = "the first line must name one of the columns links and nodes"
            raise InputError(message, trips, 1)
        yield from table.rows
        return
    if not isinstance(trips, Iterable):
        raise InputError(f"trips must be a file or a list of trips, not {shown(trips)}")
    for line, trip in enumerate(trips, start=1):
        if isinstance(trip, Mapping):
            yield line, trip
        elif isinstance(trip, Iterable) and not isinstance(trip, str):
            items = _items(trip, links.number)
            are_nodes = bool(links.nodes) and all(item in links.nodes for item in items)
            yield line, {"nodes" if are_nodes else "links": items}
        else:
            raise InputError(f"a trip must be a list of links, or a mapping, not {shown(trip)}")

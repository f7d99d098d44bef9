"""Streets and trips become a case: places are states, links are actions, trips are plans."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from plancost.case.links import Links, read_links
from plancost.case.model import Case, Network, Observation, Task, plain_model
from plancost.case.tables import (
    AnyTable,
    check_spelling,
    check_total,
    known_of,
    read_table,
    rows_of,
    text_of,
)
from plancost.case.turns import LOOPS, read_turns
from plancost.errors import InputError
from plancost.values import at, check_on_invalid, first_of, shown

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
        raise InputError(wrong[0] if wrong else f"{source}: there are no trips")
    notes = [f"{len(wrong)} trips are left out: {first_of(wrong)}"] if wrong else []
    loops = sum(trip.count for trip in found.values() if _visits_twice(trip.actions, links))
    if loops:
        notes.append(f"{loops} of {sum(trip.count for trip in found.values())} {LOOPS}")
    return task_of, tuple(found.values()), tuple(notes)


def _visits_twice(way: Sequence[int], links: Links) -> bool:
    places = {links.starts[way[0]], *(links.ends[link] for link in way)}
    return len(places) <= len(way)


def _way(row: Mapping[str, Any], links: Links) -> tuple[int, ...]:
    """The links of a trip, which must meet."""
    if row.get("links") is not None:
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
    """The link between two places; of parallel ones the shortest."""
    found = links.between.get((start, end), [])
    if found and links.lengths:
        return min(found, key=links.lengths.__getitem__)
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


def _rows(trips: AnyTrips, links: Links) -> Iterator[tuple[int, Mapping[str, Any]]]:
    if isinstance(trips, Path | str):
        table = read_table(trips, "trips", ("trip",))
        with at(trips, 1):
            check_spelling(table.columns)
            if ("links" in table.columns) == ("nodes" in table.columns):
                raise InputError(
                    "the first line must name a column links or a column nodes, and not both"
                )
        yield from table.rows
        return
    trips = rows_of(trips)
    for line, trip in enumerate(trips if isinstance(trips, Iterable) else [trips], start=1):
        if isinstance(trip, Mapping):
            with at("trips", line):
                check_spelling(tuple(map(str, trip)))
            yield line, trip
        elif isinstance(trip, Iterable) and not isinstance(trip, str):
            items = _items(trip, links.number)
            yield line, {"nodes" if _are_nodes(items, links) else "links": items}
        else:
            raise InputError(f"a trip must be a list of links, or a mapping, not {shown(trip)}")


def _are_nodes(items: Sequence[Any], links: Links) -> bool:
    """Whether more of these are nodes of a graph than links."""
    nodes = sum(_found(item, links.nodes) is not None for item in items)
    named = (_found(item, links.edges) or _found(item, links.number) for item in items)
    return nodes > 0 and nodes >= sum(name is not None for name in named)


def _found(item: Any, known: Mapping[Any, Any]) -> Any:
    """What is known of something, also if it has no hash."""
    try:
        return known.get(item)
    except TypeError:
        return None

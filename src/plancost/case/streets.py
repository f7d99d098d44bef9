"""Streets and trips become a case: places are states, links are actions, trips are plans."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from plancost.case.cost_models import plain_model
from plancost.case.graphs import links_in_graph, links_in_graphml
from plancost.case.links import Links, Point, Table, links_of, read_nodes, read_rows
from plancost.case.model import Case, Network, Observation, StreetTable, Task
from plancost.case.trips import Trip, Trips, read_trips
from plancost.case.turns import loops_note, read_turns
from plancost.errors import InputError, UsageError

_GRAPHML = (".graphml", ".xml")


def read_streets(
    path: Path | str,
    *,
    links: Path | str | None = None,
    on_invalid: str = "error",
    allow_outside: bool = False,
) -> Case:
    """A folder with links.csv and trips.csv (and perhaps nodes.csv and turns.csv), or a table of
    trips and `links`, a CSV or GraphML file, with nodes.csv and turns.csv beside it.

    Links of the file system that lead out of the folder are refused unless `allow_outside`.
    """
    path = Path(path)
    is_folder = path.is_dir()
    trips = path / "trips.csv" if is_folder else path
    network = path / "links.csv" if links is None and is_folder else links
    if network is None:
        raise UsageError(f"{path}: say which links these trips are on (links)")
    network = Path(network)
    others = [network.parent / "nodes.csv", network.parent / "turns.csv"]
    nodes, turns = (other if other.exists() or other.is_symlink() else None for other in others)
    for file in (trips, network, nodes, turns):
        if is_folder and file is not None and not allow_outside:
            _check_inside(file, network.parent if file in (network, nodes, turns) else path)
    case = street_case(network, trips, nodes=nodes, turns=turns, on_invalid=on_invalid)
    return replace(case, name=path.resolve().name if is_folder else path.stem)


def street_case(
    links: Table | Any,
    trips: Trips,
    *,
    nodes: Table | None = None,
    turns: Table | None = None,
    on_invalid: str = "error",
) -> Case:
    """A case from links and trips on them.

    `links` are a CSV or GraphML file, mappings with link, from, to, or a graph of networkx. `trips`
    are a CSV file, sequences of links (of a graph: of nodes, edges or names of links), or mappings
    with links or nodes and perhaps trip, count, cost, suboptimality, group, time. `nodes` (node, x,
    y) say where places are, `turns` (link, next, and class or angle) what a turn is.
    """
    if on_invalid not in ("error", "skip"):
        raise UsageError(f"on_invalid must be error or skip, not {on_invalid!r}")
    points = {} if nodes is None else read_nodes(nodes)
    network = _links(links, points)
    classes, turn_notes = ({}, ()) if turns is None else read_turns(turns, network)
    found, trip_notes = read_trips(trips, network, skip=on_invalid == "skip")
    tasks, observations = _tasks(found, network)
    case = Case(
        "streets",
        network.names,
        (_world(network),),
        tasks,
        observations,
        plain_model(network.names),
        (*_unknown_nodes(points, network), *turn_notes, *trip_notes),
        streets=StreetTable(network.columns, network.rows, network.shapes, classes),
    )
    note = loops_note(case)
    return case if note is None else replace(case, notes=(*case.notes, note))


def _links(links: Any, points: Mapping[str, Point]) -> Links:
    if hasattr(links, "edges") and hasattr(links, "nodes"):
        return links_in_graph(links, points)
    if isinstance(links, Path | str) and Path(links).suffix.lower() in _GRAPHML:
        return links_in_graphml(Path(links), points)
    source, rows = read_rows(links, "links", ("link", "from", "to"))
    return links_of(rows, source, points)


def _world(network: Links) -> Network:
    return Network(
        network.places,
        np.array(network.starts, dtype=np.int64),
        np.array(network.ends, dtype=np.int64),
        np.arange(len(network.names), dtype=np.int64),
    )


def _tasks(
    trips: Iterable[Trip], network: Links
) -> tuple[tuple[Task, ...], tuple[Observation, ...]]:
    """A task for each two places between which there are trips."""
    number: dict[tuple[int, int], int] = {}
    observations = []
    for trip in trips:
        way = network.starts[trip.links[0]], network.ends[trip.links[-1]]
        task = number.setdefault(way, len(number))
        known = (trip.count, trip.total, trip.factor, trip.group, trip.time)
        observations.append(Observation(trip.name, task, trip.links, *known))
    places = network.places
    tasks = (
        Task(
            f"{places[start]} -> {places[end]}", 0, frozenset({start}), goal_states=frozenset({end})
        )
        for start, end in number
    )
    return tuple(tasks), tuple(observations)


def _unknown_nodes(points: Mapping[str, Point], network: Links) -> tuple[str, ...]:
    unknown = [place for place in points if place not in network.place_number]
    if not unknown:
        return ()
    return (f"{len(unknown)} nodes with coordinates are at no link, such as {unknown[0]}",)


def _check_inside(file: Path, folder: Path) -> None:
    if not file.resolve().is_relative_to(folder.resolve()):
        raise InputError(f"this leads out of {folder} (--allow-outside allows that)", file)

"""Streets and trips become a case: places are states, links are actions, trips are plans."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from plancost.case.case_files import check_inside, folders_of
from plancost.case.cost_models import plain_model
from plancost.case.graphs import links_in_graph, links_in_graphml
from plancost.case.links import Links, links_of, read_nodes
from plancost.case.model import Case, Network
from plancost.case.tables import AnyTable, read_table
from plancost.case.trips import AnyTrips, read_trips
from plancost.case.turns import read_turns
from plancost.errors import UsageError

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
    if links is None and not is_folder:
        raise UsageError(f"{path}: say which links these trips are on (links)")
    network = path / "links.csv" if links is None else Path(links)
    others = [network.parent / "nodes.csv", network.parent / "turns.csv"]
    nodes, turns = (other if os.path.lexists(other) else None for other in others)
    if is_folder:
        allowed = folders_of(path, network, allow_outside=allow_outside)
        for file in (trips, network, nodes, turns):
            if file is not None:
                check_inside(file, allowed)
    case = street_case(network, trips, nodes=nodes, turns=turns, on_invalid=on_invalid)
    return replace(case, name=path.resolve().name if is_folder else path.stem)


def street_case(
    links: AnyTable | Any,
    trips: AnyTrips,
    *,
    nodes: AnyTable | None = None,
    turns: AnyTable | None = None,
    on_invalid: str = "error",
) -> Case:
    """A case from links and trips on them.

    `links` are a CSV or GraphML file, mappings with link, from, to, or a graph of networkx. `trips`
    are a CSV file, sequences of links (of a graph: of nodes, edges or names of links), or mappings
    with links or nodes and perhaps trip, count, cost, suboptimality, group, time. `nodes` (node, x,
    y) say where places are, `turns` (link, next, and class or angle) what a turn is.
    """
    if on_invalid not in ("error", "skip"):
        raise UsageError(f"on_invalid must be 'error' or 'skip', not {on_invalid!r}")
    network = _links(links, nodes)
    classes = {} if turns is None else read_turns(turns, network)
    tasks, observations, notes = read_trips(trips, network, skip=on_invalid == "skip")
    names = tuple(network.number)
    world = Network(
        tuple(network.places),
        np.array(network.starts),
        np.array(network.ends),
        np.arange(len(names)),
    )
    return Case(
        "streets",
        names,
        (world,),
        tasks,
        observations,
        plain_model(names),
        notes,
        streets=replace(network.table, turns=classes),
    )


def _links(links: Any, nodes: AnyTable | None) -> Links:
    points = {} if nodes is None else read_nodes(nodes)
    if hasattr(links, "edges") and hasattr(links, "nodes"):
        return links_in_graph(links, points)
    if isinstance(links, Path | str) and Path(links).suffix.lower() in _GRAPHML:
        return links_in_graphml(Path(links), points)
    return links_of(read_table(links, "links", ("link", "from", "to")), points)

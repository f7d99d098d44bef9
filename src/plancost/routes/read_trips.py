"""Trips from CSV files: ``trip,links`` or ``trip,nodes``, and optionally ``count,group,time``.

Links (or nodes) of a trip are separated by blanks; by semicolons if names in the network have
blanks in them. Between two nodes with several links the first of the network is taken.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from plancost.errors import InputError
from plancost.observations.files import MOST_COUNT, checked_count
from plancost.routes.csv_files import Row, Table, read_table, separated, separator_of
from plancost.routes.invalid import Invalid
from plancost.routes.network import Network, Trip, check_links
from plancost.system.values import PathLike, as_path

_LINKS, _NODES = "links", "nodes"


def read_trips(
    path: PathLike, network: Network, *, invalid: Invalid | None = None
) -> tuple[Trip, ...]:
    """Read trips on a network.

    Args:
        path: A CSV file.
        network: The network that they are on.
        invalid: Where to list what does not fit; None: it is an error.

    Returns:
        The trips, in the order of the file.

    Raises:
        InputError: The file cannot be read, or something in it does not fit.
    """
    path, invalid = as_path(path, "path"), invalid or Invalid()
    before = len(invalid.notes)
    table = read_table(path, "these trips", ("trip",), invalid)
    kind = _kind(table, path)
    names = network.by_name if kind == _LINKS else network.place_names
    reading = _Reading(path, network, kind, separator_of(names))
    found = []
    for line, row in table.rows:
        with invalid.listed():
            found.append(reading.trip(row, line))
    invalid.require(found, "trips", path, before)
    return tuple(found)


@dataclass
class _Reading:
    """How rows become trips, and which names are taken."""

    path: Path
    network: Network
    kind: str
    separator: str | None
    line_of: dict[str, int] = field(default_factory=dict)

    def trip(self, row: Row, line: int) -> Trip:
        """The trip of a row."""
        name, place = row["trip"], (self.path, line)
        if name in self.line_of:
            text = f"the trip {name} is listed in line {self.line_of[name]} already"
            raise InputError(text, *place)
        links = separated(row[self.kind], self.separator)
        if self.kind == _NODES:
            links = _links_between(self.network, name, links, place)
        check_links(self.network, name, links, place)
        count = _count(row, *place)
        self.line_of[name] = line
        group, time = row.get("group") or None, row.get("time") or None
        return Trip(name, tuple(links), count, group, time, line)


def _kind(table: Table, path: Path) -> str:
    given = [column for column in (_LINKS, _NODES) if column in table.columns]
    if len(given) != 1:
        found = "has both" if given else "has neither"
        raise InputError(
            f"the first line must name the columns trip,links or trip,nodes, and {found} "
            "links and nodes",
            path,
            1,
        )
    return given[0]


def _count(row: Row, path: Path, line: int) -> int:
    text = row.get("count") or "1"
    short = text.isdecimal() and len(text) <= len(str(MOST_COUNT))
    return checked_count(int(text) if short else text, path, line)


def _links_between(
    network: Network, name: str, nodes: Sequence[str], place: tuple[Path, int]
) -> list[str]:
    """The links of a trip that is given by its places."""
    if len(nodes) == 1:
        raise InputError(f"trip {name} has only one node", *place)
    found = []
    known = set(network.place_names)
    for start, end in itertools.pairwise(nodes):
        links = network.by_ends.get((start, end), ())
        if not links:
            unknown = next((node for node in (start, end) if node not in known), None)
            if unknown is not None:
                text = f"trip {name} passes {unknown}, which is not a node of {network.source}"
            elif (end, start) in network.by_ends:
                text = (
                    f"trip {name} goes from {start} to {end}, where there is only a one-way link "
                    f"from {end} to {start}"
                )
            else:
                text = f"trip {name} goes from {start} to {end}, between which there is no link"
            raise InputError(text, *place)
        found.append(links[0].name)
    return found

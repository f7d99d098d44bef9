"""Trips on a network: sequences of links that meet, from a table or from a program."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, NoReturn

from plancost.case.links import Links, text_of
from plancost.case.tables import read_table
from plancost.case.values import LARGEST_COUNT, LARGEST_GIVEN, ratio, shown, whole_text
from plancost.errors import InputError

Trips = Path | str | Iterable[Mapping[str, Any] | Iterable[Hashable]]
"""A CSV file; or sequences of links (or of nodes of a graph), or mappings as the rows of one."""

_MOST_NAMED = 10


@dataclass(frozen=True)
class Trip:
    """Links that were driven one after the other, and what is known of it besides."""

    name: str
    links: tuple[int, ...]
    count: int
    total: int | None
    factor: Fraction | None
    group: str | None
    time: str | None


def read_trips(trips: Trips, links: Links, *, skip: bool) -> tuple[list[Trip], tuple[str, ...]]:
    """The trips, and notes on those that were left out because they are wrong (`skip`)."""
    source, rows = _rows(trips, links)
    reading = _Reading(source, links)
    found: list[Trip] = []
    wrong: list[str] = []
    for line, row in rows:
        try:
            found.append(reading.trip(row, line))
        except InputError as error:
            if not skip:
                raise
            wrong.append(str(error))
    if not found:
        raise InputError(wrong[0] if wrong else f"{source}: there are no trips")
    if not wrong:
        return found, ()
    more = f"; and {len(wrong) - _MOST_NAMED} more" if len(wrong) > _MOST_NAMED else ""
    return found, (f"{len(wrong)} trips are left out: {'; '.join(wrong[:_MOST_NAMED])}{more}",)


class _Reading:
    """What makes trips of rows, and remembers which names are taken."""

    def __init__(self, source: str, links: Links) -> None:
        self._source = source
        self._links = links
        self._lines: dict[str, int] = {}

    def trip(self, row: Mapping[str, Any], line: int) -> Trip:
        """The trip of a row."""
        name = text_of(row.get("trip")) or str(line)
        try:
            if name in self._lines:
                _wrong(f"is listed in line {self._lines[name]} already")
            way = self._way(row)
            found = Trip(
                name,
                way,
                _number(row, "count", LARGEST_COUNT) or 1,
                _number(row, "cost", LARGEST_GIVEN),
                ratio(factor, "has a suboptimality which")
                if text_of(factor := row.get("suboptimality"))
                else None,
                text_of(row.get("group")) or None,
                text_of(row.get("time")) or None,
            )
        except InputError as error:
            raise InputError(f"trip {shown(name)} {error}", self._source, line) from None
        self._lines[name] = line
        return found

    def _way(self, row: Mapping[str, Any]) -> tuple[int, ...]:
        links = self._links
        if row.get("links") is None:
            places = _items(row.get("nodes"), links.place_separator)
            way = self._between([self._place(item) for item in places])
        else:
            way = [self._link(item) for item in _items(row["links"], links.separator)]
        if not way:
            _wrong("is empty")
        for before, after in itertools.pairwise(way):
            if links.ends[before] != links.starts[after]:
                end, start = links.places[links.ends[before]], links.places[links.starts[after]]
                _wrong(
                    f"jumps: link {shown(links.names[before])} ends in {shown(end)}, and the next "
                    f"link {shown(links.names[after])} starts in {shown(start)}"
                )
        return tuple(way)

    def _link(self, item: Hashable) -> int:
        edge = item if isinstance(item, tuple) else None
        number = self._links.edges.get(edge, self._links.number.get(str(item)))
        if number is None:
            _wrong(f"uses the link {shown(item)}, which is not one of {self._links.source}")
        return number

    def _place(self, item: Hashable) -> int:
        number = self._links.place_number.get(self._links.nodes.get(item, str(item)))
        if number is None:
            _wrong(f"visits {shown(item)}, which is at no link of {self._links.source}")
        return number

    def _between(self, places: Sequence[int]) -> list[int]:
        """The links of a trip that is given by its places."""
        if len(places) == 1:
            _wrong("has one node only")
        way = []
        for ends in itertools.pairwise(places):
            links = self._links.between.get(ends, ())
            start, end = (shown(self._links.places[place]) for place in ends)
            if not links:
                _wrong(f"goes from {start} to {end}, where there is no link")
            if len(links) > 1:
                names = ", ".join(shown(self._links.names[link]) for link in links)
                _wrong(
                    f"goes from {start} to {end}, where there are several links ({names}): "
                    "give the trip by its links"
                )
            way.append(links[0])
        return way


def _items(value: object, separator: str | None) -> Sequence[Hashable]:
    """What a text or a list names; None: blanks or semicolons separate names."""
    if not isinstance(value, str):
        return list(value) if isinstance(value, Iterable) else []
    text = value.replace(";", " ") if separator is None else value
    parts = text.split(";" if separator == ";" else None)
    return [name for part in parts if (name := part.strip())]


def _wrong(why: str) -> NoReturn:
    raise InputError(why)


def _number(row: Mapping[str, Any], column: str, most: int) -> int | None:
    if not text_of(row.get(column)):
        return None
    return whole_text(row[column], f"has a {column} which", least=1, most=most)


def _rows(trips: Trips, links: Links) -> tuple[str, Iterable[tuple[int, Mapping[str, Any]]]]:
    if isinstance(trips, Path | str):
        rows = read_table(Path(trips), ("trip",))
        if ("links" in rows[0]) == ("nodes" in rows[0]):
            message = "the first line must name one of the columns links and nodes"
            raise InputError(message, trips, 1)
        return str(trips), ((row.line, row) for row in rows)
    if not isinstance(trips, Iterable):
        raise InputError(f"trips must be a file or a list of trips, not {shown(trips)}")
    return "trips", ((line, _row(trip, links)) for line, trip in enumerate(trips, start=1))


def _row(trip: object, links: Links) -> Mapping[str, Any]:
    if isinstance(trip, Mapping):
        return trip
    if isinstance(trip, str) or not isinstance(trip, Iterable):
        raise InputError(f"a trip must be a list of links, or a mapping, not {shown(trip)}")
    items = [tuple(item) if isinstance(item, list) else item for item in trip]
    are_nodes = bool(links.nodes) and all(item in links.nodes for item in items)
    return {"nodes" if are_nodes else "links": items}

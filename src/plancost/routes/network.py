"""A street network, trips on it, and what both are made of.

A *link* is a street in one direction between two *places*. A *trip* is a sequence of links, each
of which begins where the one before it ends. Names are as in the files that they came from.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path

from plancost.errors import InputError

Point = tuple[float, float]


@dataclass(frozen=True)
class Link:
    """A street in one direction."""

    name: str
    start: str
    end: str
    numbers: Mapping[str, Fraction] = field(default_factory=dict)
    """What is known of it, by column: minutes, metres. Exactly as written."""
    shape: tuple[Point, ...] = ()
    """Where it runs; the first point is at its start. Empty where unknown."""
    line: int = 0
    """Of the file that it is in; 0 if there is none."""
    street: str = ""
    """What people call it, if that is known; many links may be one street."""

    @property
    def is_loop(self) -> bool:
        """Whether it ends where it starts: no cheapest route uses it."""
        return self.start == self.end


@dataclass(frozen=True)
class Network:
    """Links, and where the places between them are, as far as that is known."""

    links: tuple[Link, ...]
    places: Mapping[str, Point] = field(default_factory=dict)
    """Coordinates of places (x, y); not all need to be there."""
    source: str = "the network"
    """What messages call it: the name of its file."""

    def __post_init__(self) -> None:
        seen: dict[str, Link] = {}
        for link in self.links:
            if link.name in seen:
                raise InputError(f"{self.source}: the link {link.name} is listed twice")
            seen[link.name] = link

    def __repr__(self) -> str:
        """In short: how much of what there is."""
        return f"<Network {self.source}: {len(self.links)} links>"

    @cached_property
    def by_name(self) -> Mapping[str, Link]:
        """The links by their names."""
        return {link.name: link for link in self.links}

    @cached_property
    def by_ends(self) -> Mapping[tuple[str, str], tuple[Link, ...]]:
        """The links from one place to another; parallel ones in the order of the file."""
        found: dict[tuple[str, str], list[Link]] = {}
        for link in self.links:
            found.setdefault((link.start, link.end), []).append(link)
        return {ends: tuple(links) for ends, links in found.items()}

    @cached_property
    def leaving(self) -> Mapping[str, tuple[Link, ...]]:
        """The links that start at a place, in the order of the file."""
        found: dict[str, list[Link]] = {}
        for link in self.links:
            found.setdefault(link.start, []).append(link)
        return {place: tuple(links) for place, links in found.items()}

    @cached_property
    def entering(self) -> Mapping[str, tuple[Link, ...]]:
        """The links that end at a place, in the order of the file."""
        found: dict[str, list[Link]] = {}
        for link in self.links:
            found.setdefault(link.end, []).append(link)
        return {place: tuple(links) for place, links in found.items()}

    @cached_property
    def place_names(self) -> tuple[str, ...]:
        """Every place that a link touches, in the order in which links name them."""
        ends = (place for link in self.links for place in (link.start, link.end))
        return tuple(dict.fromkeys(ends))

    @cached_property
    def place_number(self) -> Mapping[str, int]:
        """The position of each place in `place_names`."""
        return {name: number for number, name in enumerate(self.place_names)}

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The numbers that every link has, in the order of the file."""
        if not self.links:
            return ()
        common = set(self.links[0].numbers)
        for link in self.links:
            common &= link.numbers.keys()
        return tuple(column for column in self.links[0].numbers if column in common)

    def points(self, link: Link) -> tuple[Point, ...]:
        """Where a link runs: its shape, or else straight between its ends, or ()."""
        if link.shape:
            return link.shape
        if link.start in self.places and link.end in self.places:
            return (self.places[link.start], self.places[link.end])
        return ()

    def visited(self, links: Sequence[str]) -> tuple[str, ...]:
        """The places that a route passes, from its start to its end."""
        known = [self.by_name[name] for name in links]
        return (known[0].start, *(link.end for link in known)) if known else ()

    def gap(self, links: Sequence[str]) -> tuple[Link, Link] | None:
        """The first two links of a route that do not meet; None if all do."""
        known = (self.by_name[name] for name in links)
        return next(((a, b) for a, b in itertools.pairwise(known) if a.end != b.start), None)


@dataclass(frozen=True)
class Trip:
    """A route that was driven: from the start of its first link to the end of its last."""

    name: str
    links: tuple[str, ...]
    count: int = 1
    """How often it was driven."""
    group: str | None = None
    time: str | None = None
    line: int = 0
    """Of the file that it is in; 0 if there is none."""


def ends(network: Network, trip: Trip) -> tuple[str, str]:
    """The places between which a trip goes."""
    return network.by_name[trip.links[0]].start, network.by_name[trip.links[-1]].end


def driven(trips: Iterable[Trip]) -> dict[str, int]:
    """How often each link was driven, with the counts of trips."""
    found: dict[str, int] = {}
    for trip in trips:
        for name in trip.links:
            found[name] = found.get(name, 0) + trip.count
    return found


def check_links(
    network: Network, name: str, links: Sequence[str], place: tuple[Path, int] | tuple[()] = ()
) -> None:
    """An `InputError` unless a trip is made of links of the network that meet.

    `place` is the file and the line of the trip, if there are any.
    """
    if not links:
        raise InputError(f"trip {name} is empty", *place)
    unknown = next((link for link in links if link not in network.by_name), None)
    if unknown is not None:
        raise InputError(
            f"trip {name} uses the link {unknown}, which is not in {network.source}", *place
        )
    gap = network.gap(links)
    if gap is not None:
        raise InputError(f"trip {name} {_gap(*gap)}", *place)


def _gap(before: Link, after: Link) -> str:
    if before.name == after.name:
        return f"drives link {after.name} twice in a row; leave one of them out"
    if before.end == after.end and not after.is_loop:
        return (
            f"drives link {after.name} the wrong way: it leads from {after.start} to {after.end}, "
            f"and link {before.name} before it ends in {before.end}"
        )
    return (
        f"has a gap: link {before.name} ends in {before.end}, and link {after.name} after it "
        f"starts in {after.start}"
    )

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
from plancost.observations.files import checked_count
from plancost.routes.numbers import exact
from plancost.system.values import shown, whole_number

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

    def __post_init__(self) -> None:
        for text in (self.name, self.start, self.end):
            if not isinstance(text, str) or not text:
                raise InputError(f"a link and its ends must have names, not {shown(text)}")
        object.__setattr__(self, "numbers", _exact(self.numbers, self.name))

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
        object.__setattr__(self, "links", _links(self.links))
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

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise InputError(f"the name of a trip must be a text, not {shown(self.name)}")
        object.__setattr__(self, "links", _names(self.links, self.name))
        object.__setattr__(self, "count", _count(self.count, self.name))


def _count(count: object, trip: str) -> int:
    """How often a trip was driven, if that is such a number."""
    number = whole_number(count)
    try:
        return checked_count(count if number is None else number, None)
    except InputError as error:
        raise InputError(f"trip {trip}: {error}") from None


def _exact(numbers: object, name: str) -> Mapping[str, Fraction]:
    """The numbers of a link, exactly."""
    if not isinstance(numbers, Mapping):
        raise InputError(
            f"the numbers of link {name} must be a mapping such as {{'minutes': 1.5}}, not "
            f"{shown(numbers)}"
        )
    found: dict[str, Fraction] = {}
    for column, value in numbers.items():
        number = value if isinstance(value, Fraction) else exact(value)
        if number is None:
            raise InputError(f"the {column} of link {name} must be a number, not {shown(value)}")
        found[column] = number
    return found


def _links(links: object) -> tuple[Link, ...]:
    """The links of a network."""
    found = tuple(links) if isinstance(links, Iterable) else (links,)
    wrong = [link for link in found if not isinstance(link, Link)]
    if wrong:
        raise InputError(f"a network is made of several Link, not {shown(wrong[0])}")
    return found


def _names(links: object, trip: str) -> tuple[str, ...]:
    """The names of the links of a trip."""
    found = tuple(links) if isinstance(links, Iterable) and not isinstance(links, str) else (None,)
    if not all(isinstance(name, str) for name in found):
        raise InputError(
            f"the links of trip {trip} must be several names, such as ('1', '2'), not "
            f"{shown(links)}"
        )
    return found


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

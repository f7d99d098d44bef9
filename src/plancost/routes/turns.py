"""Turns: from one link into the next, by class.

A turn is left, right or a U-turn by its angle (in radians, to the right is positive), and
everything else is straight on. All turns of a class have one cost. Going straight on has one too:
costs are at least 1, and if all classes cost the same, turns do not matter. A turn may be
forbidden. Where angles are not given, they come from the coordinates of the links.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from plancost.errors import InputError
from plancost.routes.csv_files import Row, read_table
from plancost.routes.invalid import Invalid
from plancost.routes.loops import loopless
from plancost.routes.network import Link, Network, Point, Trip
from plancost.routes.numbers import number_in
from plancost.system.values import PathLike, as_path

Turn = tuple[str, str]
"""A link and the next."""

LEFT_BELOW = -0.5236
RIGHT_ABOVE = 0.5236
STRAIGHT = "straight"
U_TURN_BEYOND = 3.1
PREFIX = "turn:"
"""In front of the name of a class where it stands beside names of links."""
_TRUE = frozenset({"1", "true", "yes", "x"})
_FALSE = frozenset({"", "0", "false", "no"})
FROM_COORDINATES = "coordinates"


@dataclass(frozen=True)
class Turns:
    """What is known of turns."""

    classes: Mapping[Turn, str]
    """The class of each turn that costs something; the others cost nothing."""
    forbidden: frozenset[Turn] = frozenset()
    given: Mapping[str, Fraction] = field(default_factory=dict)
    """What a turn of a class is said to cost, in the unit of the initial costs."""
    source: str = FROM_COORDINATES
    notes: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The classes, as costs are named after them."""
        return tuple(sorted({PREFIX + name for name in self.classes.values()}))

    def action(self, before: str, after: str) -> str | None:
        """What a turn is called beside links; None: it costs nothing."""
        found = self.classes.get((before, after))
        return None if found is None else PREFIX + found

    def in_trip(self, links: Sequence[str]) -> list[str | None]:
        """The turns of a route, each before the link that it leads into."""
        if not links:
            return []
        return [None, *(self.action(*turn) for turn in itertools.pairwise(links))]

    def allow(self, links: Sequence[str]) -> bool:
        """Whether a route has no forbidden turn."""
        return self.forbidden.isdisjoint(itertools.pairwise(links))


def class_of(angle: float) -> str:
    """The class of an angle in radians."""
    if abs(angle) > U_TURN_BEYOND:
        return "u-turn"
    if angle < LEFT_BELOW:
        return "left"
    return "right" if angle > RIGHT_ABOVE else STRAIGHT


def _with_straight(network: Network, classes: Mapping[Turn, str]) -> dict[Turn, str]:
    """The classes of all turns of a network: those that nothing is known of are straight."""
    links = [link for link in network.links if not link.is_loop]
    return {
        turn: classes.get(turn, STRAIGHT)
        for link in links
        for after in network.leaving.get(link.end, ())
        if not after.is_loop and (turn := (link.name, after.name))
    }


def read_turns(path: PathLike, network: Network, *, invalid: Invalid | None = None) -> Turns:
    """Read a table with the columns ``link,next`` and ``angle`` or ``class`` or ``cost``.

    ``class`` is a name of one's own for turns that cost the same (empty: nothing). Turns with the
    same ``cost`` are one class, whose cost begins there; 0 is no class. ``forbidden`` is 1 for a
    turn that nobody may take. Turns of links that are unknown or do not meet are left out with a
    note.

    Args:
        path: A CSV file.
        network: The network whose turns they are.
        invalid: Where to list what does not fit; None: it is an error.

    Returns:
        The turns.

    Raises:
        InputError: The file cannot be read, or something in it does not fit.
    """
    path, invalid = as_path(path, "path"), invalid or Invalid()
    table = read_table(path, "these turns", ("link", "next"), invalid)
    kinds = [name for name in ("cost", "class", "angle") if name in table.columns]
    if not kinds and "forbidden" not in table.columns:
        raise InputError("the first line must name angle, class, cost or forbidden", path, 1)
    classes: dict[Turn, str] = {}
    forbidden: set[Turn] = set()
    given: dict[str, Fraction] = {}
    apart = fitting = 0
    for line, row in table.rows:
        with invalid.listed():
            turn = row["link"], row["next"]
            if not _meet(network, turn):
                apart += 1
                continue
            fitting += 1
            found = _class_in(row, kinds[0] if kinds else "", (path, line))
            if found is not None:
                classes[turn] = found
                if kinds[0] == "cost":
                    given[found] = Fraction(found)
            if _is_forbidden(row, path, line):
                forbidden.add(turn)
    if apart and not fitting:
        raise InputError(f"no turn of this file is one of {network.source}", path)
    if kinds and kinds[0] == "angle":
        classes = _with_straight(network, classes)
    left_out = (f"{path}: {apart} turns of links that are unknown or do not meet are left out",)
    return Turns(classes, frozenset(forbidden), given, str(path), left_out if apart else ())


def _meet(network: Network, turn: Turn) -> bool:
    before, after = (network.by_name.get(name) for name in turn)
    return before is not None and after is not None and before.end == after.start


def _class_in(row: Row, kind: str, place: tuple[Path, int]) -> str | None:
    """The class that a row names, by the column that says so."""
    if kind in ("", "class"):
        return row.get("class") or None
    text = row[kind]
    if not text:
        return None
    number = number_in(text)
    if number is None or (kind == "cost" and number < 0):
        wanted = "a number that is not negative" if kind == "cost" else "a number of radians"
        raise InputError(f"the {kind} of a turn must be {wanted}, not '{text[:40]}'", *place)
    if kind == "angle":
        return class_of(float(number))
    return None if number == 0 else str(number)


def _is_forbidden(row: Row, path: Path, line: int) -> bool:
    word = row.get("forbidden", "").lower()
    if word not in _TRUE | _FALSE:
        raise InputError(f"forbidden must be 1 or 0, not '{word[:40]}'", path, line)
    return word in _TRUE


def turns_from_coordinates(network: Network) -> Turns:
    """Turns by the angles between links, as they run; straight where there are no coordinates.

    Coordinates are taken as a plane with y upwards. They are degrees if all of them are within
    those of the Earth; then degrees of longitude are as long as those of latitude times the cosine
    of the latitude.

    Args:
        network: The streets, with coordinates.

    Returns:
        The turns, in classes such as left and right.

    Raises:
        InputError: There are no coordinates.
    """
    degrees = _in_degrees(network)
    ends = {link.name: _directions(network, link, degrees) for link in network.links}
    if not any(ends.values()):
        raise InputError(
            f"{network.source} has no coordinates, so turns must be given: add --turns TURNS.csv"
        )
    classes: dict[Turn, str] = {}
    for link in network.links:
        for after in network.leaving.get(link.end, ()):
            here, there = ends[link.name], ends[after.name]
            if here is not None and there is not None:
                classes[link.name, after.name] = class_of(_angle(here[1], there[0]))
    return Turns(_with_straight(network, classes))


def _in_degrees(network: Network) -> bool:
    """Whether all coordinates are within those of the Earth."""
    points = (point for link in network.links for point in network.points(link))
    return all(abs(x) <= 180 and abs(y) <= 90 for x, y in points)


def _directions(network: Network, link: Link, degrees: bool) -> tuple[float, float] | None:
    """In which directions a link sets out and arrives."""
    points = [point for point, _ in itertools.groupby(network.points(link))]
    if len(points) < 2:
        return None
    return _direction(points[0], points[1], degrees), _direction(points[-2], points[-1], degrees)


def _direction(one: Point, two: Point, degrees: bool) -> float:
    """From the x axis to the left."""
    width = math.cos(math.radians((one[1] + two[1]) / 2)) if degrees else 1.0
    return math.atan2(two[1] - one[1], width * (two[0] - one[0]))


def _angle(arriving: float, leaving: float) -> float:
    """To the right is positive; between -pi and pi."""
    return math.remainder(arriving - leaving, 2 * math.pi)


def check_turns(
    turns: Turns, network: Network, trips: Sequence[Trip], path: Path | None, invalid: Invalid
) -> list[Trip]:
    """The trips without a forbidden turn; one with raises, or is listed in `invalid`.

    Streets that lead back to their own place do not count.
    """
    kept = []
    for trip in trips:
        links = loopless(network, trip.links)
        broken = next((t for t in itertools.pairwise(links) if t in turns.forbidden), None)
        if broken is None:
            kept.append(trip)
        else:
            text = (
                f"trip {trip.name} turns from link {broken[0]} into {broken[1]}, which is forbidden"
            )
            invalid.found(text, path, trip.line or None)
    return kept

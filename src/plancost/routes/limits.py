"""What is known of the costs of single links and of classes of turns: fixed, or within bounds.

Numbers are in the unit of the initial numbers (minutes), and become whole units with them. Names
are those of links, or of classes of turns with ``turn:`` before them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from plancost.errors import InputError, UsageError
from plancost.observations.bounds_files import (
    CostBound,
    ends_of_range,
    entries_in,
    read_entries,
)
from plancost.observations.cost_files import LARGEST_COST
from plancost.routes.network import Network
from plancost.routes.numbers import exact, number_in
from plancost.routes.turns import PREFIX, STRAIGHT, Turns
from plancost.system.values import shown

AS_GIVEN = "given"
"""Turns cost what their file says."""
_SHORT = {"u": "u-turn"}


@dataclass(frozen=True)
class Limit:
    """The costs that a link or a class of turns may have, and who says so."""

    name: str
    least: Fraction | None
    greatest: Fraction | None
    source: str

    def __post_init__(self) -> None:
        for end in ("least", "greatest"):
            value = getattr(self, end)
            number = None if value is None else exact(value)
            if value is not None and (number is None or number < 0):
                raise InputError(
                    f"{self.source}: the {end} cost of {self.name} must be a number that is not "
                    f"negative, not {shown(value)}"
                )
            object.__setattr__(self, end, number)

    @property
    def fixed(self) -> Fraction | None:
        """The only cost that it allows, if it allows one."""
        return self.least if self.least == self.greatest else None

    def in_units(self, scale: int) -> CostBound:
        """The same in whole units, of which a cost has at least one."""
        if self.fixed is not None:
            units = self.fixed * scale
            if units.denominator != 1:
                finer = math.lcm(scale, self.fixed.denominator)
                raise InputError(
                    f"{self.source}: {float(self.fixed):.12g} is no whole number of units at the "
                    f"scale {scale}; give another number, or --scale {finer} with --initial COLUMN"
                )
            cost = max(1, int(units))
            return self._bound(cost, cost)
        least = 1 if self.least is None else max(1, math.ceil(self.least * scale))
        greatest = None if self.greatest is None else math.floor(self.greatest * scale)
        if greatest is not None and greatest < least:
            raise InputError(
                f"{self.source}: there is no whole number of units for {self.name} at the scale "
                f"{scale}; give other bounds or a larger --scale"
            )
        return self._bound(least, greatest)

    def scaled(self, scale: int) -> Limit:
        """The same whole units as numbers of their own."""
        bound = self.in_units(scale)
        greatest = None if bound.greatest is None else Fraction(bound.greatest)
        return Limit(self.name, Fraction(bound.least), greatest, self.source)

    def _bound(self, least: int, greatest: int | None) -> CostBound:
        if max(least, greatest or 0) > LARGEST_COST:
            raise InputError(
                f"{self.source}: costs are counted exactly up to {LARGEST_COST}, so say less or a "
                "smaller --scale"
            )
        return CostBound(self.name, least, greatest, self.source, is_name=True)


def parse_fixed(text: str) -> Limit:
    """Read ``NAME=NUMBER``, or a range such as ``NAME=2.5..4``, ``=2..`` or ``=..4``."""
    name, _, value = text.rpartition("=")
    given = [number_in(end) if end else None for end in ends_of_range(value)]
    low, high = given
    known = [number for number in given if number is not None]
    is_right = name.strip() and len(known) == sum(map(bool, ends_of_range(value)))
    if not is_right or not known or min(known) < 0 or known != sorted(known):
        raise UsageError(
            "--fix takes a link and a number, such as mill-bridge-south=2.5, or two such as "
            f"mill-bridge-south=2..4, not '{text[:60]}'"
        )
    return Limit(name.strip(), low, high, f"--fix '{text}'")


def read_limits(path: Path) -> tuple[Limit, ...]:
    """Read bounds of links, JSON or CSV with the columns ``link,least,greatest``."""
    return tuple(_limit(path, *entry) for entry in read_entries(path, "link"))


def limits_given(given: object) -> tuple[Limit, ...]:
    """Limits as a caller of the library gives them: several, or a mapping as in a JSON file."""
    if isinstance(given, Mapping):
        named = {str(name): value for name, value in given.items()}
        return tuple(_limit(Path("limits"), *entry) for entry in entries_in(named, Path("limits")))
    if isinstance(given, Iterable) and not isinstance(given, str):
        found = tuple(given)
        if all(isinstance(item, Limit) for item in found):
            return found
    raise UsageError(
        f"limits must be a mapping such as {{'mill-lane': (2, 5)}}, or several Limit, not "
        f"{shown(given)}"
    )


def _limit(path: Path, name: str, least: object, greatest: object, line: int | None) -> Limit:
    numbers = [None if value is None else exact(value) for value in (least, greatest)]
    for value, number in zip((least, greatest), numbers, strict=True):
        if value is not None and (number is None or number < 0):
            raise InputError(
                f"the bounds of {name[:60]} must be numbers that are not negative, not "
                f"'{str(value)[:40]}'",
                path,
                line,
            )
    low, high = numbers
    if low is not None and high is not None and low > high:
        raise InputError(f"{name} has a least cost above its greatest", path, line)
    return Limit(name, low, high, str(path) if line is None else f"{path}:{line}")


def turn_costs(text: str) -> Mapping[str, Fraction] | None:
    """Read ``left=0.1,right=0.05``; None: the word ``given``."""
    if text == AS_GIVEN:
        return None
    found: dict[str, Fraction] = {}
    for part in text.split(","):
        name, _, value = part.rpartition("=")
        number = number_in(value)
        if not name.strip() or number is None or number < 0:
            raise UsageError(
                "--turn-costs takes classes of turns with numbers, such as left=0.1,right=0.05, "
                f"or the word {AS_GIVEN}, not '{text[:60]}'"
            )
        found[_SHORT.get(name.strip(), name.strip())] = number
    return found


def with_turn_costs(
    turns: Turns, costs: Mapping[str, Fraction] | None
) -> tuple[Turns, tuple[Limit, ...]]:
    """Turns with fixed costs: those without one are learned, and those of 0 are no turns.

    Going straight on costs nothing unless it is named. None: all costs are as given with the turns.
    """
    source = "--turn-costs"
    known = sorted(set(turns.classes.values()))
    if costs is None:
        missing = next((name for name in known if name not in turns.given), None)
        if missing is not None or not known:
            raise UsageError(f"{source} {AS_GIVEN} needs the column cost in {turns.source}")
        costs = turns.given
    if STRAIGHT in known:
        costs = {STRAIGHT: Fraction(0), **costs}
    unknown = next((name for name in costs if name not in known), None)
    if unknown is not None:
        raise UsageError(
            f"{source}: there are no turns of the class '{unknown}'; there are {', '.join(known)}"
        )
    classes = {turn: name for turn, name in turns.classes.items() if costs.get(name) != 0}
    limits = tuple(
        Limit(PREFIX + name, cost, cost, f"{source} {name}") for name, cost in costs.items() if cost
    )
    given = {**turns.given, **{name: cost for name, cost in costs.items() if cost}}
    return replace(turns, classes=classes, given=given), limits


def known_numbers(limits: Iterable[Limit]) -> Iterator[Fraction]:
    """All numbers that limits speak of."""
    for limit in limits:
        yield from (number for number in (limit.least, limit.greatest) if number is not None)


def bounds_in_units(
    limits: Iterable[Limit], network: Network, turns: Turns | None, names: Sequence[str], scale: int
) -> Iterator[CostBound]:
    """Limits as bounds of the costs that are learned, which have these names.

    A link that ends where it starts has none, nor has a class whose turns are all forbidden.
    """
    known = frozenset(names)
    classes = () if turns is None else turns.names
    for limit in limits:
        if limit.name in known:
            yield limit.in_units(scale)
        elif limit.name not in network.by_name and limit.name not in classes:
            hint = "; costs of turns need --turns" if limit.name.startswith(PREFIX) else ""
            raise InputError(
                f"{limit.source}: there is no link {limit.name[:60]} in {network.source}{hint}"
            )

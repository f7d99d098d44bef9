"""What a caller of the library gives: networks, trips and pairs, checked in one sentence each."""

from __future__ import annotations

from collections.abc import Iterable

from plancost.errors import UsageError
from plancost.routes.network import Network, Trip
from plancost.routes.read_pairs import Pair
from plancost.system.values import shown, whole_number


def as_network(value: object) -> Network:
    """The network that a caller gave."""
    if isinstance(value, Network):
        return value
    raise UsageError(f"network must be a Network, such as read_network(path), not {shown(value)}")


def as_trips(value: object) -> tuple[Trip, ...]:
    """The trips that a caller gave; one alone may be without a list."""
    found: list[Trip] = []
    for trip in _each(value):
        if not isinstance(trip, Trip):
            raise UsageError(
                f"trips must be several Trip, such as read_trips(path, network), not {shown(trip)}"
            )
        found.append(trip)
    return tuple(found)


def as_pairs(value: object) -> tuple[Pair, ...]:
    """The pairs of places that a caller gave, of which each may be two names."""
    found: list[Pair] = []
    for item in _each(value):
        pair = _pair(item)
        if pair is None:
            raise UsageError(
                f"pairs must be several Pair, such as Pair('home', 'school'), not {shown(item)}"
            )
        found.append(pair)
    return tuple(found)


def at_least(value: object, least: int, option: str) -> int:
    """The whole number that an option was given."""
    number = whole_number(value)
    if number is None or number < least:
        raise UsageError(f"{option} takes a whole number of at least {least}, not {shown(value)}")
    return number


def _each(value: object) -> Iterable[object]:
    """The items of a value; what has none, and a text, is an item itself."""
    return value if isinstance(value, Iterable) and not isinstance(value, str) else (value,)


def _pair(item: object) -> Pair | None:
    if isinstance(item, tuple | list) and len(item) == 2:
        item = Pair(*item)
    if not isinstance(item, Pair):
        return None
    return item if isinstance(item.start, str) and isinstance(item.end, str) else None

"""The data for the script of the map: columns of numbers instead of objects, to be short."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from fractions import Fraction
from typing import Any

from plancost.results.result import ObservationResult, Result
from plancost.results.wording import range_in_words
from plancost.routes.network import Network, driven
from plancost.routes.page.colours import Colours
from plancost.routes.page.positions import Cell, Positions
from plancost.routes.page.shown import Shown, ShownTrip
from plancost.routes.turns import PREFIX

_VERDICTS = {True: 1, False: 0, None: 2}
_MOST_CONFLICTING = 12
_LONGEST_UNIT = 20


def map_data(
    result: Result, shown: Shown, positions: Positions, colours: Colours
) -> dict[str, Any]:
    """All that the script shows."""
    return {
        "unit": _unit(result),
        "turns": any(name.startswith(PREFIX) for name in result.costs),
        "places": _places(shown.network, positions),
        "links": _links(result, shown, positions, colours),
        "trips": _trips(shown.trips),
    }


def _unit(result: Result) -> list[Any] | None:
    """What initial costs were, and how many units of cost are 1 of it."""
    initial, scale = result.options.get("initial"), result.options.get("scale")
    if not isinstance(initial, str) or not isinstance(scale, int):
        return None
    return [initial, scale] if scale >= 1 and len(initial) <= _LONGEST_UNIT else None


def _places(network: Network, positions: Positions) -> dict[str, Any]:
    return {
        "names": list(network.place_names),
        "x": [x for x, _ in positions.places],
        "y": [y for _, y in positions.places],
    }


def _links(result: Result, shown: Shown, positions: Positions, colours: Colours) -> dict[str, Any]:
    network = shown.network
    number = {place: n for n, place in enumerate(network.place_names)}
    uses = driven(item.trip for item in shown.trips)
    names = [link.name for link in network.links]
    initial = result.initial_costs
    ranges = result.ranges
    return {
        "names": names,
        "from": [number[link.start] for link in network.links],
        "to": [number[link.end] for link in network.links],
        "cost": [result.costs[name] for name in names],
        "initial": None if initial is None else [initial.get(name) for name in names],
        "uses": [uses.get(name, 0) for name in names],
        "class": "".join(map(str, colours.classes)),
        "least": None if shown.least is None else shown.least.tolist(),
        "ranges": None
        if ranges is None
        else [range_in_words(ranges[name]) if name in ranges else "" for name in names],
        "columns": [
            [column, [_number(link.numbers[column]) for link in network.links]]
            for column in network.columns
        ],
        "bends": _bends(positions.bends, network, number),
    }


def _number(value: Fraction) -> int | float:
    return int(value) if value.denominator == 1 else round(float(value), 6)


def _bends(
    bends: Mapping[int, tuple[Cell, ...]], network: Network, number: Mapping[str, int]
) -> list[Any]:
    """Pairs of a link and its bends as steps, or the link whose bends it has the other way."""
    seen: dict[tuple[int, int, tuple[Cell, ...]], int] = {}
    found: list[Any] = []
    for link, cells in bends.items():
        start, end = number[network.links[link].start], number[network.links[link].end]
        twin = seen.get((end, start, cells[::-1]))
        if twin is not None:
            found += [link, twin]
            continue
        seen[start, end, cells] = link
        steps = [cells[0][0], cells[0][1]]
        for (x, y), (last_x, last_y) in zip(cells[1:], cells, strict=False):
            steps += [x - last_x, y - last_y]
        found += [link, steps]
    return found


def _trips(trips: Sequence[ShownTrip]) -> dict[str, Any]:
    number = {item.trip.name: position for position, item in enumerate(trips)}
    counts = [item.trip.count for item in trips]
    groups = [item.trip.group for item in trips]
    return {
        "names": [item.trip.name for item in trips],
        "counts": counts if any(count != 1 for count in counts) else None,
        "groups": groups if any(group is not None for group in groups) else None,
        "links": [list(item.links) for item in trips],
        "cost": [item.cost for item in trips],
        "best": [item.best for item in trips],
        "verdict": "".join(str(_VERDICTS[item.optimal]) for item in trips),
        "learned": "".join("0" if item.item is None else "1" for item in trips),
        "other": [_differences(item) for item in trips],
        "why": [_why(item.item, number, position) for position, item in enumerate(trips)],
    }


def _differences(item: ShownTrip) -> list[Any] | None:
    """The cost of the alternative, then for each part that differs: from and to which step of
    the trip, and the links of the alternative there."""
    other = item.alternative
    if other is None:
        return None
    parts = [
        [start, stop, list(other.links[other_start:other_stop])]
        for kind, start, stop, other_start, other_stop in SequenceMatcher(
            None, item.links, other.links, autojunk=False
        ).get_opcodes()
        if kind != "equal"
    ]
    return [other.cost, parts]


def _why(item: ObservationResult | None, number: Mapping[str, int], own: int) -> list[Any] | None:
    """The reason why a trip is not optimal, and the trips that it is in conflict with."""
    if item is None or item.explanation is None:
        return None
    plans = item.explanation.get("plans", [])
    others = [number[name] for name in plans if number.get(name, own) != own]
    return [item.explanation["reason"], others[:_MOST_CONFLICTING]]

"""The class of each link on the map: by learned cost over initial cost, or by learned cost.

There are always seven classes. With initial costs the fourth means about the same cost, those
before it cheaper and those after it more expensive than initially. Without, they go from the
cheapest links to the most expensive, with about as many links in each.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from plancost.routes.network import Network
from plancost.routes.page.positions import length_column

CLASSES = 7
_RATIOS = (0.25, 0.5, 0.95, 1.05, 2.0, 4.0)
_RATIO_LABELS = (
    "less than ¼ of it",
    "¼ to ½",
    "½ to 0.95",
    "about the same",
    "1.05 to 2 times",
    "2 to 4 times",
    "more than 4 times",
)


@dataclass(frozen=True)
class Colours:
    """A class from 0 to 6 for each link, and what classes mean."""

    classes: tuple[int, ...]
    labels: tuple[str, ...]
    title: str
    diverging: bool
    ticks: tuple[str, ...]
    """What stands between a class and the next."""
    sides: tuple[str, ...]


def find_colours(
    network: Network, costs: Mapping[str, int], initial: Mapping[str, int] | None
) -> Colours:
    """The classes of all links, in the order of the network."""
    links = network.links
    if initial is not None:
        ratios = [_ratio(costs[link.name], initial.get(link.name, 0)) for link in links]
        classes = tuple(bisect_right(_RATIOS, ratio) for ratio in ratios)
        return Colours(
            classes,
            _RATIO_LABELS,
            "learned over initial cost",
            diverging=True,
            ticks=("¼", "½", "", "", "2", "4", ""),
            sides=("cheaper", "the same", "more expensive"),
        )
    column = length_column(network)
    if column is not None and all(link.numbers[column] > 0 for link in links):
        values = [float(costs[link.name] / link.numbers[column]) for link in links]
        return _by_rank(values, f"learned cost by {column}")
    return _by_rank([float(costs[link.name]) for link in links], "learned cost")


def _ratio(cost: int, initial: int) -> float:
    """Initial costs of 0 count as 1, the least that a cost can be."""
    return cost / max(initial, 1)


def _by_rank(values: Sequence[float], title: str) -> Colours:
    ordered = sorted(values)
    limits = sorted({ordered[len(ordered) * n // CLASSES] for n in range(1, CLASSES)})
    limits = [limit for limit in limits if limit > ordered[0]]
    found = [bisect_right(limits, value) for value in values]
    labels = []
    for number in range(len(limits) + 1):
        members = [value for value, own in zip(values, found, strict=True) if own == number]
        low, high = _short(min(members)), _short(max(members))
        labels.append(low if low == high else f"{low} to {high}")
    spread = [
        0 if not limits else round(number * (CLASSES - 1) / len(limits))
        for number in range(len(limits) + 1)
    ]
    shown = [""] * CLASSES
    for number, label in zip(spread, labels, strict=True):
        shown[number] = label
    ticks = [""] * CLASSES
    for number, limit in zip(spread, limits, strict=False):
        ticks[number] = _short(limit)
    return Colours(
        tuple(spread[own] for own in found),
        tuple(shown),
        title,
        diverging=False,
        ticks=tuple(ticks),
        sides=("cheap", "expensive"),
    )


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.3g}"

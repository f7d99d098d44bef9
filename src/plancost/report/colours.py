"""The colour of each way on the map: by its cost, or by its cost over what was known before.

There are seven classes. With known costs the fourth means about the same; those before it are
cheaper and those after it dearer. Without, the first is the least cost, and the others are equally
wide on a logarithmic scale, but for few values at both ends.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

CLASSES = 7
_RATIOS = (0.25, 0.5, 0.95, 1.05, 2.0, 4.0)
_RATIO_LABELS = ("below ¼", "¼ to ½", "½ to 0.95", "same", "1.05 to 2", "2 to 4", "above 4")


@dataclass(frozen=True)
class Colours:
    """A class from 0 to 6 for each way, and the meaning of those that occur."""

    kind: str
    """ratio or rank: which palette."""
    title: str
    classes: tuple[int, ...]
    labels: tuple[tuple[int, str], ...]


def by_ratio(costs: Sequence[float], known: Sequence[float]) -> Colours:
    """Known costs of 0 count as 1, the least that a cost can be."""
    ratios = [cost / max(before, 1) for cost, before in zip(costs, known, strict=True)]
    classes = tuple(bisect_right(_RATIOS, ratio) for ratio in ratios)
    return Colours("ratio", "Learned over known cost", classes, tuple(enumerate(_RATIO_LABELS)))


def by_rank(values: Sequence[float], title: str) -> Colours:
    """The least value is pale, the dearer ones are divided by their logarithms."""
    least = min(values, default=0.0)
    above = [value for value in values if value > least]
    limits = sorted(set(above))
    if len(limits) >= CLASSES:
        few = len(limits) // 20
        low, high = limits[few], limits[-1 - few]
        steps = [low * (high / low) ** (n / (CLASSES - 1)) for n in range(1, CLASSES - 1)]
        limits = [limits[0], *(limits[n] for n in sorted({bisect_left(limits, s) for s in steps}))]
    found = [bisect_right(limits, value) for value in values]
    spread = [round(n * (CLASSES - 1) / max(1, len(limits))) for n in range(len(limits) + 1)]
    labels = []
    for number, own in enumerate(spread):
        members = [value for value, one in zip(values, found, strict=True) if one == number]
        first, last = short(min(members, default=0.0)), short(max(members, default=0.0))
        labels.append((own, first if first == last else f"{first} to {last}"))
    return Colours("rank", title, tuple(spread[own] for own in found), tuple(labels))


def short(value: float) -> str:
    """A number with as many digits as can be told apart."""
    return f"{value:,.0f}" if value == int(value) or abs(value) >= 10 else f"{value:.2g}"

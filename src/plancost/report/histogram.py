"""How costs are distributed, by action schema."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil

from plancost.observations.pddl import split_action

_MOST_BARS = 16


@dataclass(frozen=True)
class Bar:
    """Costs from `first` to `last`, and how many actions of each schema have one of them."""

    first: int
    last: int
    counts: dict[str, int]

    @property
    def total(self) -> int:
        """How many actions there are."""
        return sum(self.counts.values())


def schema_of(name: str) -> str:
    """The schema of an action."""
    return split_action(name)[0]


def by_schema(costs: Mapping[str, int]) -> list[tuple[str, list[int]]]:
    """The schemas and what their actions cost, the schema with most actions first."""
    found: dict[str, list[int]] = {}
    for name, cost in costs.items():
        found.setdefault(schema_of(name), []).append(cost)
    return sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))


def bars(costs: Mapping[str, int]) -> list[Bar]:
    """One bar for each cost if there are few, otherwise for ranges of equal width.

    Empty ranges are left out.
    """
    if not costs:
        return []
    values = sorted(set(costs.values()))
    width = 1
    if len(values) > _MOST_BARS:
        width = ceil((values[-1] - values[0] + 1) / _MOST_BARS)
    counts: dict[int, Counter[str]] = {}
    for name, cost in costs.items():
        place = (cost - values[0]) // width
        counts.setdefault(place, Counter())[schema_of(name)] += 1
    return [
        Bar(values[0] + place * width, values[0] + (place + 1) * width - 1, dict(found))
        for place, found in sorted(counts.items())
    ]

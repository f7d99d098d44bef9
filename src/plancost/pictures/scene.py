"""What a picture shows, as plain data that knows nothing of its output format."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from plancost.pictures.palette import LIGHT

MOST_COLOURS = len(LIGHT.routes)
"""The number of routes that can be told apart by colour; the others are drawn as one."""

Edge = tuple[int, int]


def span(least: int, greatest: int) -> str:
    """A cost, or a range of costs."""
    return str(least) if least == greatest else f"{least}–{greatest}"


class CostScale:
    """The colour of each cost: the costs that occur, in at most as many groups as colours."""

    def __init__(self, costs: Iterable[int]) -> None:
        found = sorted(set(costs))
        count = min(len(found), len(LIGHT.costs))
        ends = [group * len(found) // count for group in range(count + 1)] if found else []
        self._groups = [found[start:end] for start, end in pairwise(ends)]

    def group(self, cost: int) -> int:
        """The group of a cost; the first is 0."""
        last = [members[-1] for members in self._groups]
        return min(bisect_left(last, cost), len(last) - 1)

    def groups(self) -> list[str]:
        """What to call each group: its cost, or its least and greatest cost."""
        return [span(members[0], members[-1]) for members in self._groups]


@dataclass(frozen=True)
class Point:
    """A place; `y` grows upwards. `note` says more about it than its name."""

    name: str
    x: float
    y: float
    note: str = ""


@dataclass(frozen=True)
class Arrow:
    """The way from one point to another, with the actions that take it and their costs."""

    source: int
    target: int
    actions: tuple[tuple[str, int], ...]

    @property
    def edge(self) -> Edge:
        """The way, whatever the direction."""
        return min(self.source, self.target), max(self.source, self.target)

    @property
    def least(self) -> int:
        """The cost of the cheapest of its actions."""
        return min(cost for _, cost in self.actions)

    @property
    def greatest(self) -> int:
        """The cost of the most expensive of its actions."""
        return max(cost for _, cost in self.actions)

    @property
    def label(self) -> str:
        """Its cost, or from which cost to which."""
        return span(self.least, self.greatest)


@dataclass(frozen=True)
class Route:
    """A plan as the points that it visits; `number` counts the plans of a case from 1."""

    number: int
    name: str
    stops: tuple[int, ...]
    count: int = 1

    @property
    def edges(self) -> list[Edge]:
        """The ways taken, whatever the direction."""
        return [(min(a, b), max(a, b)) for a, b in pairwise(self.stops)]


@dataclass(frozen=True)
class Scene:
    """Points, the arrows between them, and routes. `notes` are written below the picture."""

    points: tuple[Point, ...]
    arrows: tuple[Arrow, ...]
    routes: tuple[Route, ...]
    names_shown: bool = False
    notes: tuple[str, ...] = ()

    @cached_property
    def least_cost(self) -> int:
        """What the cheapest way costs; only ways that cost more are marked."""
        return min((arrow.least for arrow in self.arrows), default=1)

    @cached_property
    def expensive_arrows(self) -> tuple[Arrow, ...]:
        """The ways that cost more than the least."""
        return tuple(arrow for arrow in self.arrows if arrow.greatest > self.least_cost)

    @cached_property
    def cost_scale(self) -> CostScale:
        """The colours of those ways."""
        return CostScale(arrow.greatest for arrow in self.expensive_arrows)

    @cached_property
    def streets(self) -> tuple[Edge, ...]:
        """The ways, whatever the direction, each once."""
        return tuple(sorted({arrow.edge for arrow in self.arrows}))

    @property
    def coloured(self) -> tuple[Route, ...]:
        """The routes that have a colour of their own."""
        return self.routes[:MOST_COLOURS]

    @cached_property
    def uses(self) -> Counter[Edge]:
        """How often each way is taken by the routes without a colour of their own."""
        found: Counter[Edge] = Counter()
        for route in self.routes[MOST_COLOURS:]:
            for edge in route.edges:
                found[edge] += route.count
        return found


def lanes(routes: Sequence[Route]) -> list[float]:
    """How far each route is shifted so that none covers another: ..., -1, 0, 1, ...

    Routes that share neither a way nor an end may have the same lane.
    """
    taken: list[set[object]] = []
    numbers = []
    for route in routes:
        ends = {("end", route.stops[0]), ("end", route.stops[-1])} if route.stops else set()
        marks: set[object] = {*route.edges, *ends}
        number = next((n for n, used in enumerate(taken) if not used & marks), len(taken))
        if number == len(taken):
            taken.append(set())
        taken[number] |= marks
        numbers.append(number)
    middle = (len(taken) - 1) / 2
    return [number - middle for number in numbers]

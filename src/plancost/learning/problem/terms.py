"""What one cost may be, and what it contributes to the second objective.

The second objective is a sum over costs, and each of its terms is a convex function of one
cost that is straight between whole numbers: the cost itself in learning, its distance from C̄
in refinement. A term is least at its *baseline*, and rises from there in a few straight pieces
upwards and downwards, as far as the bounds of the cost allow. Linear programs have a column for
each piece; since the slopes never fall, the pieces fill up in the right order by themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

Piece = tuple[int, int | None]
"""How much the term rises with each unit, and over how many units (None: without end)."""


@dataclass(frozen=True)
class Term:
    """The term of one cost from `least` to `greatest` (None: no limit)."""

    initial: tuple[int, ...] | None = None
    """C̄ of the action (of all actions, if several share the cost); None: learning."""
    weight: int = 1
    """How many actions have this cost."""
    least: int = 1
    greatest: int | None = None

    @cached_property
    def baseline(self) -> int:
        """The cost for which the term is least."""
        if not self.initial:
            return self.least
        middle = sorted(self.initial)[(len(self.initial) - 1) // 2]
        return self.clipped(middle)

    def clipped(self, cost: int) -> int:
        """The nearest cost within the bounds."""
        cost = max(self.least, cost)
        return cost if self.greatest is None else min(cost, self.greatest)

    def value(self, cost: int) -> int:
        """The term of a cost."""
        if self.initial is None:
            return self.weight * cost
        return sum(abs(cost - initial) for initial in self.initial)

    @cached_property
    def up(self) -> tuple[Piece, ...]:
        """The pieces above the baseline, in order."""
        corners = [c for c in self._corners if c > self.baseline]
        return tuple(self._pieces([self.baseline, *corners], self.greatest))

    @cached_property
    def down(self) -> tuple[Piece, ...]:
        """The pieces below the baseline, in order."""
        corners = [c for c in self._corners if self.least < c < self.baseline]
        points = [self.baseline, *reversed(corners), self.least]
        return tuple(
            (self.value(high - 1) - self.value(high), high - low)
            for high, low in pairwise(points)
            if high > low
        )

    def greatest_with(self, most: int) -> int | None:
        """The greatest cost whose term is at most that; None: there is none."""
        if not self.weight:
            return self.greatest
        end = (most + sum(self.initial or ())) // self.weight
        return end if self.greatest is None else min(end, self.greatest)

    def least_with(self, slope: Fraction, greatest: int | None = None) -> Fraction | None:
        """The least of ``value(cost) + slope * cost`` within the bounds; None: there is none.

        `greatest` is what the cost is known not to exceed.
        """
        end = self.greatest if greatest is None else greatest
        if end is None and self.weight + slope < 0:
            return None
        ends = [self.least] if end is None else [self.least, max(self.least, end)]
        points = {*ends, *map(self.clipped, self._corners)}
        return min(self.value(point) + slope * point for point in points)

    @cached_property
    def _corners(self) -> tuple[int, ...]:
        return () if self.initial is None else tuple(sorted(set(self.initial)))

    def _pieces(self, points: list[int], end: int | None) -> Iterator[Piece]:
        for low, high in zip(points, [*points[1:], None], strict=True):
            stop = end if high is None else high if end is None else min(high, end)
            if stop is None or stop > low:
                slope = self.value(low + 1) - self.value(low)
                yield slope, None if stop is None else stop - low

"""L-BFGS for functions that are infinite in places.

A step to where the function is infinite is made shorter, as one that does not go down enough.
Products stay away from BLAS, whose threads fight with ours: a fit took twice as long.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

import numpy as np

from plancost.likely.walks import DivergesError, Vector

_MOST_STEPS = 500
_MEMORY = 60
_SHORTER = 0.4
_SHORTEST = 1e-9

Value = tuple[float, Vector]
"""With its slope."""


def descend(
    function: Callable[[Vector], Value], x: Vector, is_enough: Callable[[Vector, Vector], bool]
) -> float:
    """Go down from x until `is_enough`, which is shown each place and slope; the value reached."""
    value, slope = function(x)
    moves: deque[tuple[Vector, Vector]] = deque(maxlen=_MEMORY)
    for _ in range(_MOST_STEPS):
        if is_enough(x, slope):
            break
        direction = _direction(slope, moves)
        descent, length = dot(slope, direction), 1.0
        while length > _SHORTEST:
            try:
                new_value, new_slope = function(x + length * direction)
                if new_value <= value + 1e-4 * length * descent + 1e-9 * abs(value):
                    break
            except DivergesError:
                pass
            length *= _SHORTER
        else:
            break
        step, bend = length * direction, new_slope - slope
        x, value, slope = x + step, new_value, new_slope
        if dot(step, bend) > 1e-12:
            moves.append((step, bend))
    return value


def _direction(slope: Vector, moves: Sequence[tuple[Vector, Vector]]) -> Vector:
    """Down, as the last moves tell how the slope bends."""
    if not moves:
        return -slope / max(1.0, float(np.abs(slope).max()))
    found, weights = -slope, []
    for step, bend in reversed(moves):
        weights.append(dot(step, found) / dot(step, bend))
        found = found - weights[-1] * bend
    step, bend = moves[-1]
    found *= dot(step, bend) / dot(bend, bend)
    for (step, bend), weight in zip(moves, reversed(weights), strict=True):
        found += step * (weight - dot(bend, found) / dot(step, bend))
    return found


def dot(one: Vector, other: Vector) -> float:
    """The inner product."""
    return float(np.add.reduce(one * other))

"""More cuts of one solution: those that are left when the alternatives found cost more.

A search finds the cheapest alternatives of each plan, and on a map there are many that are nearly
as cheap. If the linear program learns of a few in each round, it takes hundreds of rounds. So
actions of these alternatives that no plan uses become more expensive, until the alternatives are no
longer cheaper than the plans, and the search is asked again. The plans cost what they did and all
else at least as much, so the cuts that it finds then are broken under the costs of the program too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from plancost.learning.problem.cuts import Cut
from plancost.learning.problem.rows import excess

_MOST_SEARCHES = 12
"""Of one solution."""

Separate = Callable[[np.ndarray], list[Cut] | None]
"""The cuts that costs break; None: no time."""


def broken_cuts(separate: Separate, costs: np.ndarray, used: frozenset[int]) -> list[Cut] | None:
    """Cuts that costs break, of many alternatives; none if and only if they break none.

    The chosen plans use the parameters `used`. None: no time.
    """
    found = separate(costs)
    cuts = found
    raised: list[float] = costs.tolist()
    for _ in range(_MOST_SEARCHES - 1):
        if not found or not _raise(raised, found, used):
            break
        found = separate(np.array(raised))
        if found is None:
            return None
        cuts = [*(cuts or ()), *found]
    return cuts


def _raise(costs: list[float], cuts: Sequence[Cut], used: frozenset[int]) -> bool:
    """Raise what no plan uses until no cut is broken; False if one has nothing of that kind."""
    for cut in cuts:
        missing = excess(cut.row, costs)
        free = [number for number, times in cut.row[0] if times < 0 and number not in used]
        if not free:
            return False
        for number in free:
            costs[number] += max(0.0, missing)
    return True

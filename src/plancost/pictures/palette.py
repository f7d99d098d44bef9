"""The colours of pictures, on light and on dark paper."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

ROUTES = (
    *("#2b6cb0", "#dd6b20", "#2f855a", "#805ad5", "#b7791f", "#0e7490"),
    *("#be185d", "#4d7c0f", "#4338ca", "#9f5f3f", "#5b7083", "#a21caf"),
)
ROUTES_ON_DARK = (
    *("#63a4e8", "#f59a56", "#5cc48c", "#b79af2", "#e0b04a", "#45b8d0"),
    *("#f272ac", "#9bd14a", "#9a93f5", "#d29a7c", "#9fb3c4", "#e07bea"),
)
COSTS = ("#c53030", "#d53f8c", "#6b21a8", "#7b3f00", "#1a202c")
"""From the cheapest of the marked ways to the dearest; the first three as in the paper."""
COSTS_ON_DARK = ("#ff6b6b", "#ff8fc7", "#c48af5", "#d9a066", "#f0f0f0")

PAPER, PAPER_ON_DARK = "#ffffff", "#16181c"
INK, INK_ON_DARK = "#2d3748", "#d8dce2"
STREET, STREET_ON_DARK = "#cbd5e0", "#3d444f"
CROWD, CROWD_ON_DARK = "#a8b3c2", "#5d6878"
"""Routes without a colour of their own."""


class CostScale:
    """Which colour a cost has: the costs that occur, in at most five groups."""

    def __init__(self, costs: Iterable[int]) -> None:
        self._costs = sorted(set(costs))
        count = min(len(self._costs), len(COSTS))
        self._last = [
            self._costs[(group + 1) * len(self._costs) // count - 1] for group in range(count)
        ]

    def group(self, cost: int) -> int:
        """The group of a cost, from 0 on."""
        return min(bisect_left(self._last, cost), len(self._last) - 1)

    def groups(self) -> list[str]:
        """What to call each group: its cost, or its least and greatest cost."""
        names = []
        for group in range(len(self._last)):
            members = [cost for cost in self._costs if self.group(cost) == group]
            first, last = members[0], members[-1]
            names.append(str(first) if first == last else f"{first}–{last}")
        return names

"""Goals whose plans were found optimal, and which changes of costs make them worth another look.

A search backwards from a goal gives the cost-to-go of every state, as far as it went (beyond, take
the limit of the search). As long as no action costs less than the cost-to-go falls along it, no
path from a state costs less than its cost-to-go, whatever else has changed. So it is enough to keep
for each action the most that the cost-to-go falls along it anywhere. When costs have changed, they
are compared with that, and what the plans cost now with the cost-to-go of their first states: if
neither is too low or too high, the plans are optimal still, and a search would find nothing.
That is a matter of microseconds, however large the graph is.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

_SLACK = 1e-10
"""Floating-point costs may fall short by so much; a thousand times that breaks no row."""
_MOST_REMEMBERED = 25_000_000
"""Falls that are kept at most; they take 12 bytes each."""


@dataclass(frozen=True)
class _Search:
    """What a search found: how much the costs-to-go fall along actions, where they fall at all."""

    actions: npt.NDArray[np.int32]
    falls: npt.NDArray[np.float64]
    optimum: dict[int, float]
    """What the cheapest plan from a start state costs, as long as the costs-to-go hold."""


class SettledGoals:
    """What searches on one graph have settled, under floating-point costs."""

    def __init__(self) -> None:
        self._costs = np.zeros(0)
        self._searches: dict[Hashable, _Search] = {}
        self._remembered = 0

    def change(self, costs: npt.NDArray[np.float64]) -> None:
        """Take note of the costs of the graph's actions from now on."""
        self._costs = costs

    def is_settled(self, goal: Hashable, plan_costs: Mapping[int, float]) -> bool:
        """Whether a search would find nothing about plans to this goal that cost so much.

        The costs are by start state, and without what each plan is allowed beyond the optimum.
        """
        known = self._searches.get(goal)
        if known is None:
            return False
        for start, cost in plan_costs.items():
            if cost > known.optimum.get(start, -np.inf):
                return False
        return not np.any(self._costs[known.actions] < known.falls)

    def settle(
        self, goal: Hashable, falls: npt.NDArray[np.float64], optimum: Mapping[int, float]
    ) -> None:
        """A search found what the cheapest plans from start states cost.

        Costs-to-go, as far as it went, fall by no more than `falls` along each action.
        """
        before = self._searches.pop(goal, None)
        self._remembered -= 0 if before is None else len(before.actions)
        falls = falls - _SLACK
        actions = np.flatnonzero(falls > 0.0).astype(np.int32)
        if self._remembered + len(actions) > _MOST_REMEMBERED:
            return
        self._remembered += len(actions)
        self._searches[goal] = _Search(actions, falls[actions], dict(optimum))

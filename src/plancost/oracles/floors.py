"""Floors: the least that the way from a start to each state can cost, for all costs to come.

While costs are learned, no action falls far below its rate, the cost at the baseline. So one search
under the rates says for every later search which states are too far away to matter. Costs that
are below the rates only lower the floor, by the part of the rates that they all keep to.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from plancost.oracles.frontier import Steps, Values
from plancost.oracles.state_graph import StateGraph

_REACH = 0.8
"""For which part of what a plan costs by the rates a floor is searched."""
_NARROW = 1.4
"""Up to so many times what a plan costs by the rates, a search backwards alone settles fewer states
than searches from both ends."""
_EXACT_IN_SINGLE = 2.0**24
_MOST_BYTES = 240_000_000
"""What floors may take together; `build_state_graph` counts on no more than that."""


@dataclass(frozen=True, eq=False)
class Floor:
    """The least that the way to each state costs, while no action costs less than its rate."""

    rates: Values
    values: npt.NDArray[np.float32] | Values
    reach: float
    """What is said of states that are further away."""

    @classmethod
    def under(cls, graph: StateGraph, start: int, rates: Values, cost: float) -> Floor:
        """By one search, for plans that cost so much by the rates."""
        reach = float(math.floor(_REACH * cost))
        values, _ = Steps.forwards(graph).costs_from(np.array([start]), rates, reach)
        values = np.minimum(values, reach)
        is_whole = bool(np.all(rates == np.rint(rates)))
        exact = values.astype(np.float32) if is_whole and reach < _EXACT_IN_SINGLE else values
        return cls(rates, exact, reach)

    def scale(self, weights: Values) -> float:
        """What part of the rates these costs keep to."""
        return min(1.0, float(np.min(weights / self.rates)))

    def is_close(self, limit: float, scale: float) -> bool:
        """Whether a limit is hardly more than plans cost by the rates."""
        return limit <= _NARROW / _REACH * self.reach * scale


class Floors:
    """The floors of start states, as long as there is room for them."""

    def __init__(self, rates_of: Callable[[StateGraph], Values]) -> None:
        self._rates_of = rates_of
        self._known: dict[tuple[int, int], Floor] = {}
        self._bytes = 0

    def of(self, graph: StateGraph, start: int, plan: Sequence[int]) -> Floor | None:
        """The floor of a start state, for plans like this one; None if there is no room."""
        known = self._known.get((id(graph), start))
        if known is None and self._bytes + 4 * graph.state_count <= _MOST_BYTES:
            rates = self._rates_of(graph)
            known = Floor.under(graph, start, rates, float(np.sum(rates[list(plan)])))
            self._known[id(graph), start] = known
            self._bytes += known.values.nbytes
        return known

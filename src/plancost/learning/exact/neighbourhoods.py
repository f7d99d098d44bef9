"""Plans that are near each other in their state graphs.

Plans of a large map that cannot all be optimal are mostly near each other. So their conflicts are
found with those around them alone, which takes small linear programs, before all plans are looked
at together. Neighbourhoods are small at first; then several become one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np
import numpy.typing as npt

from plancost.learning.separation.paths import Paths
from plancost.oracles.shortest_paths import PricedGraph
from plancost.oracles.state_graph import StateGraph

_PLANS = 500
"""In a small neighbourhood, at most."""
_LARGE_MAP = 15_000
"""Actions from which on linear programs of all plans take so long that neighbourhoods pay."""
_BECOME_ONE = 4
"""How many neighbourhoods become one in the next step."""

Numbers = npt.NDArray[np.int64]


def neighbourhoods(paths: Paths, plans: Sequence[int]) -> Iterator[list[list[int]]]:
    """The plans in ever fewer and larger neighbourhoods, in the given order in each.

    The last step, all plans of a graph in one, is left out. Few plans, or those of a small graph,
    have no neighbourhoods.
    """
    place = {number: position for position, number in enumerate(plans)}
    by_graph = [_parts(graph, paths, own) for graph, own in paths.by_graph(plans)]
    size = 1
    while any(len(parts) > size for parts in by_graph):
        yield [
            sorted(chain.from_iterable(parts[first : first + size]), key=place.__getitem__)
            for parts in by_graph
            for first in range(0, len(parts), size)
        ]
        size *= _BECOME_ONE


def _parts(graph: StateGraph, paths: Paths, plans: Sequence[int]) -> list[list[int]]:
    """The plans in small parts, in an order in which a part is near the next ones."""
    visited = [paths[number].states for number in plans]
    middles = np.array([states[len(states) // 2] for states in visited])
    steps = PricedGraph(graph, np.ones(len(graph.action_names)))
    parts = [np.arange(len(plans))]
    most = _PLANS if len(graph.action_names) >= _LARGE_MAP else len(plans)
    while max(map(len, parts)) > most:
        parts = [half for part in parts for half in _halves(steps, middles, part)]
    return [[plans[position] for position in part.tolist()] for part in parts]


def _halves(steps: PricedGraph, middles: Numbers, part: Numbers) -> tuple[Numbers, Numbers]:
    """Those of the plans that are nearer to one end of the part, and those nearer to the other."""
    most = float(steps.graph.state_count)
    own = middles[part]
    end, found = own[:1], []
    for _ in range(3):  # from anywhere, from one end, and from the other end
        found.append(np.minimum(steps.distances_from(end)[own], most))
        end = own[[int(np.argmax(found[-1]))]]
    order = np.argsort(found[1] - found[2], kind="stable")
    half = len(part) // 2
    return part[order[:half]], part[order[half:]]

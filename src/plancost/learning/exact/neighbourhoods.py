"""Plans that are near each other in their state graphs.

Plans of a large map that cannot all be optimal are mostly near each other. So their conflicts are
found with those around them alone, which takes small linear programs, before all plans are looked
at together. Neighbourhoods are small at first; then several become one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from plancost.learning.separation.paths import Paths
from plancost.oracles.shortest_paths import PricedGraph
from plancost.oracles.state_graph import StateGraph

_PLANS = 200
"""In a small neighbourhood, on average."""
_BECOME_ONE = 4
"""How many neighbourhoods become one in the next step."""

Distances = npt.NDArray[np.float64]


def neighbourhoods(paths: Paths, plans: Sequence[int]) -> Iterator[list[list[int]]]:
    """The plans in ever fewer and larger neighbourhoods, in the given order in each.

    The last step, all plans of a graph in one, is left out; few plans have no neighbourhoods.
    """
    graphs = [(graph, np.array(own)) for graph, own in paths.by_graph(plans)]
    distances = [_to_centres(graph, paths, own) for graph, own in graphs]
    share = 1
    while any(len(found) // share > 1 for found in distances):
        yield [
            members.tolist()
            for (_, own), found in zip(graphs, distances, strict=True)
            for members in _around(own, found[: max(1, len(found) // share)])
        ]
        share *= _BECOME_ONE


def _around(plans: npt.NDArray[np.int64], distances: Distances) -> Iterator[npt.NDArray[np.int64]]:
    """The plans by their nearest centre."""
    nearest = np.argmin(distances, axis=0)
    for centre in np.unique(nearest):
        yield plans[nearest == centre]


def _to_centres(graph: StateGraph, paths: Paths, plans: npt.NDArray[np.int64]) -> Distances:
    """How many steps the middle of each plan is from each of some centres.

    Each centre is the middle of the plan that is farthest from those before it.
    """
    states = [paths[number].states for number in plans.tolist()]
    middles = np.array([visited[len(visited) // 2] for visited in states])
    steps = PricedGraph(graph, np.ones(len(graph.action_names)))
    found = np.empty((max(1, len(plans) // _PLANS), len(plans)))
    nearest = np.full(len(plans), np.inf)
    for number in range(len(found)):
        centre = middles[[int(np.argmax(nearest))]]
        found[number] = steps.distances_from(centre)[middles]
        nearest = np.minimum(nearest, found[number])
    return found

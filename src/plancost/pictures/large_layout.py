"""Where to draw the places of a large network that has no coordinates, in seconds.

As in `layout`, two places should be as far apart in the picture as they are along the network,
but only some distances are looked at: those between neighbours, and those from a few *pivots*,
places that lie far apart. It starts from classical scaling of the distances to the pivots (pivot
MDS) and goes on with stress majorisation over the same distances. The same network always gives
the same picture.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array, csc_array, csr_array, diags_array
from scipy.sparse.csgraph import connected_components, dijkstra
from scipy.sparse.linalg import splu

from plancost.pictures.layout import Position, in_rows, upright

_Floats = npt.NDArray[np.float64]
_Numbers = npt.NDArray[np.int64]

_ROUNDS = 40
_MOST_PIVOTS = 100
_LEAST_PIVOTS = 30
_DISTANCES = 1_000_000
"""At most about so many distances are looked at."""


def lay_out_large(
    count: int, edges: Sequence[tuple[int, int]], lengths: Sequence[float]
) -> list[Position]:
    """A position for each place; neighbours are about as far apart as the edge is long.

    Lengths are positive; of several edges between two places the shortest counts.
    """
    if count == 0:
        return []
    graph = _graph(count, edges, lengths)
    number, labels = connected_components(graph, directed=False)
    order = np.argsort(labels, kind="stable")
    parts = np.split(order, np.cumsum(np.bincount(labels, minlength=number))[:-1])
    placed = [_part(csr_array(graph[part][:, part])) for part in parts]
    positions = np.zeros((count, 2))
    for part, where in zip(parts, in_rows(placed), strict=True):
        positions[part] = where
    return [(float(x), float(y)) for x, y in positions]


def _graph(
    count: int, edges: Sequence[tuple[int, int]], lengths: Sequence[float]
) -> csr_array[np.float64]:
    """Both directions of each edge; lengths with the mean 1, and none far below it."""
    shortest: dict[tuple[int, int], float] = {}
    for (one, two), length in zip(edges, lengths, strict=True):
        if one != two:
            pair = (min(one, two), max(one, two))
            shortest[pair] = min(length, shortest.get(pair, length))
    pairs = np.array(sorted(shortest), dtype=np.int64).reshape(-1, 2)
    values = np.array([shortest[one, two] for one, two in pairs.tolist()], dtype=np.float64)
    if len(values):
        values = np.maximum(values / values.mean(), 0.1)
    rows = np.concatenate([pairs[:, 0], pairs[:, 1]])
    columns = np.concatenate([pairs[:, 1], pairs[:, 0]])
    both = coo_array((np.concatenate([values, values]), (rows, columns)), shape=(count, count))
    return csr_array(both)


def _part(graph: csr_array[np.float64]) -> _Floats:
    """The positions of a connected part."""
    count = graph.shape[0]
    if count == 1:
        return np.zeros((1, 2))
    if count == 2:
        return np.array([[0.0, 0.0], [float(graph.max()), 0.0]])
    pivots, distances = _pivots(graph)
    where = _scaled(distances)
    edges = coo_array(graph)
    upper = edges.row < edges.col
    one = np.concatenate([edges.row[upper], np.repeat(pivots, count)])
    two = np.concatenate([edges.col[upper], np.tile(np.arange(count), len(pivots))])
    apart = np.concatenate([edges.data[upper], distances.ravel()])
    weights = np.where(apart > 0, 1 / np.maximum(apart, 1e-9) ** 2, 0.0)
    return upright(_majorised(where, one, two, apart, weights))


def _pivots(graph: csr_array[np.float64]) -> tuple[_Numbers, _Floats]:
    """Places far apart from each other, and the distance of every place from each of them."""
    count = graph.shape[0]
    number = min(count, max(_LEAST_PIVOTS, min(_MOST_PIVOTS, _DISTANCES // count)))
    chosen = [0]
    found = [dijkstra(graph, directed=False, indices=[0])[0]]
    nearest = found[0]
    while len(chosen) < number:
        chosen.append(int(np.argmax(nearest)))
        found.append(dijkstra(graph, directed=False, indices=[chosen[-1]])[0])
        nearest = np.minimum(nearest, found[-1])
    return np.array(chosen, dtype=np.int64), np.array(found, dtype=np.float64)


def _scaled(distances: _Floats) -> _Floats:
    """Pivot MDS, with a small offset so that no two places start in the same spot."""
    squares = distances**2
    centred = -0.5 * (
        squares
        - squares.mean(axis=0, keepdims=True)
        - squares.mean(axis=1, keepdims=True)
        + squares.mean()
    )
    _, vectors = np.linalg.eigh(centred @ centred.T)
    best = vectors[:, -2:][:, ::-1]
    best = best * np.where(best[np.abs(best).argmax(axis=0), [0, 1]] < 0, -1.0, 1.0)
    where = centred.T @ best
    spread = np.abs(where).max() or 1.0
    where *= distances.max() / (2 * spread)
    angles = np.arange(distances.shape[1]) * 2.399963  # the golden angle
    return np.asarray(where + 0.01 * np.column_stack([np.cos(angles), np.sin(angles)]))


def _majorised(
    where: _Floats, one: _Numbers, two: _Numbers, apart: _Floats, weights: _Floats
) -> _Floats:
    """Stress majorisation: each round solves one linear system for all places."""
    count = len(where)
    laplacian = _laplacian(count, one, two, weights)
    grounded = csc_array(laplacian + diags_array(np.full(count, 1e-9)))
    factor = splu(grounded, permc_spec="MMD_AT_PLUS_A", options={"SymmetricMode": True})
    for _ in range(_ROUNDS):
        difference = where[one] - where[two]
        length = np.sqrt((difference**2).sum(axis=1))
        pull = np.divide(weights * apart, length, out=np.zeros_like(apart), where=length > 1e-9)
        force = difference * pull[:, None]
        right = np.column_stack(
            [
                np.bincount(one, force[:, axis], count) - np.bincount(two, force[:, axis], count)
                for axis in (0, 1)
            ]
        )
        where = factor.solve(right)
        where -= where.mean(axis=0)
    return where


def _laplacian(count: int, one: _Numbers, two: _Numbers, weights: _Floats) -> csr_array[np.float64]:
    kept = one != two
    one, two, weights = one[kept], two[kept], weights[kept]
    rows, columns = np.concatenate([one, two]), np.concatenate([two, one])
    values = np.concatenate([-weights, -weights])
    between = coo_array((values, (rows, columns)), shape=(count, count))
    degrees = np.bincount(rows, -values, count)
    return csr_array(csr_array(between) + diags_array(degrees))

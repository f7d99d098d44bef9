"""Where to draw the nodes of a graph that has no coordinates.

Each connected part is laid out by stress majorisation: two nodes should be as far apart
in the picture as they are in the graph. It starts from classical scaling of the same
distances, so the same graph always gives the same picture. Parts stand in rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components, shortest_path

Position = tuple[float, float]
_Floats = npt.NDArray[np.float64]

_ROUNDS = 200
_GAP = 1.0
"""The distance between the parts of a graph; neighbours are 1 apart."""


def lay_out(count: int, edges: Iterable[tuple[int, int]]) -> list[Position]:
    """A position for each node; neighbours are about 1 apart."""
    if count == 0:
        return []
    pairs = np.array(sorted({(min(e), max(e)) for e in edges if e[0] != e[1]}), dtype=np.int64)
    pairs = pairs.reshape(-1, 2)
    matrix = coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(count, count))
    graph = matrix.tocsr()
    number, labels = connected_components(graph, directed=False)
    parts = [np.flatnonzero(labels == label) for label in range(number)]
    placed = []
    for part in parts:
        distances = shortest_path(graph[part][:, part], directed=False, unweighted=True)
        placed.append(_part(np.asarray(distances, dtype=np.float64)))
    positions = np.zeros((count, 2))
    for part, where in zip(parts, in_rows(placed), strict=True):
        positions[part] = where
    return [(float(x), float(y)) for x, y in positions]


def _part(distances: _Floats) -> _Floats:
    count = len(distances)
    if count == 1:
        return np.zeros((1, 2))
    where = _classical(distances)
    weights = np.where(distances > 0, 1 / np.maximum(distances, 1) ** 2, 0)
    laplacian = np.diag(weights.sum(axis=1)) - weights
    inverse = np.linalg.pinv(laplacian)
    for _ in range(_ROUNDS):
        apart = np.linalg.norm(where[:, None] - where[None, :], axis=2)
        ratio = np.divide(weights * distances, apart, out=np.zeros_like(apart), where=apart > 1e-9)
        target = np.diag(ratio.sum(axis=1)) - ratio
        where = inverse @ (target @ where)
    return upright(where)


def _classical(distances: _Floats) -> _Floats:
    """Classical scaling, with a small offset so that no two nodes start in the same place."""
    count = len(distances)
    centre = np.eye(count) - 1 / count
    values, vectors = np.linalg.eigh(-0.5 * centre @ distances**2 @ centre)
    best = np.argsort(-values, kind="stable")[:2]
    where = vectors[:, best] * np.sqrt(np.maximum(values[best], 0))
    angles = np.arange(count) * 2.399963  # the golden angle
    spread = np.column_stack([np.cos(angles), np.sin(angles)])
    return np.asarray(where + 0.01 * spread, dtype=np.float64)


def upright(where: _Floats) -> _Floats:
    """Rotate and mirror: wider than high, the first node to the left of and below the centre."""
    where = where - where.mean(axis=0)
    _, _, axes = np.linalg.svd(where, full_matrices=False)
    turned = where @ axes.T
    signs = np.where(turned[0] > 0, -1.0, 1.0)
    return np.asarray(turned * signs, dtype=np.float64)


def in_rows(parts: Sequence[_Floats]) -> list[_Floats]:
    """Arrange the parts of a graph in rows."""
    sizes = [part.max(axis=0) - part.min(axis=0) + _GAP for part in parts]
    widest = max(max(size[0] for size in sizes), 1.3 * sum(s[0] * s[1] for s in sizes) ** 0.5)
    x = y = height = 0.0
    found = []
    for part, size in zip(parts, sizes, strict=True):
        if x > 0 and x + size[0] > widest:
            x, y, height = 0.0, y + height, 0.0
        found.append(part - part.min(axis=0) + np.array([x, y]))
        x, height = x + size[0], max(height, size[1])
    return found

"""Where places are drawn that have no coordinates: by their names, or else by who is next to whom.

A layout makes places as far apart in the picture as they are in the graph (stress majorisation,
Gansner et al. 2004). In large graphs only distances to some pivots and to neighbours count
(Ortmann et al. 2017), so that 10,000 places take 10 s.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components, dijkstra

Floats = npt.NDArray[np.float64]
Way = tuple[int, int]

_NUMBER = re.compile(r"\d+")
_NEAR = 2
"""Numbers in names are coordinates if half of the ways are no longer than this."""
_PIVOTS = 80
_ALL_PIVOTS = 300
"""So many places are all pivots."""
_ROUNDS = 120
_GAP = 1.0


def from_names(places: Sequence[str], ways: Sequence[Way]) -> Floats | None:
    """Coordinates in names such as ``c2-3``, ``loc-x2-y3`` or ``p_1_4``; None if there are none.

    All names must be the same but for two numbers, and most ways must lead to places nearby.
    """
    if len({_NUMBER.sub("#", place) for place in places}) != 1:
        return None
    numbers = np.array([[float(word) for word in _NUMBER.findall(place)] for place in places])
    found = numbers[:, np.ptp(numbers, axis=0) > 0]
    if found.shape[1] != 2 or len(np.unique(found, axis=0)) < len(found):
        return None
    ends = np.array(ways)
    far = np.abs(found[ends[:, 0]] - found[ends[:, 1]]).max(axis=1)
    return found if np.median(far) <= _NEAR else None


def lay_out(count: int, ways: Sequence[Way]) -> Floats:
    """A position for each place; the same graph always gets the same picture."""
    ends = np.array(ways, dtype=np.int64).reshape(-1, 2)
    ends = ends[ends[:, 0] != ends[:, 1]]
    both = np.concatenate([ends, ends[:, ::-1]])
    graph = csr_array((np.ones(len(both)), both.T), shape=(count, count))
    graph.data[:] = 1.0  # where ways are parallel too
    number, labels = connected_components(graph, directed=False)
    parts = [np.flatnonzero(labels == label) for label in range(number)]
    placed = [_part(graph[part][:, part].tocsr()) for part in parts]
    positions = np.zeros((count, 2))
    for part, where in zip(parts, _in_rows(placed), strict=True):
        positions[part] = where
    return positions


def _part(graph: csr_array) -> Floats:
    """The layout of a connected graph."""
    count = graph.shape[0]
    if count < 2:
        return np.zeros((count, 2))
    far = _distances_to_pivots(graph)
    where = _scaled(far)
    pivots = np.argmin(far, axis=0)
    row, column = graph.nonzero()
    pull = np.divide(1.0, far**2, out=np.zeros_like(far), where=far > 0)
    pull *= min(1.0, len(row) / pull.sum() * 3) if count > _ALL_PIVOTS else 1.0
    total = pull.sum(axis=1) + np.bincount(row, minlength=count)
    for _ in range(_ROUNDS):
        pivot, ahead, behind = where[pivots], where[row], where[column]
        apart = [np.subtract.outer(where[:, axis], pivot[:, axis]) for axis in (0, 1)]
        strength = pull * far / np.maximum(np.hypot(*apart), 1e-9)
        between = ahead - behind
        ideal = behind + between / np.maximum(np.hypot(*between.T), 1e-9)[:, None]
        target = pull @ pivot
        for axis in (0, 1):
            target[:, axis] += np.einsum("ij,ij->i", strength, apart[axis])
            target[:, axis] += np.bincount(row, ideal[:, axis], count)
        where = 0.5 * where + 0.5 * target / total[:, None]
    return where


def _distances_to_pivots(graph: csr_array) -> Floats:
    """From all places (rows) to pivots, of which each is far from those before."""
    count = graph.shape[0]
    if count <= _ALL_PIVOTS:
        return np.asarray(dijkstra(graph, directed=False))
    found: list[Floats] = []
    nearest = np.arange(count, 0, -1).astype(np.float64)  # the first pivot is the first place
    while len(found) < _PIVOTS:
        pivot = np.array([nearest.argmax()])
        found.append(np.asarray(dijkstra(graph, directed=False, indices=pivot))[0])
        nearest = found[0] if len(found) == 1 else np.minimum(nearest, found[-1])
    return np.array(found).T


def _scaled(far: Floats) -> Floats:
    """Classical scaling, wider than high; moved a little so that no two places begin in one."""
    squares = far**2
    centred = squares - squares.mean(axis=0) - squares.mean(axis=1)[:, None] + squares.mean()
    axes, sizes, _ = np.linalg.svd(-0.5 * centred, full_matrices=False)
    where = axes[:, :2] * np.sqrt(sizes[:2])
    where *= far.mean() / max(1e-9, np.linalg.norm(where, axis=1).mean())
    moved = np.random.default_rng(0).normal(size=where.shape)
    return np.asarray(where + 0.01 * far.mean() * moved)


def _in_rows(parts: Sequence[Floats]) -> list[Floats]:
    """The parts of a graph side by side, in rows."""
    sizes = [np.ptp(part, axis=0) + _GAP for part in parts]
    widest = max(*(size[0] for size in sizes), 1.3 * sum(s[0] * s[1] for s in sizes) ** 0.5)
    x = y = height = 0.0
    found = []
    for part, size in zip(parts, sizes, strict=True):
        if x > 0 and x + size[0] > widest:
            x, y, height = 0.0, y - height, 0.0
        found.append(part - [part[:, 0].min(), part[:, 1].max()] + [x, y])
        x, height = x + size[0], max(height, size[1])
    return found

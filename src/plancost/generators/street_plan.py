"""The streets of a made-up city: where they go, what kind they are, and which are one-way.

The plan starts as a square lattice. Some of its lines become main roads and a ring; the districts
between main roads are thinned out, each at its own rate, until their blocks are irregular and
some streets are dead ends. A river is crossed on a few bridges. Junctions are then moved: squares
round the centre become round, the centre is denser than the outskirts, and no two blocks are
alike. Everything is computed on whole arrays, so that a hundred thousand links take a second.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


class Kind(enum.IntEnum):
    """What a street is."""

    STREET = 0
    COLLECTOR = 1
    ARTERIAL = 2
    RING = 3
    BRIDGE = 4


_LEAST_SIDE = 7
_MOST_TRIED = 20
_CLOSE = 0.01
"""So many plans are drawn until the number of links is that close to what is asked for."""
_BLOCK_M = 115.0
"""The mean distance of two lines of the lattice."""
_RING = 0.58
"""How far out the ring is; the edge of the city is at 1."""
_GAPS = (6, 11)
"""The least and the greatest number of blocks between two main roads, the latter not included."""
_KEPT = (0.05, 0.56)
"""The share of streets that are kept beyond those that hold a district together."""
_PARKS = 0.05
_PRUNED = 0.12
"""The share of dead ends that are taken away again."""
_ONE_WAY = 0.4
"""The share of streets that are one-way in the centre; it falls to none at the edge."""


@dataclass(frozen=True)
class StreetPlan:
    """Junctions and streets; a street goes between two junctions, once for both directions."""

    x: Floats
    y: Floats
    """Where junctions are, in metres."""
    starts: Integers
    ends: Integers
    kinds: Integers
    districts: Integers
    """The district of each street."""
    one_way: Flags
    """Whether a street is open from start to end only."""
    bends: Floats
    """How much longer than the straight line a street is: a factor of at least 1."""

    @property
    def links(self) -> int:
        """How many directed links there are."""
        return 2 * len(self.starts) - int(self.one_way.sum())


@dataclass(frozen=True)
class _Lattice:
    """Junctions are numbered row by row; `u` and `v` go from -1 to 1."""

    side: int
    main: Flags
    """Whether a line, row or column, is a main road."""
    half: Flags
    """Whether a line is a collector."""
    ring: int
    """The first line of the ring, counted from the edge."""
    band: Integers
    """How many main roads are before each line."""
    u: Floats
    v: Floats


def draw_plan(links: int, random: np.random.Generator) -> StreetPlan:
    """A plan with about so many directed links."""
    seed = int(random.integers(2**62))
    side = max(_LEAST_SIDE, round((links / 1.7) ** 0.5))
    plans: list[StreetPlan] = []
    while len(plans) < _MOST_TRIED and not any(_near(plan, links) for plan in plans):
        plans.append(_draw(side, np.random.default_rng([seed, len(plans)])))
        side = max(_LEAST_SIDE, round(side * (links / plans[-1].links) ** 0.5))
    return min(plans, key=lambda plan: abs(plan.links - links))


def _near(plan: StreetPlan, links: int) -> bool:
    return abs(plan.links - links) <= _CLOSE * links


def _draw(side: int, random: np.random.Generator) -> StreetPlan:
    lattice = _lattice(side, random)
    starts, ends = _lattice_streets(side)
    inside = _inside(lattice, random)
    kinds = _kinds(lattice, starts, ends)
    districts = _districts(lattice, starts, ends)
    number = int(lattice.band.max()) + 1
    parks = random.random(number * number) < _PARKS
    there = inside[starts] & inside[ends] & ~((kinds == Kind.STREET) & parks[districts])
    bridges = _bridges(lattice, (starts, ends), kinds, there, random)
    kinds = np.where(bridges, Kind.BRIDGE, kinds).astype(np.int64)
    there &= bridges | ~_crosses(lattice, starts, ends)
    there &= _in_largest_part(side * side, starts, ends, there)
    rates = random.uniform(*_KEPT, number * number)
    kept = there & (
        (kinds != Kind.STREET)
        | (random.random(len(starts)) < rates[districts])
        | _spanning(side * side, (starts, ends), kinds, there, random)
    )
    kept &= ~_pruned(side * side, (starts, ends), kinds, kept, random)
    one_way, turned = _one_way(lattice, (starts, ends), kinds, districts, random)
    picked = np.flatnonzero(kept)
    runs = _straight_runs(side, starts[picked], ends[picked], kinds[picked], one_way[picked])
    first, last = picked[runs[0]], picked[runs[1]]
    from_, to = starts[first], ends[last]
    flip = turned[first]
    from_, to = np.where(flip, to, from_), np.where(flip, from_, to)
    nodes, numbered = np.unique(np.concatenate([from_, to]), return_inverse=True)
    x, y = _positions(lattice, random)
    from_, to = numbered[: len(from_)], numbered[len(from_) :]
    one_way = _strongly_connected(len(nodes), from_, to, one_way[first])
    bends = 1 + random.gamma(1.0, 0.03, len(first))
    return StreetPlan(x[nodes], y[nodes], from_, to, kinds[first], districts[first], one_way, bends)


def _lattice(side: int, random: np.random.Generator) -> _Lattice:
    main = np.zeros(side, dtype=np.bool_)
    half = np.zeros(side, dtype=np.bool_)
    line = int(random.integers(2, 5))
    while line < side - 1:
        main[line] = True
        step = int(random.integers(*_GAPS))
        if line + step // 2 < side:
            half[line + step // 2] = True
        line += step
    ring = round((1 - _RING) * side / 2)
    band = np.cumsum(main).astype(np.int64)
    scale = np.linspace(-1, 1, side)
    v, u = (axis.ravel() for axis in np.meshgrid(scale, scale, indexing="ij"))
    return _Lattice(side, main, half & ~main, ring, band, u, v)


def _lattice_streets(side: int) -> tuple[Integers, Integers]:
    """Both ends of all streets, line by line: first along rows, then along columns."""
    number = np.arange(side * side, dtype=np.int64).reshape(side, side)
    starts = np.concatenate([number[:, :-1].ravel(), number.T[:, :-1].ravel()])
    ends = np.concatenate([number[:, 1:].ravel(), number.T[:, 1:].ravel()])
    return starts, ends


def _inside(lattice: _Lattice, random: np.random.Generator) -> Flags:
    """Which junctions are within the outline of the city."""
    x, y = _rounded(lattice.u, lattice.v)
    angle = np.arctan2(y, x)
    outline = np.full(len(angle), 0.95)
    for wave in (2, 3, 5):
        outline += 0.05 * np.sin(wave * angle + random.uniform(0, 2 * np.pi))
    found: Flags = np.hypot(x, y) <= outline
    return found


def _rounded(u: Floats, v: Floats) -> tuple[Floats, Floats]:
    """Squares round the centre become nearly circles."""
    return u * np.sqrt(1 - 0.4 * v**2), v * np.sqrt(1 - 0.4 * u**2)


def _is_row(starts: Integers, ends: Integers) -> Flags:
    found: Flags = ends - starts == 1
    return found


def _kinds(lattice: _Lattice, starts: Integers, ends: Integers) -> Integers:
    side, ring = lattice.side, lattice.ring
    row = _is_row(starts, ends)
    line = np.where(row, starts // side, starts % side)
    along = np.where(row, starts % side, starts // side)
    kinds = np.where(lattice.half[line], Kind.COLLECTOR, Kind.STREET)
    kinds = np.where(lattice.main[line], Kind.ARTERIAL, kinds)
    on_ring = (line == ring) | (line == side - 1 - ring)
    on_ring &= (along >= ring) & (along < side - 1 - ring)
    return np.where(on_ring, Kind.RING, kinds).astype(np.int64)


def _districts(lattice: _Lattice, starts: Integers, ends: Integers) -> Integers:
    """The district of each street: between which main roads its start is."""
    number = int(lattice.band.max()) + 1
    side = lattice.side
    rows, columns = starts // side, starts % side
    found: Integers = lattice.band[rows] * number + lattice.band[columns]
    return found


def _river(v: Floats) -> Floats:
    """Where the river is at each height."""
    return 0.12 + 0.16 * np.sin(2.3 * v + 0.7) + 0.05 * np.sin(6.1 * v)


def _crosses(lattice: _Lattice, starts: Integers, ends: Integers) -> Flags:
    east = lattice.u > _river(lattice.v)
    found: Flags = east[starts] != east[ends]
    return found


def _bridges(
    lattice: _Lattice,
    streets: tuple[Integers, Integers],
    kinds: Integers,
    there: Flags,
    random: np.random.Generator,
) -> Flags:
    """Main roads that lead across the river: a few of those that could, far from each other."""
    starts, ends = streets
    possible = there & _crosses(lattice, starts, ends) & _is_row(starts, ends)
    roads = possible & (kinds >= Kind.ARTERIAL)
    if roads.sum() < 2:
        roads = possible
    found = np.flatnonzero(roads)
    found = found[np.argsort(lattice.v[starts[found]], kind="stable")]
    wanted = min(len(found), max(2, lattice.side // 14))
    at = (np.arange(wanted) + random.uniform(0.2, 0.8)) * len(found) / max(1, wanted)
    chosen = np.zeros(len(starts), dtype=np.bool_)
    chosen[found[at.astype(np.int64)]] = True
    return chosen


def _in_largest_part(nodes: int, starts: Integers, ends: Integers, there: Flags) -> Flags:
    graph = coo_array(
        (np.ones(int(there.sum())), (starts[there], ends[there])), shape=(nodes, nodes)
    )
    _, part = connected_components(graph, directed=False)
    counted = np.bincount(part[starts[there]])
    found: Flags = part[starts] == counted.argmax()
    return found


def _spanning(
    nodes: int,
    streets: tuple[Integers, Integers],
    kinds: Integers,
    there: Flags,
    random: np.random.Generator,
) -> Flags:
    """Streets that hold the city together: a random spanning tree with all the main roads."""
    starts, ends = streets
    weight = np.where(kinds == Kind.STREET, 1 + random.random(len(starts)), 0.5)
    graph = coo_array((weight[there], (starts[there], ends[there])), shape=(nodes, nodes))
    tree = minimum_spanning_tree(graph.tocsr()).tocoo()
    keys = np.sort(tree.row.astype(np.int64) * nodes + tree.col)
    return _among(keys, starts * nodes + ends)


def _among(keys: Integers, asked: Integers) -> Flags:
    at = np.minimum(np.searchsorted(keys, asked), len(keys) - 1)
    found: Flags = keys[at] == asked
    return found


def _pruned(
    nodes: int,
    streets: tuple[Integers, Integers],
    kinds: Integers,
    kept: Flags,
    random: np.random.Generator,
) -> Flags:
    """Dead ends that are taken away."""
    starts, ends = streets
    gone = np.zeros(len(starts), dtype=np.bool_)
    for _ in range(2):
        left = kept & ~gone
        degree = np.bincount(np.concatenate([starts[left], ends[left]]), minlength=nodes)
        dead = left & (kinds == Kind.STREET) & ((degree[starts] == 1) | (degree[ends] == 1))
        gone |= dead & (random.random(len(starts)) < _PRUNED)
    return gone


def _one_way(
    lattice: _Lattice,
    streets: tuple[Integers, Integers],
    kinds: Integers,
    districts: Integers,
    random: np.random.Generator,
) -> tuple[Flags, Flags]:
    """Which streets are one-way, and which of these are open from end to start.

    A line within a district is one-way as a whole; neighbouring lines go opposite ways.
    """
    starts, ends = streets
    side = lattice.side
    row = _is_row(starts, ends)
    line = np.where(row, starts // side, starts % side)
    number = int(districts.max()) + 1
    drawn = random.random((2, side, number))[row.astype(np.int64), line, districts]
    out = np.hypot(lattice.u[starts], lattice.v[starts])
    found: Flags = (kinds == Kind.STREET) & (drawn < _ONE_WAY * np.clip(1 - out, 0, 1))
    turned: Flags = found & (line % 2 == 1)
    return found, turned


def _straight_runs(
    side: int, starts: Integers, ends: Integers, kinds: Integers, one_way: Flags
) -> tuple[Integers, Integers]:
    """The first and the last piece of each street between two junctions.

    Where only two pieces of one line meet, there is no junction. Pieces come line by line.
    """
    degree = np.bincount(np.concatenate([starts, ends]), minlength=side * side)
    row = _is_row(starts, ends)
    joined = (
        (ends[:-1] == starts[1:])
        & (row[:-1] == row[1:])
        & (degree[ends[:-1]] == 2)  # these two pieces and nothing else
        & (kinds[:-1] == kinds[1:])
        & (one_way[:-1] == one_way[1:])
    )
    first = np.flatnonzero(np.concatenate([[True], ~joined]))
    last = np.append(first[1:] - 1, len(starts) - 1)
    return first, last


def _strongly_connected(nodes: int, starts: Integers, ends: Integers, one_way: Flags) -> Flags:
    """Open streets in both directions until every junction can be reached from every other."""
    back = ~one_way
    tails = np.concatenate([starts, ends[back]])
    heads = np.concatenate([ends, starts[back]])
    graph = coo_array((np.ones(len(tails)), (tails, heads)), shape=(nodes, nodes))
    _, part = connected_components(graph, directed=True, connection="strong")
    found: Flags = one_way & (part[starts] == part[ends])
    return found


def _positions(lattice: _Lattice, random: np.random.Generator) -> tuple[Floats, Floats]:
    """Where junctions are, in metres."""
    step = 2 / (lattice.side - 1)
    calm = np.where(lattice.main | lattice.half, 0.08, 0.24)
    rows, columns = np.divmod(np.arange(lattice.side**2), lattice.side)
    u = lattice.u + step * calm[columns] * random.uniform(-1, 1, lattice.side**2)
    v = lattice.v + step * calm[rows] * random.uniform(-1, 1, lattice.side**2)
    for wave in (1.7, 3.1):
        phase = random.uniform(0, 2 * np.pi, 2)
        size = 0.09 / wave
        u, v = (
            u + size * np.sin(wave * np.pi * v + phase[0]),
            v + size * np.sin(wave * np.pi * u + phase[1]),
        )
    x, y = _rounded(np.clip(u, -1.2, 1.2), np.clip(v, -1.2, 1.2))
    scale = _BLOCK_M * (lattice.side - 1) / 2
    stretched = scale * (0.75 + 0.35 * np.hypot(x, y))
    return x * stretched, y * stretched

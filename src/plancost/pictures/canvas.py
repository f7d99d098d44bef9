"""Converts the coordinates of a scene to pixels of a drawing, where y grows downwards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from plancost.pictures.scene import Arrow, Edge, Route, Scene, lanes

_STEP = 84.0
"""Pixels between neighbours, if there is room."""
_LARGEST = 860.0
_MARGIN = 46.0
_SIDE = 9.0
"""How far an arrow is drawn to the right of its edge."""
_CLEAR = 6.0
"""How far an arrow is drawn from routes along its edge."""
_LANE = 7.0
_LANES_SHARE = 0.4
"""The largest share of the distance between neighbours that all lanes may take together."""
_WIDEST_LINE = 4.0
NAME_BESIDE = 8.0
"""How far names are written to the right of their points, and above them."""
_LETTER = 6.7
"""Estimated pixels of a letter, to leave room for names."""
_MOST_COSTS = 300
_LEAST_STEP_FOR_COSTS = 34.0
_TOGETHER = 0.3
_LEAST_TURN = 0.1
"""The sine of the smallest angle at which the intersection of two edges is used."""
_FARTHEST = 3.0
"""Corners farther off than this factor times the shift are cut off."""

Spot = complex
"""A point of the drawing: x is its real part and y, which grows downwards, its imaginary one."""
Way = tuple[Spot, Spot]


@dataclass(frozen=True)
class Canvas:
    """Where everything of a scene is drawn."""

    width: float
    height: float
    spots: tuple[Spot, ...]
    step: float
    """Pixels between neighbours."""
    lane: float
    """Pixels between neighbouring lanes."""
    shifts: tuple[float, ...]
    """How far each coloured route is shifted from its edges, to the right or down."""
    reaches: Mapping[Edge, float]
    """How far coloured routes reach to the side of a way."""

    def has_room_for_costs(self, scene: Scene) -> bool:
        """Whether the costs of arrows can be written beside them."""
        return self.step >= _LEAST_STEP_FOR_COSTS and len(scene.expensive_arrows) <= _MOST_COSTS

    @property
    def line(self) -> float:
        """How wide routes are."""
        return min(_WIDEST_LINE, max(1.2, 0.7 * self.lane))

    @property
    def end(self) -> float:
        """The radius of starts and goals."""
        return min(8.0, max(3.0, 0.11 * self.step))

    def path(self, route: Route, shift: float) -> list[Spot]:
        """The corners of a route on its lane."""
        spots = [self.spots[stop] for stop in route.stops]
        sides = [_beside(here, there, shift) for here, there in pairwise(spots) if here != there]
        if not sides:
            return [spot + shift * (1 + 1j) for spot in spots[:1]]
        corners = [_farther(sides[0], 0, shift)]
        for before, after in pairwise(sides):
            corners += _corner(before, after, abs(shift))
        return [*corners, _farther(sides[-1], 1, shift)]

    def arrow(self, arrow: Arrow) -> tuple[Spot, Spot, Spot]:
        """Where an arrow begins and ends, and where its cost is written."""
        source, target = self.spots[arrow.source], self.spots[arrow.target]
        ahead = unit(target - source)
        small = min(1.0, (abs(target - source) or 1.0) / _STEP)
        aside = max(_SIDE * small, self.reaches.get(arrow.edge, 0.0) + _CLEAR * small)
        side, gap = 1j * ahead * aside, 18 * ahead * small
        begin, end = source + gap + side, target - gap + side
        return begin, end, (begin + end) / 2 + 10j * ahead


def unit(way: Spot) -> Spot:
    """The unit direction of an edge; 0 if its ends coincide. Times ``1j`` it turns right."""
    return way / (abs(way) or 1.0)


def _beside(here: Spot, there: Spot, shift: float) -> Way:
    """An edge shifted sideways: to the right, or down if it is horizontal."""
    side = 1j * unit(there - here)
    total = side.real + side.imag
    if total < -1e-9 or (abs(total) <= 1e-9 and side.real < 0):
        side = -side
    return here + side * shift, there + side * shift


def _farther(way: Way, end: int, shift: float) -> Spot:
    """The end of an edge, moved a little to the right and down, so that ends do not coincide."""
    ahead = unit(way[1] - way[0])
    return way[end] + ahead * shift * (ahead.real + ahead.imag)


def _corner(before: Way, after: Way, shift: float) -> list[Spot]:
    """Where two shifted edges intersect, or the ends of both if that is too far away."""
    (start, end), (next_start, next_end) = before, after
    way, next_way = end - start, next_end - next_start
    if abs(next_start - end) < _TOGETHER:
        return [end]
    turn = _cross(way, next_way)
    if abs(turn) > _LEAST_TURN * abs(way) * abs(next_way):
        meeting = start + way * (_cross(next_start - start, next_way) / turn)
        if abs(meeting - end) <= _FARTHEST * shift:
            return [meeting]
    return [end, next_start]


def _cross(one: Spot, other: Spot) -> float:
    """The cross product: 0 if both have the same direction."""
    return (one.conjugate() * other).imag


def canvas_of(scene: Scene) -> Canvas:
    """Scale a scene so that neighbours are well apart, unless it is too large for that."""
    xs, ys = [point.x for point in scene.points], [point.y for point in scene.points]
    left, right, low, high = min(xs), max(xs), min(ys), max(ys)
    near = _neighbours_apart(scene)
    largest = max(right - left, high - low)
    scale = _STEP / near if largest == 0 else min(_STEP / near, _LARGEST / largest)
    spots = tuple(
        complex(_MARGIN + (point.x - left) * scale, _MARGIN + (high - point.y) * scale)
        for point in scene.points
    )
    found = lanes(scene.coloured)
    step = near * scale
    lane = min(_LANE, _LANES_SHARE * step / max(1.0, 2 * max(found, default=0.0)))
    width = 2 * _MARGIN + (right - left) * scale
    if scene.names_shown:
        ends = (
            spot.real + NAME_BESIDE + _LETTER * len(point.name)
            for point, spot in zip(scene.points, spots, strict=True)
        )
        width = max(width, *ends)
    height = 2 * _MARGIN + (high - low) * scale
    shifts = tuple(lane * number for number in found)
    reaches: dict[Edge, float] = {}
    for route, shift in zip(scene.coloured, shifts, strict=True):
        for edge in route.edges:
            reaches[edge] = max(reaches.get(edge, 0.0), abs(shift))
    return Canvas(width, height, spots, step, lane, shifts, reaches)


def _neighbours_apart(scene: Scene) -> float:
    """A distance between neighbours that most of them have at least."""
    at = [complex(point.x, point.y) for point in scene.points]
    lengths = sorted(abs(at[a] - at[b]) for a, b in scene.streets)
    return lengths[len(lengths) // 3] or 1.0 if lengths else 1.0

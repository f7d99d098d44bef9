"""From the coordinates of a scene to those of a drawing in pixels, where y grows downwards."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import hypot

from plancost.pictures.scene import Arrow, Route, Scene, lanes

_STEP = 84.0
"""Pixels between neighbours, if there is room."""
_LARGEST = 860.0
_MARGIN = 46.0
_SIDE = 9.0
"""Arrows stand to the right of the way that they go, so far from its middle."""
_LANE = 7.0
_LANES_SHARE = 0.4
"""The lanes of all routes together take at most this part of the way between neighbours."""
_WIDEST_LINE = 4.0
NAME_BESIDE = 8.0
"""Names are written so far to the right of their points, and above them."""
_LETTER = 6.7
"""Pixels that a letter of a name takes; a guess, to make room for names."""
_MOST_COSTS = 300
_LEAST_STEP_FOR_COSTS = 34.0
_TOGETHER = 0.3
_LEAST_TURN = 0.1
"""The sine of the angle from which on two ways are said to meet."""
_FARTHEST = 3.0
"""Times the shift: corners farther from where they should be are cut off."""

Spot = tuple[float, float]


@dataclass(frozen=True)
class Canvas:
    """Where everything of a scene is drawn."""

    width: float
    height: float
    spots: tuple[Spot, ...]
    step: float
    """Pixels between neighbours."""
    lane: float
    """Pixels between routes beside each other."""
    shifts: tuple[float, ...]
    """How far each coloured route is beside the ways that it takes, to the right or below."""

    def has_room_for_costs(self, scene: Scene) -> bool:
        """Whether the costs of arrows can be written beside them."""
        return self.step >= _LEAST_STEP_FOR_COSTS and len(scene.dear_arrows) <= _MOST_COSTS

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
        sides = [side for here, there in pairwise(spots) if (side := _beside(here, there, shift))]
        if not sides:
            return [(x + shift, y + shift) for x, y in spots[:1]]
        corners = [_farther(sides[0], 0, shift)]
        for before, after in pairwise(sides):
            corners += _corner(before, after, abs(shift))
        return [*corners, _farther(sides[-1], 1, shift)]

    def arrow(self, arrow: Arrow) -> tuple[Spot, Spot, Spot]:
        """Where an arrow begins and ends, and where its cost is written."""
        (x1, y1), (x2, y2) = self.spots[arrow.source], self.spots[arrow.target]
        length = hypot(x2 - x1, y2 - y1) or 1.0
        dx, dy = (x2 - x1) / length, (y2 - y1) / length
        small = min(1.0, length / _STEP)
        side_x, side_y = -dy * _SIDE * small, dx * _SIDE * small
        begin = (x1 + dx * 18 * small + side_x, y1 + dy * 18 * small + side_y)
        end = (x2 - dx * 18 * small + side_x, y2 - dy * 18 * small + side_y)
        middle = ((begin[0] + end[0]) / 2, (begin[1] + end[1]) / 2)
        return begin, end, (middle[0] - dy * 10, middle[1] + dx * 10)


def _beside(here: Spot, there: Spot, shift: float) -> tuple[Spot, Spot] | None:
    """A way moved sideways: to the right, or down if it is level."""
    across, down = there[0] - here[0], there[1] - here[1]
    length = hypot(across, down)
    if length == 0:
        return None
    x, y = -down / length, across / length
    if x + y < -1e-9 or (abs(x + y) <= 1e-9 and x < 0):
        x, y = -x, -y
    x, y = x * shift, y * shift
    return (here[0] + x, here[1] + y), (there[0] + x, there[1] + y)


def _farther(way: tuple[Spot, Spot], end: int, shift: float) -> Spot:
    """The end of a way, a little to the right and down along it, so that ends lie apart."""
    (x1, y1), (x2, y2) = way
    length = hypot(x2 - x1, y2 - y1)
    x, y = (x2 - x1) / length, (y2 - y1) / length
    along = shift * (x + y)
    return way[end][0] + x * along, way[end][1] + y * along


def _corner(before: tuple[Spot, Spot], after: tuple[Spot, Spot], shift: float) -> list[Spot]:
    """Where two ways that were moved sideways meet, or the ends of both if that is far off."""
    (x1, y1), (x2, y2) = before
    (x3, y3), (x4, y4) = after
    turn = (x2 - x1) * (y4 - y3) - (y2 - y1) * (x4 - x3)
    if hypot(x3 - x2, y3 - y2) < _TOGETHER:
        return [(x2, y2)]
    if abs(turn) > _LEAST_TURN * hypot(x2 - x1, y2 - y1) * hypot(x4 - x3, y4 - y3):
        along = ((x3 - x1) * (y4 - y3) - (y3 - y1) * (x4 - x3)) / turn
        x, y = x1 + along * (x2 - x1), y1 + along * (y2 - y1)
        if hypot(x - x2, y - y2) <= _FARTHEST * shift:
            return [(x, y)]
    return [(x2, y2), (x3, y3)]


def canvas_of(scene: Scene) -> Canvas:
    """Scale a scene so that neighbours are well apart, unless it is too large for that."""
    xs, ys = [point.x for point in scene.points], [point.y for point in scene.points]
    left, right, low, high = min(xs), max(xs), min(ys), max(ys)
    near = _neighbours_apart(scene)
    largest = max(right - left, high - low)
    scale = _STEP / near if largest == 0 else min(_STEP / near, _LARGEST / largest)
    spots = tuple(
        (_MARGIN + (point.x - left) * scale, _MARGIN + (high - point.y) * scale)
        for point in scene.points
    )
    found = lanes(scene.coloured)
    step = near * scale
    lane = min(_LANE, _LANES_SHARE * step / max(1.0, 2 * max(found, default=0.0)))
    width = 2 * _MARGIN + (right - left) * scale
    if scene.names_shown:
        ends = (
            x + NAME_BESIDE + _LETTER * len(point.name)
            for point, (x, _) in zip(scene.points, spots, strict=True)
        )
        width = max(width, *ends)
    return Canvas(
        width,
        2 * _MARGIN + (high - low) * scale,
        spots,
        step,
        lane,
        tuple(lane * number for number in found),
    )


def _neighbours_apart(scene: Scene) -> float:
    """How far it is between neighbours, for most of them."""
    lengths = sorted(
        hypot(scene.points[a].x - scene.points[b].x, scene.points[a].y - scene.points[b].y)
        for a, b in scene.streets
    )
    found = lengths[len(lengths) // 3] if lengths else 1.0
    return found or 1.0

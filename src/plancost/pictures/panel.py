"""A scene drawn by matplotlib, which is an extra and loaded on demand."""

from __future__ import annotations

import io
from collections.abc import Sequence
from math import ceil, sqrt
from typing import TYPE_CHECKING, Any

from plancost.errors import PlancostError
from plancost.files.escape import escaped
from plancost.pictures.canvas import NAME_BESIDE, Canvas, Spot, canvas_of
from plancost.pictures.palette import LIGHT
from plancost.pictures.scene import CostScale, Scene

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_DOTS_AN_INCH = 150
_PIXELS_AN_INCH = 96
_INCHES_A_LETTER = 0.085
_INCHES_A_MARK = 0.8
_INCHES_A_LINE = 0.22
"""The estimated size of a legend, to leave room for it."""


class PlotsMissingError(PlancostError):
    """matplotlib is not installed."""


def new_figure(width: float, height: float) -> Figure:
    """An empty figure of this size in inches."""
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        raise PlotsMissingError(
            "figures need matplotlib: run 'pip install plancost[plots]'"
        ) from error
    return Figure(figsize=(width, height), layout="constrained")


def png(scene: Scene) -> bytes:
    """A picture as PNG."""
    canvas = canvas_of(scene)
    lines = len(scene.coloured) + len(scene.cost_scale.groups())
    longest = max((len(route.name) for route in scene.coloured), default=0)
    width = max(canvas.width / _PIXELS_AN_INCH, 5.0)
    columns = max(1, min(int(width / (_INCHES_A_LETTER * longest + _INCHES_A_MARK)), lines))
    below = _INCHES_A_LINE * (ceil(lines / columns) + len(scene.notes) + 1)
    figure = new_figure(width, canvas.height / _PIXELS_AN_INCH + below)
    panel = figure.subplots()
    draw(panel, scene, scene.cost_scale)
    handles = [
        panel.plot([], [], color=colour, linewidth=2.5, label=plain(f" {route.name}"))[0]
        for colour, route in zip(LIGHT.routes, scene.coloured, strict=False)
    ]
    handles += cost_handles(panel, scene.cost_scale)
    if handles:
        figure.legend(handles=handles, loc="outside lower center", ncols=columns, frameon=False)
    if scene.notes:
        panel.set_title("\n".join(map(plain, scene.notes)), fontsize=8)
    content = io.BytesIO()
    figure.savefig(content, format="png", dpi=_DOTS_AN_INCH)
    return content.getvalue()


def draw(panel: Axes, scene: Scene, scale: CostScale) -> None:
    """Draw a scene; `scale` is its own colour scale, or one that several panels share."""
    canvas = canvas_of(scene)
    for a, b in scene.streets:
        _line(panel, [canvas.spots[a], canvas.spots[b]], color="lightgray", linewidth=1, zorder=0)
    most = max(scene.uses.values(), default=1)
    for (a, b), count in sorted(scene.uses.items()):
        width = max(1.0, 10 * sqrt(count / most))
        ends = [canvas.spots[a], canvas.spots[b]]
        _line(panel, ends, color=LIGHT.crowd, linewidth=width, zorder=1)
    for route, shift, colour in zip(scene.coloured, canvas.shifts, LIGHT.routes, strict=False):
        _route(panel, canvas, canvas.path(route, shift), colour)
    labelled = canvas.has_room_for_costs(scene)
    for arrow in scene.expensive_arrows:
        begin, end, label = map(_pair, canvas.arrow(arrow))
        colour = LIGHT.costs[scale.group(arrow.greatest)]
        style = {"arrowstyle": "-|>", "color": colour, "linewidth": 2.0, "shrinkA": 0, "shrinkB": 0}
        panel.annotate("", xy=end, xytext=begin, arrowprops=style, zorder=4)
        if labelled:
            panel.text(*label, arrow.label, color=colour, ha="center", va="center", zorder=5)
    if scene.names_shown:
        for point, spot in zip(scene.points, canvas.spots, strict=True):
            x, y = _pair(spot + NAME_BESIDE * (1 - 1j))
            panel.text(x, y, plain(point.name), color=LIGHT.ink, fontsize=8, zorder=5)
    panel.set_xlim(0, canvas.width)
    panel.set_ylim(canvas.height, 0)
    panel.set_aspect("equal")
    panel.set_axis_off()


def cost_handles(panel: Axes, scale: CostScale) -> list[Any]:
    """The colours of costs, for a legend."""
    return [
        panel.plot([], [], color=colour, label=f"cost {name}")[0]
        for colour, name in zip(LIGHT.costs, scale.groups(), strict=False)
    ]


def plain(words: str) -> str:
    """Text without mathematics markup or characters that no font has, for matplotlib."""
    return escaped(words).replace("$", r"\$")


def _pair(spot: Spot) -> tuple[float, float]:
    return spot.real, spot.imag


def _line(panel: Axes, spots: Sequence[Spot], *kind: str, **style: Any) -> None:  # noqa: ANN401
    panel.plot([spot.real for spot in spots], [spot.imag for spot in spots], *kind, **style)


def _route(panel: Axes, canvas: Canvas, spots: Sequence[Spot], colour: str) -> None:
    # Widths are in points, of which there are 72 to the inch.
    width, end = 0.75 * canvas.line, 1.5 * canvas.end
    _line(panel, spots, color=colour, linewidth=width, zorder=2)
    _line(
        panel, spots[-1:], "o", markeredgecolor=colour, markerfacecolor="white",
        markeredgewidth=width, markersize=end, zorder=3,
    )  # fmt: skip
    radius = end if spots[0] != spots[-1] else end / 2
    _line(panel, spots[:1], "o", color=colour, markersize=radius, zorder=3)

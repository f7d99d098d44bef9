"""A scene drawn by matplotlib, which is an extra and loaded on demand."""

from __future__ import annotations

import io
from math import ceil, sqrt
from typing import TYPE_CHECKING, Any

from plancost.errors import PlancostError
from plancost.files.escape import escaped
from plancost.pictures import palette
from plancost.pictures.canvas import NAME_BESIDE, Canvas, canvas_of
from plancost.pictures.scene import Route, Scene

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_DOTS_AN_INCH = 150
_PIXELS_AN_INCH = 96
_INCHES_A_LETTER = 0.085
_INCHES_A_MARK = 0.8
_INCHES_A_LINE = 0.22
"""What a legend takes; a guess, to make room for it."""


class PlotsMissingError(PlancostError):
    """matplotlib is not installed."""


def new_figure(width: float, height: float) -> Figure:
    """An empty figure of so many inches."""
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
    scale = palette.CostScale(arrow.greatest for arrow in scene.dear_arrows)
    lines = len(scene.coloured) + (len(scale.groups()) if scene.dear_arrows else 0)
    longest = max((len(route.name) for route in scene.coloured), default=0)
    width = max(canvas.width / _PIXELS_AN_INCH, 5.0)
    columns = max(1, min(int(width / (_INCHES_A_LETTER * longest + _INCHES_A_MARK)), lines))
    below = _INCHES_A_LINE * (ceil(lines / columns) + len(scene.notes) + 1)
    figure = new_figure(width, canvas.height / _PIXELS_AN_INCH + below)
    panel = figure.subplots()
    draw(panel, scene)
    handles = _route_handles(panel, scene.coloured)
    handles += cost_handles(panel, scale) if scene.dear_arrows else []
    if handles:
        figure.legend(handles=handles, loc="outside lower center", ncols=columns, frameon=False)
    if scene.notes:
        panel.set_title("\n".join(map(plain, scene.notes)), fontsize=8)
    content = io.BytesIO()
    figure.savefig(content, format="png", dpi=_DOTS_AN_INCH)
    return content.getvalue()


def draw(panel: Axes, scene: Scene, scale: palette.CostScale | None = None) -> None:
    """Draw a scene; `scale` is for costs that several panels share."""
    canvas = canvas_of(scene)
    dear = scene.dear_arrows
    colours = scale or palette.CostScale(arrow.greatest for arrow in dear)
    for a, b in scene.streets:
        (x1, y1), (x2, y2) = canvas.spots[a], canvas.spots[b]
        panel.plot([x1, x2], [y1, y2], color="lightgray", linewidth=1, zorder=0)
    uses = scene.uses
    for (a, b), count in sorted(uses.items()):
        (x1, y1), (x2, y2) = canvas.spots[a], canvas.spots[b]
        width = max(1.0, 10 * sqrt(count / max(uses.values())))
        panel.plot([x1, x2], [y1, y2], color=palette.CROWD, linewidth=width, zorder=1)
    for number, (route, shift) in enumerate(zip(scene.coloured, canvas.shifts, strict=True)):
        _route(panel, canvas, route, shift, palette.ROUTES[number])
    labelled = canvas.has_room_for_costs(scene)
    for arrow in dear:
        begin, end, label = canvas.arrow(arrow)
        colour = palette.COSTS[colours.group(arrow.greatest)]
        style = {"arrowstyle": "-|>", "color": colour, "linewidth": 2.0, "shrinkA": 0, "shrinkB": 0}
        panel.annotate("", xy=end, xytext=begin, arrowprops=style, zorder=4)
        if labelled:
            panel.text(*label, arrow.label, color=colour, ha="center", va="center", zorder=5)
    if scene.names_shown:
        for point, (x, y) in zip(scene.points, canvas.spots, strict=True):
            panel.text(
                x + NAME_BESIDE,
                y - NAME_BESIDE,
                plain(point.name),
                color=palette.INK,
                fontsize=8,
                zorder=5,
            )
    panel.set_xlim(0, canvas.width)
    panel.set_ylim(canvas.height, 0)
    panel.set_aspect("equal")
    panel.set_axis_off()


def cost_handles(panel: Axes, scale: palette.CostScale) -> list[Any]:
    """The colours of costs, for a legend."""
    return [
        panel.plot([], [], color=palette.COSTS[group], label=f"cost {name}")[0]
        for group, name in enumerate(scale.groups())
    ]


def plain(words: str) -> str:
    """Words that matplotlib takes neither for mathematics nor for signs that no font has."""
    return escaped(words).replace("$", r"\$")


def _route_handles(panel: Axes, routes: tuple[Route, ...]) -> list[Any]:
    return [
        panel.plot([], [], color=palette.ROUTES[n], linewidth=2.5, label=plain(f" {route.name}"))[0]
        for n, route in enumerate(routes)
    ]


def _route(panel: Axes, canvas: Canvas, route: Route, shift: float, colour: str) -> None:
    spots = canvas.path(route, shift)
    xs, ys = [x for x, _ in spots], [y for _, y in spots]
    # Widths are in points, of which there are 72 to the inch.
    width, end = 0.75 * canvas.line, 1.5 * canvas.end
    panel.plot(xs, ys, color=colour, linewidth=width, zorder=2)
    panel.plot(
        xs[-1:], ys[-1:], "o", markeredgecolor=colour, markerfacecolor="white",
        markeredgewidth=width, markersize=end, zorder=3,
    )  # fmt: skip
    radius = end if spots[0] != spots[-1] else end / 2
    panel.plot(xs[:1], ys[:1], "o", color=colour, markersize=radius, zorder=3)

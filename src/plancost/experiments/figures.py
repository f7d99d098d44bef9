"""Figures 1 and 2 from records, as PNG and SVG. matplotlib is an extra, loaded on demand."""

from __future__ import annotations

import io
import re
import statistics
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plancost.errors import InputError, PlancostError
from plancost.experiments.figure1 import SIDE
from plancost.experiments.plan import ALL, BASELINE, EXACT, Study
from plancost.experiments.records import Content
from plancost.experiments.statistics import Outcomes
from plancost.generators.record import write_file

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLOURS = {"grid": "tab:blue", "barman": "tab:green", "openstacks": "tab:orange"}
_COLOURS["transport"] = "tab:red"
_OTHER_COLOUR = "tab:gray"
_COST_COLOURS = {3: "red", 5: "hotpink", 7: "purple"}
_ROUTE_SHIFT = 0.07
"""Routes are drawn beside each other."""
_BORDER = 0.4
_ABOVE = 1.6
"""Runs that failed stand so much above the line of the time limit."""
_MOVE = re.compile(r"\(move x(\d+)y(\d+) x(\d+)y(\d+)\)")
_DOTS_AN_INCH = 150


class PlotsMissingError(PlancostError):
    """matplotlib is not installed."""


def _new_figure(width: float, height: float) -> Figure:
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        raise PlotsMissingError(
            "figures need matplotlib: run 'pip install plancost[plots]'"
        ) from error
    return Figure(figsize=(width, height), layout="constrained")


def draw_seconds(study: Study, outcomes: Outcomes, path: Path) -> list[Path]:
    """Figure 2 or one of its siblings: seconds over k, one panel a size, a colour a domain."""
    figure = _new_figure(4.2 * len(study.sizes), 3.6)
    panels = figure.subplots(1, len(study.sizes), sharey=True, squeeze=False)[0]
    for panel, size in zip(panels, study.sizes, strict=True):
        _panel(panel, study, outcomes, size)
    panels[0].set_ylabel("seconds")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=5, frameon=False)
    return _write(figure, path)


def _panel(panel: Axes, study: Study, outcomes: Outcomes, size: int) -> None:
    limit = study.bounds.time_s
    for number, pool in enumerate(study.pools):
        colour = _COLOURS.get(pool.domain, _OTHER_COLOUR)
        shift = 0.16 * (number - (len(study.pools) - 1) / 2)
        middles: dict[bool, list[tuple[float, float]]] = {False: [], True: []}
        for position, row in enumerate(study.rows):
            found = [
                outcome
                for task in range(1, study.tasks + 1)
                if (outcome := outcomes.get((pool.domain, size, task, row)))
            ]
            heights = [max(0.01, item.seconds) if item.solved else limit * _ABOVE for item in found]
            x = position + shift
            for item, height in zip(found, heights, strict=True):
                marker = "o" if item.solved else "x"
                panel.plot([x], [height], marker, color=colour, markersize=4, alpha=0.7)
            if heights:
                middles[row == EXACT].append((x, statistics.median_high(heights)))
        for is_exact, points in middles.items():  # the exact row is no larger k
            if points:
                xs, ys = zip(*points, strict=True)
                label = None if is_exact else pool.domain
                panel.plot(xs, ys, "-", color=colour, linewidth=1.2, label=label)
    panel.axhline(limit, linestyle="--", color="black", linewidth=1, label=f"{limit:g} s")
    panel.set_yscale("log")
    panel.set_xticks(range(len(study.rows)), [_tick(row) for row in study.rows])
    panel.set_title(f"{size} plans")
    panel.set_xlabel("k (crosses: failed)")


def _tick(row: str) -> str:
    if row in (BASELINE, EXACT):
        return row
    if row == ALL:
        return "∞"
    power = len(row) - 1
    return f"$10^{power}$" if int(row) == 10**power else row


def draw_alignment(sides: Mapping[str, Content], path: Path) -> list[Path]:
    """Figure 1: the plans of both tasks, and the actions that cost more than 1."""
    figure = _new_figure(4.2 * len(sides), 4.8)
    panels = figure.subplots(1, len(sides), squeeze=False)[0]
    shown: set[int] = set()
    for panel, content in zip(panels, sides.values(), strict=True):
        _map(panel, content)
        shown |= set(content["costs"].values())
    lines: list[Any] = []
    for cost in sorted(shown):
        lines += panels[0].plot([], [], color=_cost_colour(cost), label=f"cost {cost}")
    if lines:
        figure.legend(handles=lines, loc="outside lower center", ncols=6, frameon=False)
    return _write(figure, path)


def _map(panel: Axes, content: Content) -> None:
    for position in range(SIDE):
        panel.plot([position, position], [0, SIDE - 1], color="lightgray", zorder=0)
        panel.plot([0, SIDE - 1], [position, position], color="lightgray", zorder=0)
    routes: dict[str, list[list[int]]] = content["routes"]
    for number, (colour, route) in enumerate(routes.items()):
        shift = _ROUTE_SHIFT * (number - (len(routes) - 1) / 2)
        xs, ys = [x + shift for x, _ in route], [y + shift for _, y in route]
        shade = f"tab:{colour}"
        panel.plot(xs, ys, color=shade, linewidth=2.5, zorder=2)
        panel.plot(xs[:1], ys[:1], "o", color=shade, markersize=11, zorder=3)
        panel.plot(
            xs[-1:], ys[-1:], "o", markeredgecolor=shade, markerfacecolor="white",
            markeredgewidth=2.5, markersize=11, zorder=3,
        )  # fmt: skip
    for name, cost in content["costs"].items():
        _arrow(panel, name, cost)
    panel.set_title(f"{content['optimal_plans']} of {content['plans']} plans optimal")
    panel.set_xlim(-_BORDER, SIDE - 1 + _BORDER)
    panel.set_ylim(-_BORDER, SIDE - 1 + _BORDER)
    panel.set_aspect("equal")
    panel.set_axis_off()


def _arrow(panel: Axes, name: str, cost: int) -> None:
    """An arrow to the right of the way that the action goes."""
    move = _MOVE.fullmatch(name)
    if move is None:
        raise InputError(f"{name} is not a move on a grid")
    x1, y1, x2, y2 = map(int, move.groups())
    right, up = x2 - x1, y2 - y1
    beside_x, beside_y = 0.15 * up, -0.15 * right
    panel.annotate(
        "",
        xy=(x2 - 0.2 * right + beside_x, y2 - 0.2 * up + beside_y),
        xytext=(x1 + 0.2 * right + beside_x, y1 + 0.2 * up + beside_y),
        arrowprops={"arrowstyle": "-|>", "color": _cost_colour(cost), "linewidth": 2.2},
        zorder=4,
    )


def _cost_colour(cost: int) -> str:
    """The paper's colours of 3, 5 and 7."""
    return _COST_COLOURS.get(cost, "saddlebrown")


def _write(figure: Figure, path: Path) -> list[Path]:
    """Write a figure as PNG and SVG; the same figure gives the same SVG."""
    from matplotlib import rc_context

    png, svg = io.BytesIO(), io.StringIO()
    figure.savefig(png, format="png", dpi=_DOTS_AN_INCH)
    with rc_context({"svg.hashsalt": "plancost"}):
        figure.savefig(svg, format="svg", metadata={"Date": None})
    files = [path.with_suffix(".png"), path.with_suffix(".svg")]
    write_file(files[0], png.getvalue())
    write_file(files[1], svg.getvalue())
    return files

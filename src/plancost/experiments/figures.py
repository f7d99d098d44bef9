"""Figures 1 and 2 from records, as PNG and SVG. matplotlib is an extra, loaded on demand."""

from __future__ import annotations

import io
import statistics
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from plancost.experiments.figure1 import alignment_scene, ranges_scene
from plancost.experiments.plan import ALL, BASELINE, EXACT
from plancost.experiments.records import Content
from plancost.experiments.statistics import Results
from plancost.experiments.tables import power_of_ten
from plancost.files.output_files import write_file
from plancost.pictures.panel import cost_handles, draw, new_figure
from plancost.pictures.scene import CostScale

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLOURS = {
    "grid": "tab:blue",
    "barman": "tab:green",
    "openstacks": "tab:orange",
    "transport": "tab:red",
}
ABOVE = 1.6
"""Runs that failed stand so much above the line of the time limit."""
_DOTS_AN_INCH = 150


def draw_seconds(results: Results, path: Path) -> list[Path]:
    """Figure 2 or one of its siblings: seconds over k, one panel a size, a colour a domain."""
    sizes = results.study.sizes
    figure = new_figure(4.2 * len(sizes), 3.6)
    panels = figure.subplots(1, len(sizes), sharey=True, squeeze=False)[0]
    for panel, size in zip(panels, sizes, strict=True):
        _panel(panel, results, size)
    panels[0].set_ylabel("seconds")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=5, frameon=False)
    return write_figure(figure, path)


def _panel(panel: Axes, results: Results, size: int) -> None:
    study = results.study
    limit = study.bounds.time_s
    for number, pool in enumerate(study.pools):
        colour = _COLOURS.get(pool.domain, "tab:gray")
        shift = 0.16 * (number - (len(study.pools) - 1) / 2)
        middles: dict[bool, list[tuple[float, float]]] = {False: [], True: []}
        for position, row in enumerate(study.rows):
            found = results.by_task(pool.domain, size, row).values()
            heights = [max(0.01, item.seconds) if item.solved else limit * ABOVE for item in found]
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
    panel.set_xticks(range(len(study.rows)), [tick(row) for row in study.rows])
    panel.set_title(f"{size} plans")
    panel.set_xlabel("k (crosses: failed)")


def tick(row: str) -> str:
    """A row on the axis of k."""
    if row in (BASELINE, EXACT):
        return row
    return "∞" if row == ALL else f"${power_of_ten(row)}$"


def draw_alignment(sides: Mapping[str, Content], path: Path) -> list[Path]:
    """Figure 1: the plans of both tasks, and the actions that cost more than 1.

    Below, where the records have ranges: the actions that can cost more than 1, and how much.
    """
    contents = list(sides.values())
    rows = [[alignment_scene(content) for content in contents]]
    if all("ranges" in content for content in contents):
        rows.append([ranges_scene(content) for content in contents])
    figure = new_figure(4.2 * len(sides), 4.6 * len(rows) + 0.2)
    panels = figure.subplots(len(rows), len(sides), squeeze=False)
    scenes = [scene for row in rows for scene in row]
    scale = CostScale(arrow.greatest for scene in scenes for arrow in scene.expensive_arrows)
    for panel, scene in zip(panels.flat, scenes, strict=True):
        draw(panel, scene, scale)
    for panel, content in zip(panels[0], contents, strict=True):
        panel.set_title(f"{content['optimal_plans']} of {content['plans']} plans optimal")
    for panel in panels[1:].flat:
        panel.set_title("costs that are possible")
    handles = cost_handles(panels[0][0], scale)
    if handles:
        figure.legend(handles=handles, loc="outside lower center", ncols=6, frameon=False)
    return write_figure(figure, path)


def write_figure(figure: Figure, path: Path) -> list[Path]:
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

"""Figures 1 and 2 from records, as SVG and PNG.

Figure 2 and its siblings show seconds over k, one panel a size, one colour a domain. Runs that
failed are crosses above the line of the time limit.
"""

from __future__ import annotations

import io
import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from experiments import figure1
from experiments.cells import Cell, cell, has_records
from experiments.records import Record, Records
from experiments.studies import ALL, BASELINE, EXACT, PoolPlan, Study
from plancost.errors import UsageError
from plancost.files import make_folder, write_atomically

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLOURS = {"grid": "tab:blue", "barman": "tab:green"} | {
    "openstacks": "tab:orange",
    "transport": "tab:red",
}
_COSTS = {3: "tab:red", 5: "violet", 7: "purple"}
"""The paper's colours of actions that cost more than 1."""
_OTHER_COST = "black"
_ABOVE = 1.6
"""Crosses stand so much above the line of the time limit."""
_LEAST_S = 0.1


def write_figures(studies: Sequence[Study], records: Records, folder: Path) -> list[Path]:
    """Figure 2 or its sibling of each study, and Figure 1, where there are records."""
    figures = {
        f"seconds-{study.name}": seconds_figure(study, records)
        for study in studies
        if has_records(study, records)
    }
    sides = {side: figure1.found(side, records) for side in figure1.ROUTES}
    learned = {side: record for side, record in sides.items() if record is not None}
    if learned:
        figures["figure1"] = alignment_figure(learned)
    return [path for name, drawn in figures.items() for path in _write(drawn, folder / name)]


def seconds_figure(study: Study, records: Records) -> Figure:
    """Figure 2: seconds over k."""
    figure = _figure(4.2 * len(study.sizes), 3.6)
    panels = figure.subplots(1, len(study.sizes), sharey=True, squeeze=False)[0]
    for panel, plans in zip(panels, study.sizes, strict=True):
        for pool in study.pools:
            cells = [cell(study, (pool, plans), row, records) for row in study.rows]
            _draw_domain(panel, study, pool, cells)
        panel.axhline(study.limit_s, linestyle="--", color="black", linewidth=1)
        panel.set_yscale("log")
        panel.set_xticks(range(len(study.rows)), [_tick(row) for row in study.rows])
        panel.set_title(f"{plans} plans")
        panel.set_xlabel("k")
    panels[0].set_ylabel("seconds (crosses: failed)")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=5, frameon=False)
    return figure


def _draw_domain(panel: Axes, study: Study, pool: PoolPlan, cells: Sequence[Cell]) -> None:
    """The runs of a domain; domains stand a little beside each other."""
    colour = _COLOURS[pool.world.name]
    shift = 0.16 * (study.pools.index(pool) - (len(study.pools) - 1) / 2)
    middles = []
    for position, found in enumerate(cells):
        solved = [max(_LEAST_S, record.seconds) for record in found.solved]
        failed = [study.limit_s * _ABOVE] * (len(found.records) - len(solved))
        x = position + shift
        panel.plot([x] * len(solved), solved, "o", color=colour, markersize=4, alpha=0.7)
        panel.plot([x] * len(failed), failed, "x", color=colour, markersize=4, alpha=0.7)
        if found.records and study.rows[position] != EXACT:  # exact is no larger k
            middles.append((x, statistics.median_high(solved + failed)))
    xs, ys = [x for x, _ in middles], [y for _, y in middles]
    panel.plot(xs, ys, "-", color=colour, linewidth=1.2, label=pool.world.name)


def alignment_figure(sides: Mapping[str, Record]) -> Figure:
    """Figure 1: the plans of both tasks, and the actions that cost more than 1."""
    figure = _figure(4.2 * len(sides), 4.6)
    panels = figure.subplots(1, len(sides), squeeze=False)[0]
    for panel, (side, record) in zip(panels, sides.items(), strict=True):
        _draw_routes(panel, side)
        costs = record.costs or {}
        for cost in sorted(set(costs.values())):
            colour = _COSTS.get(cost, _OTHER_COST)
            panel.plot([], [], color=colour, label=f"cost {cost}")
            _draw_arrows(panel, [name for name in costs if costs[name] == cost], colour)
        panel.set_title(f"{record.optimal} of {record.plans} plans optimal")
        panel.set_aspect("equal")
        panel.set_axis_off()
        panel.legend(loc="upper center", bbox_to_anchor=(0.5, 0), ncols=3, frameon=False)
    return figure


def _draw_routes(panel: Axes, side: str) -> None:
    """Filled dots are starts, empty ones goals."""
    cells = figure1.GRID.cells()
    panel.plot([x for x, _ in cells], [y for _, y in cells], ".", color="lightgray")
    for number, (name, route) in enumerate(figure1.ROUTES[side].items()):
        shift = 0.08 * (number - 1)  # plans that share a way stay visible
        xs, ys = [x + shift for x, _ in route], [y + shift for _, y in route]
        panel.plot(xs, ys, "-", color=f"tab:{name}", linewidth=2)
        panel.plot(xs[:1], ys[:1], "o", color=f"tab:{name}", markersize=9)
        panel.plot(
            xs[-1:], ys[-1:], "o", color=f"tab:{name}", markersize=9, markerfacecolor="white"
        )


def _draw_arrows(panel: Axes, names: Sequence[str], colour: str) -> None:
    ends = {
        figure1.move(*pair): pair
        for cell_ in figure1.GRID.cells()
        for pair in ((cell_, other) for other in figure1.GRID.cells())
    }
    for name in names:
        start, end = ends[name]
        style = {"arrowstyle": "-|>", "color": colour, "linewidth": 2}
        panel.annotate("", xy=end, xytext=start, arrowprops=style, zorder=4)


def _tick(row: str) -> str:
    if row in (BASELINE, EXACT):
        return row
    return "∞" if row == ALL else f"$10^{len(row) - 1}$"


def _figure(width: float, height: float) -> Figure:
    """An empty figure of this size in inches."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise UsageError("figures need matplotlib: run 'pip install plancost[plots]'") from None
    return Figure(figsize=(width, height), layout="constrained")


def _write(figure: Figure, path: Path) -> list[Path]:
    """As SVG, the same for the same figure, and as PNG."""
    from matplotlib import rc_context

    make_folder(path.parent)
    text = io.StringIO()
    with rc_context({"svg.hashsalt": "plancost", "svg.fonttype": "none"}):
        figure.savefig(text, format="svg", metadata={"Date": None})
    svg, png = path.with_suffix(".svg"), path.with_suffix(".png")
    write_atomically(svg, text.getvalue())
    figure.savefig(png, dpi=150)
    return [svg, png]

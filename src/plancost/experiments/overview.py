"""A table of the paper at a glance: the ratio of optimal plans over k, and seconds below it.

One panel a domain, one colour a size. A dashed line is the exact answer, which no k can exceed on
the same tasks; hollow squares are the paper's means, on its own tasks. Seconds are medians;
crosses above the limit are failures.
"""

from __future__ import annotations

import statistics
from pathlib import Path
from typing import TYPE_CHECKING

from plancost.experiments.figures import ABOVE, tick, write_figure
from plancost.experiments.paper import published
from plancost.experiments.plan import EXACT, EXACT_ALL
from plancost.experiments.statistics import Results
from plancost.pictures.panel import new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLOURS = ("tab:blue", "tab:orange", "tab:green")


def draw_overview(results: Results, path: Path) -> list[Path]:
    """The figure of a study, as PNG and SVG."""
    pools = results.study.pools
    width = 3.4 if len(pools) > 1 else 5.0
    figure = new_figure(width * len(pools), 6.2)
    panels = figure.subplots(2, len(pools), sharex=True, sharey="row", squeeze=False)
    for (above, below), pool in zip(panels.T, pools, strict=True):
        above.set_title(pool.domain)
        above.set_ylim(-0.03, 1.03)
        for colour, size in zip(_COLOURS, results.study.sizes, strict=False):
            _ratios(above, results, pool.domain, size, colour)
            _seconds(below, results, pool.domain, size, colour)
        limit = results.study.bounds.time_s
        below.axhline(limit, linestyle=":", color="black", linewidth=1)
        below.set_yscale("log")
        rows = _rows(results)
        below.set_xticks(range(len(rows)), [tick(row) for row in rows])
        below.set_xlabel("k (crosses: failed)")
    panels[0][0].set_ylabel("optimal plans")
    panels[1][0].set_ylabel("seconds")
    handles, labels = panels[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False)
    return write_figure(figure, path)


def _rows(results: Results) -> list[str]:
    return [row for row in results.study.rows if row != EXACT]


def _ratios(panel: Axes, results: Results, domain: str, size: int, colour: str) -> None:
    theirs = published(results.study.name)
    ours: list[tuple[int, float]] = []
    paper: list[tuple[int, float]] = []
    for position, row in enumerate(_rows(results)):
        mean = results.cell(domain, size, row).mean
        ours += [] if mean is None else [(position, mean)]
        cell = theirs.get((domain, size, row))
        paper += [] if cell is None or cell.mean is None else [(position, cell.mean)]
    best = results.cell(domain, size, EXACT_ALL).mean
    name = f"{size} plans"
    panel.plot(*_axes(ours), "o-", color=colour, markersize=5, label=name)
    panel.plot(
        *_axes(paper), "s:", color=colour, markerfacecolor="none", linewidth=0.8,
        label=f"{name}, in the paper",
    )  # fmt: skip
    ends = [] if best is None else [(0, best), (len(_rows(results)) - 1, best)]
    panel.plot(*_axes(ends), "--", color=colour, linewidth=1.4, label=f"{name}, exact")


def _seconds(panel: Axes, results: Results, domain: str, size: int, colour: str) -> None:
    solved: list[tuple[int, float]] = []
    failed: list[tuple[int, float]] = []
    above = results.study.bounds.time_s * ABOVE
    for position, row in enumerate(_rows(results)):
        runs = results.by_task(domain, size, row).values()
        seconds = [max(0.01, run.seconds) for run in runs if run.solved]
        solved += [(position, statistics.median(seconds))] if seconds else []
        failed += [] if all(run.solved for run in runs) else [(position, above)]
    exact = [run.seconds for run in results.by_task(domain, size, EXACT).values() if run.solved]
    panel.plot(*_axes(solved), "o-", color=colour, markersize=5)
    panel.plot(*_axes(failed), "x", color=colour)
    last = len(_rows(results)) - 1
    ends = [(0, statistics.median(exact)), (last, statistics.median(exact))] if exact else []
    panel.plot(*_axes(ends), "--", color=colour, linewidth=1.4)


def _axes(points: list[tuple[int, float]]) -> tuple[list[int], list[float]]:
    return [x for x, _ in points], [y for _, y in points]

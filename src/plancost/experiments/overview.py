"""A table of the paper at a glance: the ratio of optimal plans over k, and seconds below it.

One panel a domain, one colour a size. A dashed line is the exact answer, which no k can exceed on
the same tasks; it is dotted where that is not proven in all tasks (for seconds: where an objective
is not). Hollow squares are the paper's means, on its own tasks. Seconds are medians; crosses above
the limit are failures, grey ones are inferred. Sizes stand a little apart, so that equal values do
not cover each other.
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
_APART = 0.12
"""How far two sizes stand apart, in steps of k."""
_INFERRED = "0.7"
_PROVEN, _OPEN = "--", ":"


def draw_overview(results: Results, path: Path) -> list[Path]:
    """The figure of a study, as PNG and SVG."""
    pools = results.study.pools
    width = 3.4 if len(pools) > 1 else 5.0
    figure = new_figure(width * len(pools), 6.4)
    panels = figure.subplots(2, len(pools), sharex=True, sharey="row", squeeze=False)
    for (above, below), pool in zip(panels.T, pools, strict=True):
        above.set_title(pool.domain)
        above.set_ylim(-0.03, 1.03)
        for number, size in enumerate(results.study.sizes[: len(_COLOURS)]):
            _ratios(above, results, pool.domain, size, number)
            _seconds(below, results, pool.domain, size, number)
        limit = results.study.bounds.time_s
        below.axhline(limit, linestyle="-", color="black", linewidth=0.8)
        below.set_yscale("log")
        rows = _rows(results)
        below.set_xticks(range(len(rows)), [tick(row) for row in rows])
        below.set_xlabel("k")
    panels[0][0].set_ylabel("share of optimal plans")
    panels[1][0].set_ylabel("seconds")
    handles, labels = panels[0][0].get_legend_handles_labels()
    for handle, label in _other_marks(panels[1][0], limit):
        handles.append(handle)
        labels.append(label)
    figure.legend(handles, labels, loc="outside lower center", ncols=4, frameon=False)
    return write_figure(figure, path)


def _other_marks(panel: Axes, limit: float) -> list[tuple[object, str]]:
    """What the legend says besides the lines of each size."""
    marks = (
        ({"marker": "x", "linestyle": "", "color": "black"}, "failed"),
        ({"marker": "x", "linestyle": "", "color": _INFERRED}, "failed, inferred"),
        ({"linestyle": _OPEN, "color": "black"}, "exact, not proven in all tasks"),
        ({"linestyle": "-", "color": "black", "linewidth": 0.8}, f"time limit, {limit:g} s"),
    )
    return [(panel.plot([], [], **style)[0], label) for style, label in marks]


def _rows(results: Results) -> list[str]:
    return [row for row in results.study.rows if row != EXACT]


def _shift(number: int) -> float:
    return _APART * (number - (len(_COLOURS) - 1) / 2)


def _ratios(panel: Axes, results: Results, domain: str, size: int, number: int) -> None:
    theirs = published(results.study.name)
    ours: list[tuple[float, float]] = []
    paper: list[tuple[float, float]] = []
    for position, row in enumerate(_rows(results)):
        x = position + _shift(number)
        mean = results.cell(domain, size, row).mean
        ours += [] if mean is None else [(x, mean)]
        cell = theirs.get((domain, size, row))
        paper += [] if cell is None or cell.mean is None else [(x, cell.mean)]
    best = results.cell(domain, size, EXACT_ALL)
    name, colour = f"{size} plans", _COLOURS[number]
    panel.plot(*_axes(ours), "o-", color=colour, markersize=5, label=name)
    panel.plot(
        *_axes(paper), "s-", color=colour, markerfacecolor="none", linewidth=0.5, alpha=0.8,
        label=f"{name}, in the paper",
    )  # fmt: skip
    style = _OPEN if best.unproved else _PROVEN
    ends = _across(results, best.mean)
    panel.plot(*_axes(ends), style, color=colour, linewidth=1.4, label=f"{name}, exact")


def _seconds(panel: Axes, results: Results, domain: str, size: int, number: int) -> None:
    solved: list[tuple[float, float]] = []
    colour = _COLOURS[number]
    above = results.study.bounds.time_s * ABOVE ** (number + 1)
    for position, row in enumerate(_rows(results)):
        runs = results.by_task(domain, size, row).values()
        x = position + _shift(number)
        seconds = [max(0.01, run.seconds) for run in runs if run.solved]
        solved += [(x, statistics.median(seconds))] if seconds else []
        failed = [run for run in runs if not run.solved]
        if failed:
            implied = all(run.inferred_from is not None for run in failed)
            panel.plot([x], [above], "x", color=_INFERRED if implied else colour)
    exact = [run for run in results.by_task(domain, size, EXACT).values() if run.solved]
    panel.plot(*_axes(solved), "o-", color=colour, markersize=5)
    style = _PROVEN if all(run.finished for run in exact) else _OPEN
    median = statistics.median(run.seconds for run in exact) if exact else None
    panel.plot(*_axes(_across(results, median)), style, color=colour, linewidth=1.4)


def _across(results: Results, height: float | None) -> list[tuple[float, float]]:
    """A line through the whole panel."""
    return [] if height is None else [(0, height), (len(_rows(results)) - 1, height)]


def _axes(points: list[tuple[float, float]]) -> tuple[list[float], list[float]]:
    return [x for x, _ in points], [y for _, y in points]

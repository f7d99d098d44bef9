"""The pictures of docs/predicting.md: regret over plans, the front, and costs with error bars."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.predicting import LIKELY, SCENARIOS, SIZES, in_scale_of, mean_costs
from benchmarks.predicting_page import FIRST_FRESH, NAMES, NOISY, Study, noisy_table
from plancost.evaluation.recovery import SMALL_WORLDS
from plancost.files.output_files import write_file
from plancost.learning.choose.choice import Uncertainty
from plancost.pictures.panel import new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_FEW_AND_MANY = (10, 40)
"""Plans that costs with error bars are learned from."""
_COLOURS = {
    "ours": "tab:gray",
    "mean": "tab:blue",
    "strict": "tab:green",
    "maxent": "tab:red",
    "likely": "tab:orange",
}


def draw_all(study: Study, folder: Path) -> None:
    """Write all pictures to a folder."""
    _write(over_plans(study), folder / "predicting-plans.svg")
    if noisy_table(study):
        _write(front(study), folder / "predicting-front.svg")
    _write(error_bars(), folder / "predicting-costs.svg")


def over_plans(study: Study) -> Figure:
    """True regret over the number of plans, with 95 % intervals of the mean."""
    worlds = study.worlds(["clean"])
    figure = new_figure(4.5 * len(worlds), 3.6)
    panels = figure.subplots(1, len(worlds), squeeze=False)[0]
    methods = SCENARIOS["clean"].methods
    for panel, world in zip(panels, worlds, strict=True):
        for number, method in enumerate(methods):
            cells = [study.cell("clean", world, plans, method) for plans in SIZES]
            known = [cell for cell in cells if cell is not None and len(cell.own) > 1]
            panel.errorbar(
                [cell.plans * 1.03 ** (number - 2) for cell in known],
                [cell.mean("regret") for cell in known],
                yerr=[cell.half("regret") for cell in known],
                color=_COLOURS[method],
                marker="o",
                markersize=3,
                linewidth=1.2,
                label=NAMES.get(method, method),
            )
        panel.set_xscale("log")
        panel.set_xticks(SIZES, [str(plans) for plans in SIZES])
        panel.minorticks_off()
        panel.set_title(world)
        panel.set_xlabel("plans learned from")
    panels[0].set_ylabel("true regret")
    _legend(figure, panels[0])
    return figure


def front(study: Study) -> Figure:
    """Training plans that are optimal against true regret, from likelihood to optimality."""
    worlds = study.worlds(NOISY)
    figure = new_figure(2.6 * len(NOISY), 2.7 * len(worlds))
    panels = figure.subplots(len(worlds), len(NOISY), squeeze=False)
    for row, world in zip(panels, worlds, strict=True):
        for panel, scenario in zip(row, NOISY, strict=True):
            _front_panel(panel, study, scenario, world)
            panel.set_title(f"{world}, {scenario}", fontsize=9)
            panel.tick_params(labelsize=8)
        row[0].set_ylabel("true regret")
    for panel in panels[-1]:
        panel.set_xlabel("training plans optimal, %", fontsize=9)
    _legend(figure, panels[0][0])
    return figure


def _front_panel(panel: Axes, study: Study, scenario: str, world: str) -> None:
    (plans,) = SCENARIOS[scenario].sizes

    def spot(method: str) -> tuple[float, float] | None:
        cell = study.cell(scenario, world, plans, method)
        return None if cell is None else (100 * cell.kept_share, cell.mean("regret"))

    path = [at for at in map(spot, LIKELY) if at is not None]
    if path:
        panel.plot(*zip(*path, strict=True), "o-", color="tab:blue", markersize=4, label="likely")
    marks = (("likely", "o"), ("maxent", "*"), ("ours", "x"))
    for method, marker in marks:
        at = spot(method)
        if at is not None:
            size = 10 if method == "likely" else 8
            face = "none" if method == "likely" else None
            panel.plot(
                *([value] for value in at),
                marker,
                color=_COLOURS[method],
                markersize=size,
                markerfacecolor=face,
                linestyle="none",
                label=NAMES[method],
            )


def error_bars() -> Figure:
    """Mean costs with their 90 % intervals beside the true costs; faint where nothing is known."""
    figure = new_figure(9.0, 5.4)
    panels = figure.subplots(len(_FEW_AND_MANY), 1, squeeze=False)[:, 0]
    found = mean_costs(SMALL_WORLDS["grid"], FIRST_FRESH, _FEW_AND_MANY)
    for panel, plans, (result, draw) in zip(panels, _FEW_AND_MANY, found, strict=True):
        true = in_scale_of(result, draw.true)
        known = sorted((result.uncertainty or {}).items(), key=lambda item: item[1].mean)
        for is_observed, colour, label in (
            (True, "tab:blue", "mean and 90 % interval"),
            (False, "lightgray", "the same where plans say nothing of the action"),
        ):
            own = [(at, u) for at, (_, u) in enumerate(known) if u.observed is is_observed]
            _bars(panel, own, colour, label)
        panel.plot([true[name] for name, _ in known], "x", color="tab:red", label="true cost")
        panel.set_xticks([])
        panel.set_title(f"{plans} plans")
        panel.set_ylabel("cost")
    panels[-1].set_xlabel("actions, by their mean cost")
    _legend(figure, panels[0])
    return figure


def _bars(panel: Axes, own: list[tuple[int, Uncertainty]], colour: str, label: str) -> None:
    """Intervals at places."""
    if own:
        places, items = zip(*own, strict=True)
        below = [item.mean - item.least for item in items]
        above = [item.greatest - item.mean for item in items]
        means = [item.mean for item in items]
        panel.errorbar(
            places,
            means,
            yerr=[below, above],
            fmt="o",
            color=colour,
            markersize=3,
            elinewidth=1,
            label=label,
        )


def _legend(figure: Figure, panel: Axes) -> None:
    handles, labels = panel.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=6, frameon=False)


def _write(figure: Figure, file: Path) -> None:
    """The same figure gives the same file."""
    from matplotlib import rc_context

    svg = io.StringIO()
    with rc_context({"svg.hashsalt": "plancost"}):
        figure.savefig(svg, format="svg", metadata={"Date": None})
    write_file(file, svg.getvalue())

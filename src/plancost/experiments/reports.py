"""Tables, figures and the comparison page, from the records and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from plancost.errors import InputError
from plancost.experiments.comparison import comparison
from plancost.experiments.figure1 import ROUTES, figure1_key
from plancost.experiments.figures import draw_alignment, draw_seconds
from plancost.experiments.layout import Layout
from plancost.experiments.overview import draw_overview
from plancost.experiments.plan import Study
from plancost.experiments.statistics import Results
from plancost.experiments.tables import FORMS
from plancost.files.output_files import write_file
from plancost.pictures.panel import PlotsMissingError

_FIGURES = {"table2": "seconds-table2", "mcf": "figure2"}
"""What the figures of studies are called."""


@dataclass(frozen=True)
class Written:
    """The files of a report, and what could not be written."""

    files: tuple[Path, ...]
    notes: tuple[str, ...] = ()


def write_reports(study: Study, others: list[Study], layout: Layout, scale: str) -> Written:
    """The tables and the figure of a study, and the page over all studies with records."""
    layout.make()
    results = Results.load(study, layout.records)
    files = []
    for ending, form in FORMS.items():
        files.append(layout.tables / f"{study.name}.{ending}")
        write_file(files[-1], form(results))
    notes = []
    try:
        name = _FIGURES.get(study.name, f"figure2-{study.name}")
        files += draw_seconds(results, layout.figures / name)
        files += draw_overview(results, layout.figures / f"overview-{study.name}")
    except PlotsMissingError as error:
        notes.append(str(error))
    found = [Results.load(other, layout.records) for other in others]
    write_file(layout.report, comparison([item for item in found if item.outcomes], scale))
    return Written((*files, layout.report), tuple(notes))


def write_figure1(layout: Layout) -> Written:
    """Figure 1."""
    contents = {side: layout.records.load(figure1_key(side)) for side in ROUTES}
    sides = {side: content for side, content in contents.items() if content is not None}
    if len(sides) < len(ROUTES):
        raise InputError("there are no records of Figure 1 here yet", layout.records.folder)
    try:
        return Written(tuple(draw_alignment(sides, layout.figures / "figure1")))
    except PlotsMissingError as error:
        return Written((), (str(error),))

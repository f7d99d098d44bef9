"""Tables from records: Markdown, CSV and LaTeX.

A cell reads ``0.71 ± 0.10 (9)``: mean, deviation, and over how many tasks. LaTeX has the paper's
colours.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from math import floor
from pathlib import Path

from experiments.cells import Cell, cell, columns, has_records
from experiments.records import Records
from experiments.studies import ALL, BASELINE, EXACT, Study
from plancost.files import make_folder, write_atomically

CAPTIONS = {
    "table2": "Table 2: mcf on a small grid",
    "mcf": "Table 3: mcf",
    "scf": "Appendix C: scf",
    "mcfc": "Appendix C: mcf, refining known costs",
    "scfc": "Appendix C: scf, refining known costs",
}


_CSV_HEAD = "domain,plans,row,mean,deviation,tasks,seconds,proved,reasons\n"


def write_tables(studies: Sequence[Study], records: Records, folder: Path) -> list[Path]:
    """The tables of all studies that have records, in all forms."""
    written = []
    for study in studies:
        if has_records(study, records):
            make_folder(folder)
            for ending, form in _FORMS.items():
                path = folder / f"{study.name}.{ending}"
                write_atomically(path, form(study, records))
                written.append(path)
    return written


def markdown_table(study: Study, records: Records) -> str:
    """The table, and why runs failed."""
    places = columns(study)
    lines = [
        f"# {CAPTIONS[study.name]}",
        "",
        "Ratio of plans made optimal: mean ± deviation (tasks solved, of those that were run). "
        "\\* : exact did not prove in all tasks that no more can be.",
        "",
        _markdown_row(["", *(f"{pool.world.name}, {plans} plans" for pool, plans in places)]),
        _markdown_row(["---"] * (len(places) + 1)),
    ]
    for row in study.rows:
        texts = [cell_text(cell(study, place, row, records), row) for place in places]
        lines.append(_markdown_row([row_title(row), *(text.replace("*", "\\*") for text in texts)]))
    lines += ["", *_failures(study, records)]
    return "\n".join(lines).rstrip() + "\n"


def csv_table(study: Study, records: Records) -> str:
    """One line a cell."""
    text = io.StringIO()
    text.write(_CSV_HEAD)
    writer = csv.writer(text, lineterminator="\n")
    for pool, plans in columns(study):
        for row in study.rows:
            found = cell(study, (pool, plans), row, records)
            if found.records:
                numbers = (found.mean, found.deviation, len(found.solved), found.seconds)
                shown = ["" if number is None else f"{number:.4g}" for number in numbers]
                proved = sum(record.is_proved for record in found.solved)
                writer.writerow([pool.world.name, plans, row, *shown, proved, _reasons(found)])
    return text.getvalue()


def latex_table(study: Study, records: Records) -> str:
    """A table that needs ``\\usepackage[dvipsnames,table]{xcolor}``."""
    places = columns(study)
    heads = [
        rf"\multicolumn{{{len(sizes)}}}{{c|}}{{\textsc{{{pool.world.name}}}}}"
        for pool in study.pools
        if (sizes := study.sizes_of(pool))
    ]
    lines = [
        r"% \usepackage[dvipsnames,table]{xcolor}",
        r"\begin{tabular}{|c|" + "c|" * len(places) + "}",
        r"\hline",
        _latex_row(["", *heads]),
        _latex_row(["", *(f"{plans} plans" for _, plans in places)]),
    ]
    for row in study.rows:
        cells = [_latex_cell(cell(study, place, row, records), row) for place in places]
        lines.append(_latex_row([row_title(row).replace("∞", r"$\infty$"), *cells]))
    return "\n".join([*lines, r"\end{tabular}"]) + "\n"


_FORMS: dict[str, Callable[[Study, Records], str]] = {
    "md": markdown_table,
    "csv": csv_table,
    "tex": latex_table,
}


def cell_text(found: Cell, row: str) -> str:
    """A cell in plain text."""
    if found.mean is None:
        return "–" if found.records else ""
    star = "*" if row == EXACT and not found.is_proved else ""
    return f"{found.mean:.2f} ± {found.deviation:.2f} ({len(found.solved)}){star}"


def row_title(row: str) -> str:
    """A row in plain text."""
    if row in (BASELINE, EXACT):
        return row
    return "k = ∞" if row == ALL else f"k = {row}"


def shade(mean: float) -> int:
    """The paper's per cent of YellowGreen: in steps of ten, from 7 to 100."""
    return 7 if mean <= 0.05 else min(100, 10 * floor(10 * mean + 0.5) + 5)


def _failures(study: Study, records: Records) -> list[str]:
    """Why runs failed, one line for each cell."""
    lines = []
    for row in study.rows:
        for pool, plans in columns(study):
            found = cell(study, (pool, plans), row, records)
            if found.reasons:
                words = _reasons(found) + (" (implied by a smaller k)" if found.is_implied else "")
                lines.append(f"- {pool.world.name}, {plans} plans, {row_title(row)}: {words}")
    return ["Runs that failed:", "", *lines] if lines else []


def _reasons(found: Cell) -> str:
    return "; ".join(f"{count} × {reason}" for reason, count in sorted(found.reasons.items()))


def _markdown_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _latex_row(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\ \hline"


def _latex_cell(found: Cell, row: str) -> str:
    if found.mean is None:
        return r"\cellcolor{gray!70}" if found.records else ""
    star = r"^{*}" if row == EXACT and not found.is_proved else ""
    numbers = rf"${found.mean:.2f} \pm {found.deviation:.2f}{star}$ ({len(found.solved)})"
    return rf"\cellcolor{{YellowGreen!{shade(found.mean)}}}{numbers}"

"""Tables out of cells: Markdown, CSV and LaTeX.

A cell reads ``0.71 ± 0.10 (9)``: mean, deviation, and over how many tasks. LaTeX has the
paper's colours; Markdown, which has none, a bar that is the higher the more plans are optimal.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from math import floor

from plancost.experiments.plan import ALL, BASELINE, EXACT, Study, is_lacfip
from plancost.experiments.statistics import EXACT_ALL, Cell, Outcomes, cell, table_rows
from plancost.files.escape import csv_value, escaped, markdown_text

_BARS = "▁▂▃▄▅▆▇█"
_LATEX_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}
CAPTIONS = {
    "table2": "MCF, small grids (Table 2)",
    "mcf": "MCF (Table 3)",
    "scf": "SCF (Appendix C)",
    "mcfc": "MCF refining known costs (Appendix C)",
    "scfc": "SCF refining known costs (Appendix C)",
}
_UNPROVED = "*"
_CSV_COLUMNS = (
    *("domain", "size", "row", "mean", "deviation", "tasks"),
    *("unproved", "runs", "failed", "reasons"),
)

Columns = list[tuple[str, int]]


def columns(study: Study) -> Columns:
    """Domain and size of each column."""
    return [(pool.domain, size) for pool in study.pools for size in study.sizes_of(pool)]


def row_title(row: str) -> str:
    """A row in plain text."""
    if row == ALL:
        return "k = ∞"
    return f"k = {row}" if is_lacfip(row) and row != EXACT_ALL else row


def markdown_table(study: Study, outcomes: Outcomes) -> str:
    """The table, what is grey in it and why."""
    places = columns(study)
    lines = [
        f"# {markdown_text(CAPTIONS[study.name])}",
        "",
        "Ratio of plans turned optimal: mean ± population deviation (tasks), over the tasks that "
        "at least one row of LACFIP^k solved. – : the row solved none of them. "
        f"{_UNPROVED} : not proven that no more plans can be optimal, in at least one task "
        "(shown for exact only).",
        "",
        _line(["", *(f"{markdown_text(domain)}, {size} plans" for domain, size in places)]),
        _line(["---"] * (len(places) + 1)),
    ]
    for row in table_rows(study):
        cells = [cell(study, outcomes, *place, row) for place in places]
        lines.append(_line([row_title(row), *(_markdown_cell(item, row) for item in cells)]))
    failures = _failures(study, outcomes)
    if failures:
        lines += ["", "Runs that failed:", "", *failures]
    return "\n".join(lines) + "\n"


def csv_table(study: Study, outcomes: Outcomes) -> str:
    """One line a cell, with all that is known of it."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_CSV_COLUMNS)
    for row in table_rows(study):
        for domain, size in columns(study):
            item = cell(study, outcomes, domain, size, row)
            writer.writerow(
                csv_value(value)
                for value in (
                    domain,
                    size,
                    row,
                    "" if item.mean is None else f"{item.mean:.4f}",
                    "" if item.deviation is None else f"{item.deviation:.4f}",
                    item.tasks,
                    item.unproved,
                    item.runs,
                    sum(count for _, count in item.reasons),
                    "; ".join(f"{count} {reason}" for reason, count in item.reasons),
                )
            )
    return text.getvalue()


def latex_table(study: Study, outcomes: Outcomes) -> str:
    """A table that needs ``\\usepackage[dvipsnames,table]{xcolor}``."""
    places = columns(study)
    heads = [
        rf"\multicolumn{{{len(sizes)}}}{{c|}}{{\textsc{{{latex_text(pool.domain)}}}}}"
        for pool in study.pools
        if (sizes := study.sizes_of(pool))
    ]
    lines = [
        r"% \usepackage[dvipsnames,table]{xcolor}",
        r"\begin{tabular}{|c|" + "c|" * len(places) + "}",
        r"\hline",
        " & ".join(["", *heads]) + r" \\ \hline",
        " & ".join(["", *(f"${size}$ plans" for _, size in places)]) + r" \\ \hline",
    ]
    for row in table_rows(study):
        cells = [cell(study, outcomes, *place, row) for place in places]
        lines.append(
            " & ".join([_latex_title(row), *(_latex_cell(item, row) for item in cells)])
            + r" \\ \hline"
        )
    return "\n".join([*lines, r"\end{tabular}"]) + "\n"


FORMS: dict[str, Callable[[Study, Outcomes], str]] = {
    "md": markdown_table,
    "csv": csv_table,
    "tex": latex_table,
}
"""By the ending of the file."""


def shade(mean: float) -> int:
    """The paper's per cent of YellowGreen: in steps of ten, from 7 to 100."""
    if mean <= 0.05:
        return 7
    return min(100, 10 * floor(10 * mean + 0.5) + 5)


def cell_text(item: Cell, row: str) -> str:
    """A cell in plain text."""
    if item.mean is None:
        return "–" if item.runs else ""
    star = _UNPROVED if item.unproved and row in (EXACT, EXACT_ALL) else ""
    return f"{item.mean:.2f} ± {item.deviation:.2f} ({item.tasks}){star}"


def latex_text(text: str) -> str:
    """Any text, so that LaTeX shows it as it is."""
    return "".join(_LATEX_SPECIAL.get(sign, sign) for sign in escaped(text))


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _markdown_cell(item: Cell, row: str) -> str:
    text = cell_text(item, row).replace(_UNPROVED, f"\\{_UNPROVED}")
    if item.mean is None:
        return text
    return f"{_BARS[min(len(_BARS) - 1, int(item.mean * len(_BARS)))]} {text}"


def _latex_title(row: str) -> str:
    if row == BASELINE:
        return r"\textsc{baseline}"
    if row == ALL:
        return r"$k = \infty$"
    if row in (EXACT, EXACT_ALL):
        return latex_text(row)
    power = len(row) - 1
    return f"$k = 10^{power}$" if int(row) == 10**power else f"$k = {row}$"


def _latex_cell(item: Cell, row: str) -> str:
    if item.mean is None:
        return r"\cellcolor{gray!70}" if item.runs else ""
    star = r"^{*}" if item.unproved and row in (EXACT, EXACT_ALL) else ""
    return (
        rf"\cellcolor{{YellowGreen!{shade(item.mean)}}}"
        rf"${item.mean:.2f} \pm {item.deviation:.2f}{star}$ ({item.tasks})"
    )


def _failures(study: Study, outcomes: Outcomes) -> list[str]:
    """Why cells are grey or over fewer tasks, one line each."""
    lines = []
    for row in study.rows:
        for domain, size in columns(study):
            item = cell(study, outcomes, domain, size, row)
            if item.reasons:
                reasons = ", ".join(f"{count} × {reason}" for reason, count in item.reasons)
                lines.append(
                    f"- {markdown_text(domain)}, {size} plans, {row_title(row)}: "
                    f"{markdown_text(reasons)} (of {item.runs})"
                )
    return lines

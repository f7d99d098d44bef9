"""Tables out of cells: Markdown, CSV and LaTeX.

A cell reads ``0.71 ± 0.10 (9)``: mean, deviation, and over how many tasks. LaTeX has the
paper's colours; Markdown, which has none, a bar that is the higher the more plans are optimal.
"""

from __future__ import annotations

from collections.abc import Callable
from math import floor

from plancost.experiments.plan import ALL, BASELINE, EXACT, EXACT_ALL, is_lacfip, row_title
from plancost.experiments.statistics import Cell, Results
from plancost.files.escape import escaped, markdown_text
from plancost.files.tables import csv_text, markdown_row

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
_INFERRED = "– (inferred)"


def markdown_table(results: Results) -> str:
    """The table, what is grey in it and why."""
    lines = [
        f"# {markdown_text(CAPTIONS[results.study.name])}",
        "",
        "Ratio of plans turned optimal: mean ± population deviation (tasks), over the tasks that "
        'at least one row of LACFIP^k solved (rows "all tasks": over all). – : no run of the row '
        "counts; inferred: not run, since a smaller k failed for a reason that implies it. "
        f"{_UNPROVED} : not proven that no more plans can be optimal, in at least one task "
        "(shown for exact only).",
        "",
        markdown_row(["", *(_place(*place) for place in results.columns)]),
        markdown_row(["---"] * (len(results.columns) + 1)),
    ]
    for row in results.rows:
        cells = [results.cell(*place, row) for place in results.columns]
        lines.append(markdown_row([row_title(row), *(_markdown_cell(c, row) for c in cells)]))
    failures = _failures(results)
    if failures:
        lines += ["", "Runs that failed:", "", *failures]
    return "\n".join(lines) + "\n"


def csv_table(results: Results) -> str:
    """One line a cell, with all that is known of it."""
    rows = []
    for row in results.rows:
        for domain, size in results.columns:
            item = results.cell(domain, size, row)
            rows.append(
                {
                    "domain": domain,
                    "size": size,
                    "row": row,
                    "mean": "" if item.mean is None else f"{item.mean:.4f}",
                    "deviation": "" if item.deviation is None else f"{item.deviation:.4f}",
                    "tasks": item.tasks,
                    "unproved": item.unproved,
                    "runs": item.runs,
                    "failed": sum(count for _, count in item.reasons),
                    "inferred": item.inferred,
                    "reasons": "; ".join(f"{count} {reason}" for reason, count in item.reasons),
                }
            )
    return csv_text(rows)


def latex_table(results: Results) -> str:
    """A table that needs ``\\usepackage[dvipsnames,table]{xcolor}``."""
    heads = [
        rf"\multicolumn{{{len(sizes)}}}{{c|}}{{\textsc{{{latex_text(pool.domain)}}}}}"
        for pool in results.study.pools
        if (sizes := results.study.sizes_of(pool))
    ]
    lines = [
        r"% \usepackage[dvipsnames,table]{xcolor}",
        r"\begin{tabular}{|c|" + "c|" * len(results.columns) + "}",
        r"\hline",
        _latex_row(["", *heads]),
        _latex_row(["", *(f"${size}$ plans" for _, size in results.columns)]),
    ]
    for row in results.rows:
        cells = [results.cell(*place, row) for place in results.columns]
        lines.append(_latex_row([_latex_title(row), *(_latex_cell(c, row) for c in cells)]))
    return "\n".join([*lines, r"\end{tabular}"]) + "\n"


FORMS: dict[str, Callable[[Results], str]] = {
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
        if item.runs and item.inferred == item.runs:
            return _INFERRED
        return "–" if item.runs else ""
    star = _UNPROVED if item.unproved and row in (EXACT, EXACT_ALL) else ""
    return f"{item.mean:.2f} ± {item.deviation:.2f} ({item.tasks}){star}"


def latex_text(text: str) -> str:
    """Any text, so that LaTeX shows it as it is."""
    return "".join(_LATEX_SPECIAL.get(sign, sign) for sign in escaped(text))


def failures_text(item: Cell) -> str:
    """Why runs of a cell failed, and how many."""
    return ", ".join(f"{count} × {reason}" for reason, count in item.reasons)


def power_of_ten(row: str) -> str:
    """The k of a row in mathematical notation."""
    power = len(row) - 1
    return f"10^{power}" if int(row) == 10**power else row


def _place(domain: str, size: int) -> str:
    return f"{markdown_text(domain)}, {size} plans"


def _latex_row(cells: list[str]) -> str:
    return " & ".join(cells) + r" \\ \hline"


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
    return f"$k = {power_of_ten(row)}$" if is_lacfip(row) else latex_text(row)


def _latex_cell(item: Cell, row: str) -> str:
    if item.mean is None:
        return r"\cellcolor{gray!70}" if item.runs else ""
    star = r"^{*}" if item.unproved and row in (EXACT, EXACT_ALL) else ""
    return (
        rf"\cellcolor{{YellowGreen!{shade(item.mean)}}}"
        rf"${item.mean:.2f} \pm {item.deviation:.2f}{star}$ ({item.tasks})"
    )


def _failures(results: Results) -> list[str]:
    """Why cells are grey or over fewer tasks, one line each."""
    lines = []
    for row in results.study.rows:
        for place in results.columns:
            item = results.cell(*place, row)
            if item.reasons:
                reasons = markdown_text(failures_text(item))
                lines.append(f"- {_place(*place)}, {row_title(row)}: {reasons} (of {item.runs})")
    return lines

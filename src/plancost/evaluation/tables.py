"""An evaluation as one table: rows of text for the screen, and files in JSON, Markdown and CSV."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from plancost.evaluation.evaluate import Evaluation, Summary
from plancost.evaluation.recovery import Recovery
from plancost.files.escape import json_text
from plancost.files.output_files import make_folder, write_file
from plancost.files.overwriting import check_not_an_input
from plancost.files.tables import TextTable, csv_text

_MEASURES = ("held out", "optimal", "regret", "median", "overlap", "not measured", "seconds")
_TRUE_MEASURES = ("truly optimal", "true regret", "rank corr.")


def evaluation_table(evaluation: Evaluation) -> TextTable:
    """One row for each method."""
    rows = ((item.method.value, *_measures(item)) for item in evaluation.summaries)
    return TextTable(("method", *_MEASURES), tuple(rows))


def recovery_table(recovery: Recovery) -> TextTable:
    """One row for each number of plans and method."""
    rows = []
    for row in recovery.rows:
        _, *measures, _, seconds = _measures(row.summary)
        true = (
            _share(row.true_optimal),
            _number(row.true_regret_mean),
            _number(row.rank_correlation, 2),
        )
        rows.append((row.summary.method.value, str(row.plans), *measures, seconds, *true))
    _, *measured, _, in_seconds = _MEASURES
    return TextTable(("method", "plans", *measured, in_seconds, *_TRUE_MEASURES), tuple(rows))


FILES = (
    *("evaluation.json", "evaluation.csv", "evaluation.md", "measures.csv"),
    *("recovery.json", "recovery.csv", "recovery.md"),
)
"""What may be written."""


def write_evaluation(evaluation: Evaluation, folder: Path) -> list[Path]:
    """``evaluation.json``, ``.csv``, ``.md``, and ``measures.csv`` with every held-out plan."""
    for name in FILES:
        check_not_an_input(folder / name, evaluation.case.files)
    content, table = evaluation.to_json(), evaluation_table(evaluation)
    files = _files("evaluation", content, content["methods"], table)
    return _write(folder, {**files, "measures.csv": csv_text(content["measures"])})


def write_recovery(recovery: Recovery, folder: Path) -> list[Path]:
    """``recovery.json``, ``.csv`` and ``.md``."""
    content = recovery.to_json()
    return _write(folder, _files("recovery", content, content["rows"], recovery_table(recovery)))


def _files(
    name: str, content: Mapping[str, Any], rows: Sequence[Mapping[str, Any]], table: TextTable
) -> dict[str, str]:
    return {
        f"{name}.json": json_text(content) + "\n",
        f"{name}.csv": csv_text(rows),
        f"{name}.md": table.markdown(),
    }


def _write(folder: Path, files: Mapping[str, str]) -> list[Path]:
    make_folder(folder)
    for name, text in files.items():
        write_file(folder / name, text)
    return [folder / name for name in files]


def _measures(item: Summary) -> tuple[str, ...]:
    return (
        str(item.plans),
        _share(item.optimal_share),
        _number(item.regret_mean),
        _number(item.regret_median),
        _number(item.overlap_mean, 2),
        str(item.unknown),
        f"{item.seconds:.1f}",
    )


def _share(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.0f} %"


def _number(value: float | None, digits: int = 3) -> str:
    return "–" if value is None else f"{value:.{digits}f}"

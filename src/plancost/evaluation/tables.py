"""An evaluation as one table: rows of text for the screen, Markdown and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plancost.errors import InputError
from plancost.evaluation.evaluate import Evaluation, Summary
from plancost.evaluation.recovery import Recovery
from plancost.files.atomic import make_folder_of, write_atomically
from plancost.files.escape import csv_value, json_text, markdown_text
from plancost.files.overwriting import check_not_an_input

_NONE = "–"


@dataclass(frozen=True)
class TextTable:
    """Headings and rows, ready to be shown."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def markdown(self) -> str:
        """As a Markdown table; numbers stand on the right."""
        lines = [self.headings, tuple("---:" if n else "---" for n in range(len(self.headings)))]
        lines += [tuple(map(markdown_text, row)) for row in self.rows]
        return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def evaluation_table(evaluation: Evaluation) -> TextTable:
    """One row for each method."""
    headings = ("method", *_MEASURES)
    return TextTable(
        headings, tuple((item.method.value, *_measures(item)) for item in evaluation.summaries)
    )


def recovery_table(recovery: Recovery) -> TextTable:
    """One row for each number of plans and method."""
    rows = []
    for row in recovery.rows:
        rows.append(
            (
                row.summary.method.value,
                str(row.plans),
                *_measures(row.summary)[1:-2],
                f"{row.summary.seconds:.1f}",
                _share(row.true_optimal),
                _number(row.true_regret_mean),
                _number(row.rank_correlation, 2),
            )
        )
    headings = (
        *("method", "plans", *_MEASURES[1:-2], "seconds"),
        *("truly optimal", "true regret", "rank corr."),
    )
    return TextTable(headings, tuple(rows))


FILES = (
    *("evaluation.json", "evaluation.csv", "evaluation.md", "measures.csv"),
    *("recovery.json", "recovery.csv", "recovery.md"),
)
"""What may be written."""


def write_evaluation(evaluation: Evaluation, folder: Path) -> list[Path]:
    """``evaluation.json``, ``.csv``, ``.md``, and ``measures.csv`` with every held-out plan."""
    for name in FILES:
        check_not_an_input(folder / name, evaluation.case.files)
    content = evaluation.to_json()
    table = evaluation_table(evaluation)
    return _write(
        folder,
        {
            "evaluation.json": _json(content),
            "evaluation.csv": csv_text(content["methods"]),
            "evaluation.md": table.markdown(),
            "measures.csv": csv_text(content["measures"]),
        },
    )


def write_recovery(recovery: Recovery, folder: Path) -> list[Path]:
    """``recovery.json``, ``.csv`` and ``.md``."""
    content = recovery.to_json()
    table = recovery_table(recovery)
    return _write(
        folder,
        {
            "recovery.json": _json(content),
            "recovery.csv": csv_text(content["rows"]),
            "recovery.md": table.markdown(),
        },
    )


def csv_text(rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows with the same keys as CSV; None is an empty field, and no field is a formula."""
    file = io.StringIO(newline="")
    writer = csv.DictWriter(file, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows({key: csv_value(value) for key, value in row.items()} for row in rows)
    return file.getvalue()


_MEASURES = (
    *("held out", "optimal", "regret", "median", "overlap"),
    *("not measured", "seconds"),
)


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
    return _NONE if value is None else f"{100 * value:.0f} %"


def _number(value: float | None, digits: int = 3) -> str:
    return _NONE if value is None else f"{value:.{digits}f}"


def _json(content: Mapping[str, Any]) -> str:
    return json_text(content) + "\n"


def _write(folder: Path, files: Mapping[str, str]) -> list[Path]:
    try:
        make_folder_of(folder)
        folder.mkdir(exist_ok=True)
        for name, text in files.items():
            write_atomically(folder / name, text.encode("utf-8"))
    except OSError as error:
        raise InputError(f"cannot write into this folder ({error.strerror})", folder) from error
    return [folder / name for name in files]

"""An evaluation as one table: rows of text for the screen, and files in JSON, Markdown and CSV."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from plancost.evaluation.evaluate import Evaluation, Summary
from plancost.evaluation.methods import Method
from plancost.evaluation.paired import RIVAL, Difference
from plancost.evaluation.recovery import Recovery
from plancost.files.escape import json_text
from plancost.files.output_files import make_folder, write_file
from plancost.files.overwriting import check_not_an_input
from plancost.files.tables import TextTable, csv_text

_MEASURES = ("held out", "optimal", "regret", "median", "overlap", "not measured", "seconds")
_TRUE_MEASURES = ("truly optimal", "true regret", "training optimal", "rank corr.")
_DIFFERENCES = {
    "true_regret": "true regret",
    "true_optimal": "truly optimal",
    "training_optimal": "training optimal",
}
"""What measures are called in tables, where it is not their name."""


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
            _share(row.training_optimal),
            _number(row.rank_correlation, 2),
        )
        rows.append((row.summary.method.value, str(row.plans), *measures, seconds, *true))
    _, *measured, _, in_seconds = _MEASURES
    return TextTable(("method", "plans", *measured, in_seconds, *_TRUE_MEASURES), tuple(rows))


def differences_table(found: Evaluation | Recovery) -> TextTable | None:
    """One row for each method but maximum entropy, with 95 % intervals; None if it is not there."""
    rows: dict[tuple[int | None, Method], list[Difference]] = {}
    for item in found.differences:
        rows.setdefault((item.learned_from, item.method), []).append(item)
    if not rows:
        return None
    is_study = isinstance(found, Recovery)
    first = next(iter(rows.values()))
    names = (_DIFFERENCES.get(item.measure, item.measure) for item in first)
    units = ("plans", "seeds") if is_study else ("held out",)
    return TextTable(
        (f"against {RIVAL}", *units, *names),
        tuple(
            (
                method.value,
                *([str(plans)] if is_study else []),
                str(items[0].interval.values),
                *map(_difference, items),
            )
            for (plans, method), items in rows.items()
        ),
    )


def _difference(item: Difference) -> str:
    if item.measure.endswith("optimal"):
        return f"{item.interval.text(1, 100)} %"
    return item.interval.text()


FILES = (
    *("evaluation.json", "evaluation.csv", "evaluation.md", "measures.csv"),
    *("recovery.json", "recovery.csv", "recovery.md", "differences.csv"),
)
"""What may be written."""


def write_evaluation(evaluation: Evaluation, folder: Path) -> list[Path]:
    """``evaluation.json``, ``.csv``, ``.md``, ``differences.csv``, and every measure."""
    for name in FILES:
        check_not_an_input(folder / name, evaluation.case.files)
    content = evaluation.to_json()
    tables = (evaluation_table(evaluation), differences_table(evaluation))
    files = _files("evaluation", content, content["methods"], tables)
    return _write(folder, {**files, "measures.csv": csv_text(content["measures"])})


def write_recovery(recovery: Recovery, folder: Path) -> list[Path]:
    """``recovery.json``, ``.csv`` and ``.md``, and ``differences.csv``."""
    content = recovery.to_json()
    tables = (recovery_table(recovery), differences_table(recovery))
    return _write(folder, _files("recovery", content, content["rows"], tables))


def _files(
    name: str,
    content: Mapping[str, Any],
    rows: Sequence[Mapping[str, Any]],
    tables: Iterable[TextTable | None],
) -> dict[str, str]:
    found = {
        f"{name}.json": json_text(content) + "\n",
        f"{name}.csv": csv_text(rows),
        f"{name}.md": "\n".join(table.markdown() for table in tables if table is not None),
    }
    differences = content["differences"]
    return found | ({"differences.csv": csv_text(differences)} if differences else {})


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

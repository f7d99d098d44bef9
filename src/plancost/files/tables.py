"""Tables as Markdown and CSV, safe whatever the cells hold."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plancost.files.escape import csv_value, markdown_text


@dataclass(frozen=True)
class TextTable:
    """Headings and rows, ready to be shown."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def markdown(self) -> str:
        """As a Markdown table; numbers stand on the right."""
        rules = ["---", *("---:" for _ in self.headings[1:])]
        rows = (map(markdown_text, row) for row in self.rows)
        return "".join(f"{markdown_row(row)}\n" for row in (self.headings, rules, *rows))


def markdown_row(cells: Iterable[str]) -> str:
    """One line of a Markdown table, of cells that are Markdown already."""
    return f"| {' | '.join(cells)} |"


def csv_text(rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows with the same keys as CSV; None is an empty field, and no field is a formula."""
    file = io.StringIO(newline="")
    writer = csv.DictWriter(file, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows({key: csv_value(value) for key, value in row.items()} for row in rows)
    return file.getvalue()

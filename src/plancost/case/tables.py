"""Files of users as text, tables (CSV) and JSON, with one sentence for whatever is wrong."""

from __future__ import annotations

import csv
import io
import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from plancost.case.values import shown
from plancost.errors import InputError

Table = Path | str | Iterable[Mapping[str, Any]]
"""A CSV file, or its rows as mappings."""


class Row(dict[str, str]):
    """The fields of a line by column, in the order of the columns, without blanks around them."""

    __slots__ = ("line",)

    def __init__(self, line: int, columns: Sequence[str], fields: Sequence[str]) -> None:
        """As many fields as columns."""
        super().__init__(zip(columns, fields, strict=True))
        self.line = line


def read_text(path: Path) -> str:
    """A file in UTF-8, without a byte order mark."""
    try:
        if path.exists() and not path.is_file():
            raise InputError("this is not a regular file", path)  # reading it might never end
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise InputError("this is not text in UTF-8", path, line) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"this file cannot be read: {reason}", path) from error


def read_json(path: Path) -> Any:
    """The JSON in a file, in which no key may be given twice."""
    text = read_text(path)
    try:
        return json.loads(text, object_pairs_hook=_each_once)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", None)
        raise InputError(f"this is not JSON as it is needed: {error}", path, line) from error


def read_table(
    path: Path, required: Sequence[str], known: Sequence[str] | None = None
) -> list[Row]:
    """The rows of a CSV file whose first line names the columns.

    It must have the columns `required`, none of them empty in a row, and no others than these and
    `known`; None: any.
    """
    reader = csv.reader(io.StringIO(read_text(path), newline=""))
    try:
        lines = [(reader.line_num, [field.strip() for field in fields]) for fields in reader]
    except csv.Error as error:
        raise InputError(f"this is not CSV ({error})", path, reader.line_num) from error
    lines = [(line, fields) for line, fields in lines if any(fields)]
    if not lines:
        raise InputError(f"this file is empty; it must begin with {','.join(required)}", path)
    columns = lines[0][1]
    _check_columns(columns, required, known, path)
    if len(lines) < 2:
        raise InputError("there is nothing below the first line", path)
    return [_row(line, columns, fields, required, path) for line, fields in lines[1:]]


def rows_of(table: Table, what: str, required: Sequence[str]) -> tuple[str, list[Row]]:
    """The rows of a table and what messages call it: its file, or `what` it has."""
    if isinstance(table, Path | str):
        return str(table), read_table(Path(table), required)
    given = list(table) if isinstance(table, Iterable) else []
    if not given or not all(isinstance(values, Mapping) for values in given):
        raise InputError(f"{what} must be a file or mappings, not {shown(table)}")
    columns = list(dict.fromkeys((*required, *(str(name) for values in given for name in values))))
    return what, [
        _row(line, columns, [text_of(values.get(name)) for name in columns], required, what)
        for line, values in enumerate(given, start=1)
    ]


def text_of(value: object) -> str:
    """A value as text; nothing for None and NaN, which stand for a missing value."""
    is_missing = value is None or (isinstance(value, float) and math.isnan(value))
    return "" if is_missing else str(value).strip()


def _row(
    line: int,
    columns: Sequence[str],
    fields: list[str],
    required: Sequence[str],
    source: Path | str,
) -> Row:
    missing = len(columns) - len(fields)
    if missing < 0:
        message = f"this line has {len(fields)} fields, and the first line names {len(columns)}"
        raise InputError(message, source, line)
    row = Row(line, columns, fields + [""] * missing)
    for name in required:
        if not row[name]:
            raise InputError(f"the column {name} is empty here", source, line)
    return row


def _check_columns(
    columns: Sequence[str], required: Sequence[str], known: Sequence[str] | None, path: Path
) -> None:
    for name in required:
        if name not in columns:
            named = shown(",".join(columns), 100)
            raise InputError(f"the first line must name the column {name}, not {named}", path, 1)
    for name in columns:
        if columns.count(name) > 1:
            raise InputError(f"the first line names the column {shown(name)} twice", path, 1)
        if known is not None and name not in (*required, *known):
            allowed = ", ".join((*required, *known))
            raise InputError(f"there is no column {shown(name)}, only {allowed}", path, 1)


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise ValueError(f"the key {shown(twice)} is given twice")
    return found

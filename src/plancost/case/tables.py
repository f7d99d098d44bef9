"""Files of users as text, tables (CSV) and JSON, with one sentence for whatever is wrong."""

from __future__ import annotations

import csv
import io
import json
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from plancost.case.values import shown
from plancost.errors import InputError

_MOST_BYTES = 256 * 2**20
"""Far above any file that the rest can work with."""


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
        mode = path.stat()
        if stat.S_ISDIR(mode.st_mode):
            raise InputError("this is a folder, not a file", path)
        if not (stat.S_ISREG(mode.st_mode) or stat.S_ISFIFO(mode.st_mode)):
            raise InputError("this is a device, not a file", path)
        if mode.st_size > _MOST_BYTES:
            raise InputError(f"this file has more than {_MOST_BYTES // 2**20} megabytes", path)
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"this file cannot be read: {reason}", path) from error
    if b"\0" in data:
        raise InputError(
            "this is not a text file", path, data.count(b"\n", 0, data.index(b"\0")) + 1
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError("this is not text in UTF-8", path, line) from error


def read_json(path: Path) -> Any:
    """The JSON in a file; no key may be given twice, and numbers must be numbers."""
    text = read_text(path)
    try:
        return json.loads(text, object_pairs_hook=_each_once, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise InputError(f"this is not JSON ({error.msg})", path, error.lineno) from error
    except RecursionError as error:
        raise InputError("this JSON is nested too deeply", path) from error
    except ValueError as error:
        raise InputError(str(error), path) from error


def read_table(
    path: Path, required: Sequence[str], known: Sequence[str] | None = None
) -> list[Row]:
    """The rows of a CSV file whose first line names the columns.

    It must have the columns `required`, none of them empty in a row, and no others than these and
    `known`; None: any.
    """
    reader = csv.reader(io.StringIO(read_text(path), newline=""))
    columns: list[str] = []
    rows = []
    try:
        for fields in reader:
            words = [field.strip() for field in fields]
            if not columns:
                columns = words
                _check_columns(columns, required, known, path)
            elif any(words):
                rows.append(_row(words, columns, required, path, reader.line_num))
    except csv.Error as error:
        raise InputError(f"this is not CSV ({error})", path, reader.line_num) from error
    if not columns:
        raise InputError(f"this file is empty; it must begin with {','.join(required)}", path)
    if not rows:
        raise InputError("there is nothing below the first line", path)
    return rows


def _row(
    words: list[str], columns: list[str], required: Sequence[str], path: Path, line: int
) -> Row:
    if len(words) > len(columns):
        message = f"this line has {len(words)} fields, and the first line names {len(columns)}"
        raise InputError(message, path, line)
    words += [""] * (len(columns) - len(words))
    row = Row(line, columns, words)
    for name in required:
        if not row[name]:
            raise InputError(f"the column {name} is empty here", path, line)
    return row


def _check_columns(
    columns: Sequence[str], required: Sequence[str], known: Sequence[str] | None, path: Path
) -> None:
    for name in required:
        if name not in columns:
            named = shown(",".join(columns), 100)
            raise InputError(f"the first line must name the column {name}, not {named}", path, 1)
    twice = next((name for place, name in enumerate(columns) if name in columns[:place]), None)
    if twice is not None:
        raise InputError(f"the first line names the column {shown(twice)} twice", path, 1)
    if known is not None:
        unknown = next((name for name in columns if name not in (*required, *known)), None)
        if unknown is not None:
            allowed = ", ".join((*required, *known))
            raise InputError(f"there is no column {shown(unknown)}, only {allowed}", path, 1)


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for place, name in enumerate(names) if name in names[:place])
        raise ValueError(f"the key {shown(twice)} is given twice")
    return found


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is not a number of JSON")

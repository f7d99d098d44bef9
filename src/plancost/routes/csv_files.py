"""CSV tables: the rows of a file with their lines, and what is wrong with a row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from plancost.errors import InputError
from plancost.files.input_files import BLANKS, csv_rows, read_text
from plancost.routes.invalid import Invalid

Row = dict[str, str]
"""The fields of a line by column, without blanks around them."""


@dataclass(frozen=True)
class Table:
    """The columns of a file and its rows."""

    columns: tuple[str, ...]
    rows: Iterator[tuple[int, Row]]
    """With the line of each."""


def read_table(path: Path, what: str, needed: Sequence[str], invalid: Invalid) -> Table:
    """Read a CSV table that has at least the columns `needed`, none of them empty in a row.

    `what` is what messages call the file.
    """
    names, rows = csv_rows(read_text(path, what), path)
    missing = [name for name in needed if name not in names]
    if not names:
        columns = ",".join(needed)
        raise InputError(f"the first line is empty; it must name the columns {columns}", path, 1)
    if missing:
        raise InputError(
            f"the first line must name the columns {','.join(needed)}; missing: "
            f"{', '.join(missing)}",
            path,
            1,
        )

    def complete() -> Iterator[tuple[int, Row]]:
        for line, row in rows:
            if None in row:
                message = "this line has more fields than the first line has columns"
                invalid.found(message, path, line)
                continue
            fields = {name: (value or "").strip(BLANKS) for name, value in row.items()}
            empty = [name for name in needed if not fields[name]]
            if empty:
                invalid.found(f"the {empty[0]} is missing", path, line)
                continue
            yield line, fields

    return Table(tuple(names), complete())


def separator_of(names: Iterable[str]) -> str | None:
    """What separates such names: ``;`` where they have blanks in them, blanks where they have it.

    None: either will do.
    """
    found: str | None = None
    for name in names:
        if len(name.split()) > 1:
            return ";"
        if ";" in name:
            found = " "
    return found


def separated(text: str, separator: str | None) -> list[str]:
    """Names that stand one after the other."""
    if separator is None:
        text = text.replace(";", " ")
    if separator != ";":
        return text.split()
    return [name for part in text.split(";") if (name := part.strip(BLANKS))]


def joined(names: Sequence[str], names_have_blanks: bool) -> str:
    """The same as text."""
    return ("; " if names_have_blanks else " ").join(names)

"""Tables of users (CSV, mappings), with one sentence for whatever is wrong."""

from __future__ import annotations

import csv
import io
import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from plancost.errors import InputError
from plancost.files import read_text
from plancost.values import LARGEST_GIVEN, at, ratio, shown, whole

AnyTable = Path | str | Iterable[Mapping[str, Any]] | Any
"""A CSV file, or its rows as mappings or as a DataFrame of pandas."""
KNOWN = ("count", "cost", "suboptimality", "group", "time")
"""Columns that say what is known of an observed plan."""
_MISSING = ("None", "nan", "NaT", "<NA>")
"""How missing values print, also those of numpy and pandas."""
_Lines = list[tuple[int, list[Any]]]
_LARGEST_COUNT = 10**9
"""How often a plan may have been seen."""


@dataclass(frozen=True)
class Table:
    """Rows of texts by column, with the numbers of their lines."""

    source: str
    """What messages call it."""
    columns: tuple[str, ...]
    rows: tuple[tuple[int, dict[str, Any]], ...]


def read_table(
    table: AnyTable,
    what: str,
    required: Sequence[str],
    known: Sequence[str] | None = None,
    *,
    near: Sequence[str] = (),
) -> Table:
    """A CSV file whose first line names the columns, or mappings, which messages call `what`.

    There must be the columns `required`, none of them empty in a row, and no others than these and
    `known`; None: any but those with nearly a name of `near`. Lists in mappings stay lists.
    """
    if isinstance(table, Path | str):
        source, lines = str(table), _lines(Path(table))
    else:
        source, lines = what, _listed(table, what, required)
    if not lines:
        raise InputError(f"this file is empty; it must begin with {','.join(required)}", source)
    (line, columns), *others = lines
    with at(source, line or None):
        _check_columns(columns, required, known, near)
    if not others:
        raise InputError("there is nothing below the first line", source)
    rows = []
    for line, fields in others:
        if len(fields) > len(columns):
            message = f"this line has {len(fields)} fields, and the first line names {len(columns)}"
            raise InputError(message, source, line)
        row = dict(itertools.zip_longest(columns, fields, fillvalue=""))
        empty = [name for name in required if not row[name]]
        if empty:
            raise InputError(f"the column {empty[0]} is empty here", source, line)
        rows.append((line, row))
    return Table(source, tuple(columns), tuple(rows))


def rows_of(table: Any) -> list[Any]:
    """The rows of a DataFrame as mappings, those of anything else as they are."""
    if hasattr(table, "itertuples"):
        return list(table.to_dict("records"))
    return list(table) if isinstance(table, Iterable) else []


def known_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """What the columns `KNOWN` of a row say, by the names of `Observation`."""
    count, cost, factor, group, time = (row.get(name) or None for name in KNOWN)
    found: dict[str, Any] = {"group": group and str(group), "time": time and str(time)}
    if count:
        found["count"] = whole(count, "count", least=1, most=_LARGEST_COUNT, text=True)
    if cost:
        found["total"] = whole(cost, "cost", most=LARGEST_GIVEN, text=True)
    if factor:
        found["factor"] = ratio(factor, "suboptimality")
    return found


def check_total(known: Mapping[str, Any], steps: int, place: Path | str | None = None) -> None:
    """Refuse the known cost of a plan that its steps cannot have, as each costs at least 1."""
    total = known.get("total")
    if total is not None and total < steps:
        raise InputError(f"its known cost {total} is less than 1 for each of {steps} steps", place)


def _lines(path: Path) -> _Lines:
    """The lines of a CSV file that are not empty."""
    reader = csv.reader(io.StringIO(read_text(path), newline=""))
    try:
        lines = [(reader.line_num, [field.strip() for field in fields]) for fields in reader]
    except csv.Error as error:
        raise InputError(f"this is not CSV ({error})", path, reader.line_num) from error
    return [(line, fields) for line, fields in lines if any(fields)]


def _listed(table: Iterable[Mapping[str, Any]], what: str, required: Sequence[str]) -> _Lines:
    """The same of mappings, the first of which is number 1."""
    given = rows_of(table)
    if not given or not all(isinstance(values, Mapping) for values in given):
        raise InputError(f"{what} must be a file or mappings, not {shown(table)}")
    columns = list(dict.fromkeys((*required, *(str(name) for values in given for name in values))))
    rows = [[_field(values.get(name), name in required) for name in columns] for values in given]
    return list(enumerate([columns, *rows]))


def _field(value: Any, is_name: bool) -> Any:
    """A value as text, unless it is a list; nothing for what stands for a missing value."""
    if isinstance(value, Iterable) and not isinstance(value, str) and not is_name:
        return list(value)
    text = str(value).strip()
    return "" if not isinstance(value, str) and text in _MISSING else text


def _check_columns(
    columns: Sequence[str],
    required: Sequence[str],
    known: Sequence[str] | None,
    near: Sequence[str],
) -> None:
    for name in required:
        if name not in columns:
            named = shown(",".join(columns), 100)
            raise InputError(f"the first line must name the column {name}, not {named}")
    missing = [name for name in near if name not in columns]
    meant = {*required, *(known or ()), *near}
    for name in columns:
        if columns.count(name) > 1:
            raise InputError(f"the first line names the column {shown(name)} twice")
        if name in meant:
            continue
        if known is not None:
            allowed = ", ".join((*required, *known))
            raise InputError(f"there is no column {shown(name)}, only {allowed}")
        if alike := get_close_matches(name.lower(), missing, 1, 0.75):  # csot is, mode is not node
            words = f"the column {shown(name)} is nearly called {alike[0]}"
            raise InputError(f"{words}: write {alike[0]}, or give it another name")

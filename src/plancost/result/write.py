"""Costs written where planners and routers read them: as PDDL, or as tables of streets."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from plancost.case.costs import given_costs
from plancost.case.model import Case, StreetTable
from plancost.clock import Clock
from plancost.errors import InputError, UsageError
from plancost.files import make_folder, read_text, write_table
from plancost.result.export import export_pddl
from plancost.result.given import fitting
from plancost.result.model import Result

_PLAIN_NAME = re.compile(r"\w[\w.-]{0,60}")
_COST = "cost"


def write_costs(
    case: Case,
    given: Result | Mapping[str, Any],
    output: Path,
    tasks: Path | None,
    clock: Clock,
) -> tuple[list[Path], list[str]]:
    """Write a folder, or below it one for each group; return the files, and notes."""
    whole = fitting(case, given)
    if whole.streets is not None and tasks is not None:
        raise UsageError("`tasks` are problems of PDDL; links.csv has the costs of all links")
    parts: list[tuple[Path, Result | Mapping[str, Any]]] = [(output, given)]
    if isinstance(given, Result) and given.groups:
        names = [group.group or "" for group in given.groups]
        plain = [
            name if _PLAIN_NAME.fullmatch(name) else f"group-{number}"
            for number, name in enumerate(names, start=1)
        ]
        parts = [(output / name, own) for name, own in zip(plain, given.groups, strict=True)]
    files, notes = list[Path](), dict[str, None]()
    for folder, own in parts:
        costs, said = given_costs(whole, own)
        notes |= dict.fromkeys(said)
        if whole.streets is None:
            files += export_pddl(whole, costs, folder, tasks=tasks, clock=clock)
        else:
            files += export_streets(whole, whole.streets, costs, folder)
    return files, list(notes)


def export_streets(
    case: Case, table: StreetTable, costs: Sequence[int], folder: Path
) -> list[Path]:
    """Write links.csv as it was read but for its column `cost`.

    Where turns cost, turns.csv (link, next, cost) is written beside it. Returns the files.
    """
    _check_folder(table, folder)
    columns = table.columns if _COST in table.columns else (*table.columns, _COST)
    place = columns.index(_COST)
    rows = [
        (*row[:place], str(cost), *row[place + 1 :])
        for row, cost in zip(table.rows, costs, strict=False)
    ]
    turns = [
        (case.actions[link], case.actions[after], str(cost))
        for (link, after), cost in zip(table.turns, costs[len(rows) :], strict=False)
    ]
    tables = {folder / "links.csv": [columns, *rows]}
    if turns:
        tables[folder / "turns.csv"] = [("link", "next", _COST), *turns]
    elif (folder / "turns.csv").exists():
        words = "turns.csv has costs of turns, and these costs have none: name another folder"
        raise InputError(words, folder)
    make_folder(folder)
    for path, own in tables.items():
        write_table(path, own)
    return list(tables)


def _check_folder(table: StreetTable, folder: Path) -> None:
    """Refuse the folder that the streets were read from."""
    links = folder / "links.csv"
    is_input = (folder / "trips.csv").exists()
    if links.exists() and not is_input:
        rows = csv.reader(read_text(links).splitlines())
        found = [tuple(cell.strip() for cell in row) for row in rows if any(row)]
        is_input = found == [table.columns, *table.rows]
    if is_input:
        raise InputError("files of a case would be overwritten: name another folder", folder)

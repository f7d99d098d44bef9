"""Costs written where planners and routers read them, whatever kind of case they are of."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plancost.case.costs import given_costs
from plancost.case.model import Case, StreetTable
from plancost.clock import Clock
from plancost.errors import InputError, UsageError
from plancost.files import read_text
from plancost.result.export import export_pddl
from plancost.result.export_streets import export_links
from plancost.result.given import fitting
from plancost.result.model import Result

_PLAIN_NAME = re.compile(r"\w[\w.-]{0,60}")


def write_costs(
    case: Case,
    given: Result | Mapping[str, Any],
    output: Path,
    tasks: Path | None,
    clock: Clock,
) -> tuple[list[Path], list[str]]:
    """Write a folder, or below it one for each group; return the files, and notes."""
    whole = fitting(case, given)
    if not isinstance(given, Result) or not given.groups:
        return _write(whole, given, output, tasks, clock)
    files, notes = [], []
    for number, group in enumerate(given.groups):
        name = group.group or ""
        folder = output / (name if _PLAIN_NAME.fullmatch(name) else f"group-{number + 1}")
        more, said = _write(whole, group, folder, tasks, clock)
        files += more
        notes += [note for note in said if note not in notes]
    return files, notes


def _write(
    case: Case,
    given: Result | Mapping[str, Any],
    folder: Path,
    tasks: Path | None,
    clock: Clock,
) -> tuple[list[Path], list[str]]:
    costs, notes = given_costs(case, given)
    if case.streets is None:
        return export_pddl(case, costs, folder, tasks=tasks, clock=clock), list(notes)
    if tasks is not None:
        raise UsageError("`tasks` are problems of PDDL; links.csv has the costs of all links")
    _check_folder(case.streets, folder)
    links = export_links(case, costs, folder)
    turns = [folder / "turns.csv"] if len(costs) > len(case.streets.rows) else []
    return [links, *turns], list(notes)


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

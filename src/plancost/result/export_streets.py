"""Learned costs as tables of streets: links.csv with a column `cost`, and turns.csv."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from plancost.case.model import Case
from plancost.errors import UsageError
from plancost.files import make_folder, write_table

_COST = "cost"


def export_links(case: Case, costs: Sequence[int], path: Path) -> Path:
    """Write links.csv into the folder `path`, as it was read but for its column `cost`.

    Where turns cost, turns.csv (link, next, cost) is written beside it. Returns links.csv.
    """
    if case.streets is None:
        raise UsageError("only streets are written as links.csv")
    table = case.streets
    columns = table.columns if _COST in table.columns else (*table.columns, _COST)
    place = columns.index(_COST)
    rows = [
        (*row[:place], str(cost), *row[place + 1 :])
        for row, cost in zip(table.rows, costs, strict=False)
    ]
    make_folder(path)
    links = path / "links.csv"
    write_table(links, [columns, *rows])
    if len(case.actions) > len(rows):
        names = case.actions
        turns = [
            (names[link], names[after], str(cost))
            for (link, after), cost in zip(table.turns, costs[len(rows) :], strict=True)
        ]
        write_table(path / "turns.csv", [("link", "next", _COST), *turns])
    return links

"""Figure 1: two learning tasks of three plans each on a 5 x 5 grid.

On the left the plans avoid the centre and the top, on the right the rim. The paper shows its tasks
only as a picture, so these are tasks like them and not the same. On the right, as there, only one
action has to cost more.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import plancost
from experiments.records import Record, Records, append
from experiments.running import Place
from experiments.studies import EXACT
from experiments.worlds.grid import Cell, Grid, cell_name

GRID = Grid(5)
_LIMIT_S = 60.0


def _route(text: str) -> list[Cell]:
    """``"03 02 ..."``: the cells by x and y."""
    return [(int(word[0]), int(word[1])) for word in text.split()]


ROUTES = {
    "left": {
        "blue": _route("03 02 01 00 10 20 30 40 41 42 32"),
        "orange": _route("02 01 00 10 20 30 40 41 42"),
        "green": _route("11 10 20 30 31"),
    },
    "right": {
        "blue": _route("20 21 22 32 42"),
        "orange": _route("43 33 23 13 14"),
        "green": _route("01 11 12 13 03"),
    },
}


def learn(place: Place, by: str) -> None:
    """Learn the costs of both tasks, unless they have records."""
    records = Records([place.records])
    for side in ROUTES:
        record = _record(side, by)
        if records.get(record.key) is None:
            result = plancost.learn(write_case(side, place.folder / "figure1"), time_limit=_LIMIT_S)
            learned = replace(
                record,
                seconds=round(result.seconds["total"], 1),
                optimal=result.optimal_plans,
                at_most=result.upper_bound,
                ended=result.ending == "done",
                costs={name: cost for name, cost in result.costs.items() if cost > 1},
            )
            append(place.records, learned)


def found(side: str, records: Records) -> Record | None:
    """The record of one side."""
    return records.get(_record(side, "").key)


def write_case(side: str, folder: Path) -> Path:
    """A case folder with one problem and one plan for each route."""
    folder = folder / side
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "domain.pddl").write_text(GRID.domain(0), encoding="utf-8")
    for name, route in ROUTES[side].items():
        problem = GRID.text(GRID.between(route[0], route[-1]), name)
        (folder / f"{name}.pddl").write_text(problem, encoding="utf-8")
        steps = "".join(f"{move(*ends)}\n" for ends in pairwise(route))
        (folder / f"{name}.plan").write_text(steps, encoding="utf-8")
    return folder


def move(start: Cell, end: Cell) -> str:
    """An action."""
    return f"(move {cell_name(start)} {cell_name(end)})"


def _record(side: str, by: str) -> Record:
    return Record("figure1", side, len(ROUTES[side]), 1, EXACT, by, _LIMIT_S, 0.0)

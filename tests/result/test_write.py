from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from plancost.case.model import Case
from plancost.case.read import read_case
from plancost.case.streets import street_case, with_turns
from plancost.errors import InputError
from plancost.result.write import export_streets

LINKS = [
    {"link": "a, b", "from": "x", "to": "y", "name": 'the "old" road'},
    {"link": "c>d", "from": "y", "to": "x", "name": ""},
]


def exported(case: Case, costs: tuple[int, ...], folder: Path) -> list[Path]:
    assert case.streets is not None
    return export_streets(case, case.streets, costs, folder)


def rows(path: Path) -> list[dict[str, Any]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_links_are_written_with_their_costs(tmp_path: Path) -> None:
    case = street_case(LINKS, [["a, b", "c>d"]])
    (path,) = exported(case, (7, 9), tmp_path / "out")
    written = [{**link, "cost": cost} for link, cost in zip(LINKS, ("7", "9"), strict=True)]
    assert rows(path) == written
    assert [file.name for file in path.parent.iterdir()] == ["links.csv"]
    (path.parent / "trips.csv").write_text("trip,nodes\n1,x y\n")
    (again,) = exported(read_case(path.parent), (3, 2), tmp_path / "again")
    assert [row["cost"] for row in rows(again)] == ["3", "2"]
    assert list(rows(again)[0]) == ["link", "from", "to", "name", "cost"]


def test_turns_are_written_where_they_cost(tmp_path: Path) -> None:
    case = with_turns(street_case(LINKS, [["a, b", "c>d"]]))
    exported(case, (7, 9, 5, 6), tmp_path)
    assert [tuple(row.values()) for row in rows(tmp_path / "turns.csv")] == [
        ("a, b", "c>d", "5"),
        ("c>d", "a, b", "6"),
    ]


def test_turns_of_other_costs_are_not_left_beside_links(tmp_path: Path) -> None:
    case = street_case(LINKS, [["a, b", "c>d"]])
    (tmp_path / "turns.csv").write_text("link,next,cost\n")
    with pytest.raises(InputError, match="name another folder"):
        exported(case, (7, 9), tmp_path)
    assert not (tmp_path / "links.csv").exists()

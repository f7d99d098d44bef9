"""The tables and the picture of the study of ``plancost ask``, from records made by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from benchmarks.asking import by_size, draw, interval, show

REGRETS = {("ask", 0): 1.1, ("ask", 1): 1.2, ("random", 0): 1.3, ("random", 1): 1.2}


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """Two seeds, and a third whose pair is not complete."""
    lines = [
        {"world": "grid", "seed": seed, "way": way, "plans": 4, "regret": value, "optimal": 0.5}
        for (way, seed), value in {**REGRETS, ("ask", 2): 9.0}.items()
    ]
    lines.append({"world": "grid", "seed": 2, "way": "random", "plans": 4})
    path = tmp_path / "records.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_seeds_are_paired(records: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ways = by_size(records)["grid", 4]
    assert [list(own) for own in ways.values()] == [[0, 1], [0, 1]]
    show(records)
    row = capsys.readouterr().out.splitlines()[-1]
    assert row == "| grid | 4 | 2 | 1.150 | 1.250 | -0.100 ± 0.200 | 1 of 2 | 50 % | 50 % |"
    assert interval([1.0, 3.0]) == pytest.approx((2.0, 2.0))


def test_the_same_records_are_the_same_picture(records: Path, tmp_path: Path) -> None:
    pictures = [tmp_path / "one.svg", tmp_path / "two.svg"]
    for picture in pictures:
        draw(records, picture)
    assert pictures[0].read_text() == pictures[1].read_text()


def test_the_page_has_the_table_of_its_records(capsys: pytest.CaptureFixture[str]) -> None:
    root = Path(__file__).parents[2]
    show(root / "benchmarks" / "studies" / "asking.jsonl")
    page = (root / "docs" / "ask.md").read_text("utf-8")
    table = page.partition("<!-- table: asking -->\n")[2].partition("<!-- end of table -->")[0]
    assert table == capsys.readouterr().out

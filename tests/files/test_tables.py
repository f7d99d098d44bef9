"""Tables as Markdown and CSV, whatever their cells hold."""

from __future__ import annotations

import csv
import io

from hypothesis import given
from hypothesis import strategies as st

from plancost.files.escape import escaped, markdown_text
from plancost.files.tables import TextTable, csv_text

ANY = st.text(st.characters())  # half surrogate pairs too


def test_numbers_stand_on_the_right() -> None:
    table = TextTable(("method", "plans"), (("ours", "4"), ("a|b", "–")))
    assert table.markdown().splitlines() == [
        "| method | plans |",
        "| --- | ---: |",
        "| ours | 4 |",
        "| a\\|b | – |",
    ]


@given(ANY)
def test_no_cell_of_a_csv_is_a_formula(text: str) -> None:
    (row,) = csv.DictReader(io.StringIO(csv_text([{"plan": text, "regret": -1.5}]), newline=""))
    assert row["regret"] == "-1.5"
    assert row["plan"] in (escaped(text), "'" + escaped(text))
    assert not row["plan"].strip().startswith(tuple("=+-@＝＋－＠"))


@given(ANY)
def test_a_cell_of_markdown_stays_one_cell(text: str) -> None:
    lines = TextTable(("a", "b"), ((text, "1"),)).markdown().splitlines()
    assert len(lines) == 3
    bare = lines[2].replace("\\\\", "").replace("\\|", "")
    assert bare.count("|") == 3
    assert "<" not in markdown_text(text).replace("\\<", "")

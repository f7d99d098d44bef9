"""The figures of soaks in the repository and on the page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from benchmarks.soak import page
from benchmarks.soak.findings import Finding, Wrong
from benchmarks.soak.records import Record

TEXT = "before\n<!-- figures of soaks -->\nstale\n<!-- end of the figures -->\nafter\n"


def test_the_page_has_what_the_records_say() -> None:
    text = page.PAGE.read_text(encoding="utf-8")
    assert page.with_figures(text, page.read_records([page.KEPT])) == text


def test_pieces_are_added_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "KEPT", tmp_path / "soak.jsonl.xz")
    monkeypatch.setattr(page, "PAGE", tmp_path / "page.md")
    page.PAGE.write_text(TEXT)
    first = Record(1, 7, seconds=3600.0, folder=Path("/gone"))
    again = Record(1, 7, seconds=1800.0, findings=[Finding(Wrong.ANSWER, "no")])
    other = Record(1, 8, seconds=1800.0)
    for name, records in ("a", [first, other]), ("b", [again]):
        file = tmp_path / name
        lines = [f"{json.dumps(record.to_json())}\n" for record in records]
        file.write_text("".join(lines))
        page.take_over([file])
    kept = page.read_records([page.KEPT])
    assert [(run.seed, run.number, run.seconds) for run in kept] == [(7, 1, 1800), (8, 1, 1800)]
    assert all(run.folder is None for run in kept)
    text = page.PAGE.read_text()
    assert text.startswith("before\n")
    assert text.endswith("after\n")
    assert "stale" not in text
    assert "1.0 hours in 2 pieces" in text
    assert "| runs with: wrong answer | 1 |" in text


def test_a_page_without_marks() -> None:
    with pytest.raises(ValueError, match="no marks"):
        page.with_figures("before", [])

"""What is left of all tables, from records made by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks import fill, results
from benchmarks.packed import PackedRecords, pack

from plancost.experiments.layout import Layout
from plancost.experiments.records import run_key
from support.studies import record, tiny_study


def test_what_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study = tiny_study(("baseline", "10"), tasks=3, time_s=300, first_decides=True)
    monkeypatch.setattr(results, "STUDIES", dict.fromkeys(fill.TARGETS.values(), study))
    monkeypatch.setattr(fill, "TARGETS", {"table3": "mcf"})
    layout = Layout(tmp_path / "folder")
    layout.root.mkdir()
    first, *others = fill.left(layout.root, None, 2).splitlines()
    assert first.startswith("first tasks: 2 runs, at most 412 s; 412 s as far as")
    assert others[0].endswith("up to 4 runs, at most 825 s; 825 s as far as earlier records tell")
    assert len(others) == 1
    for run in study.runs():
        layout.records.save(run_key(run), record(None, "solver out of time"))
    assert fill.left(layout.root, None, 2).splitlines()[-1] == "nothing left to run"

    file = tmp_path / "small.jsonl"
    assert pack(layout.records.folder, file, "abc123") == 6
    packed = PackedRecords([file])
    assert {content["build"] for content in packed.contents} == {"abc123"}
    monkeypatch.setattr(results, "packed", lambda: packed)
    layout.records.remove(run_key(next(iter(study.runs()))))
    assert "1 runs, at most 206 s; 0 s as far as" in fill.left(layout.root, None, 2)
    other = tmp_path / "other"
    fill.reuse(other, {""})
    assert not other.exists()
    fill.reuse(other, {"10"})
    rows = [Layout(other).records.load(run_key(run)) is not None for run in study.runs()]
    assert rows == [run.row == "10" for run in study.runs()]
    fill.reuse(other, set(study.rows))
    assert fill.left(other, None, 2).splitlines()[-1] == "nothing left to run"

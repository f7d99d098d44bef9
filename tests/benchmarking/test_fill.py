"""What is left of all tables, from records made by hand."""

from __future__ import annotations

from collections import Counter
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
    assert first.startswith("first tasks: 2 runs, with 2 at a time at most 412 s; 412 s as far as")
    assert others[0].endswith(
        "up to 4 runs, with 2 at a time at most 825 s; 825 s as far as earlier records tell"
    )
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
    assert "1 runs, with 2 at a time at most 206 s; 0 s as far as" in fill.left(
        layout.root, None, 2
    )


def test_another_machine_continues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study = tiny_study(("baseline", "10"), tasks=2, time_s=300)
    monkeypatch.setattr(results, "STUDIES", dict.fromkeys(fill.TARGETS.values(), study))
    monkeypatch.setattr(fill, "TARGETS", {"table3": "mcf"})
    kept = tmp_path / "records"
    monkeypatch.setattr(results, "RECORDS", kept)
    runs = list(study.runs())
    earlier, here = Layout(tmp_path / "earlier"), Layout(tmp_path / "here")
    for layout in (earlier, here):
        layout.make()
        (layout.root / "pools").mkdir()
        (layout.root / "pools" / "p01.pddl").write_text(layout.root.name)
    kept.mkdir()
    (kept / "small.jsonl").write_text("")
    for run in runs:
        earlier.records.save(run_key(run), record(None, "solver out of time"))
    fill.keep(earlier.root, "old")
    first = next(run for run in runs if run.row == "10")
    here.records.save(run_key(first), record(None, "planner out of time"))
    fill.keep(here.root, "new")
    kept_of = Counter((c["build"], c["key"]["task"]) for c in results.packed().contents)
    assert kept_of == {("new", 1): 1, ("old", 2): 2}  # both rows of the second task

    there = Layout(tmp_path / "there")
    assert fill.take_up(there.root, ["new"]) == 1
    found = there.records.load(run_key(first))
    assert found is not None
    assert found["reason"] == "planner out of time"
    assert (there.root / "pools" / "p01.pddl").read_text() == "here"
    assert fill.take_up(tmp_path / "other", ["neither"]) == 0
    assert fill.take_up(tmp_path / "all", []) == 3
    assert fill.take_up(tmp_path / "not-ten", [], again=["10"]) == 1

    again = Layout(tmp_path / "again")
    baseline = next(run for run in runs if run.row == "baseline")
    assert fill.take_up(again.root, ["new", "later"], again=["10"]) == 0
    assert fill.take_up(again.root, ["new", "later"], again=["baseline"]) == 1
    again.records.save(run_key(baseline), record(1))
    fill.keep(again.root, "later")
    assert _first_tasks() == {"10": "new", "baseline": "later"}


def test_what_is_to_be_done_again_stays_until_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = tiny_study(("baseline", "10", "exact"), tasks=1, time_s=300)
    monkeypatch.setattr(results, "STUDIES", dict.fromkeys(fill.TARGETS.values(), study))
    monkeypatch.setattr(fill, "TARGETS", {"table3": "mcf"})
    kept = tmp_path / "records"
    monkeypatch.setattr(results, "RECORDS", kept)
    kept.mkdir()
    (kept / "small.jsonl").write_text("")
    first, second = Layout(tmp_path / "first"), Layout(tmp_path / "second")
    first.make()
    (first.root / "pools").mkdir()
    for run in study.runs():
        first.records.save(run_key(run), record(1))
    fill.keep(first.root, "old")
    assert fill.take_up(second.root, ["old", "new"], again=["exact"]) == 2
    fill.keep(second.root, "new")
    assert _first_tasks() == dict.fromkeys(("baseline", "10", "exact"), "old")
    exact = next(run for run in study.runs() if run.row == "exact")
    second.records.save(run_key(exact), record(2))
    fill.keep(second.root, "new")
    assert _first_tasks() == {"baseline": "old", "10": "old", "exact": "new"}


def _first_tasks() -> dict[str, str]:
    """By which build each row of the first task is."""
    contents = [c for c in results.packed().contents if c["key"]["task"] == 1]
    return {content["key"]["row"]: content["build"] for content in contents}

"""Records, which runs are left, and the page that is made of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from experiments.kept import copy_kept, kept
from experiments.page import page
from experiments.records import Record, Records, append, read
from experiments.running import Place, stages
from experiments.studies import Run
from written_runs import GRID, RECORDS, STUDY, TRANSPORT, failed, record

ROOT = Path(__file__).parents[2]


def place_with(folder: Path, *records: Record) -> Place:
    place = Place(folder)
    for one in records:
        append(place.records, one)
    return place


def todo(place: Place) -> list[tuple[str, int, str]]:
    return [
        (run.pool.world.name, run.task, run.row)
        for stage in stages(list(STUDY.runs()), place)
        for run in stage
    ]


def test_lines_are_read_as_written(tmp_path: Path) -> None:
    place = place_with(tmp_path, *RECORDS)
    assert read(place.records) == RECORDS
    assert len(place.records.read_text().splitlines()[0]) < 200


def test_a_line_that_was_cut_off_is_lost_alone(tmp_path: Path) -> None:
    place = place_with(tmp_path, RECORDS[0], RECORDS[1])
    place.records.write_bytes(place.records.read_bytes()[:-20])
    append(place.records, RECORDS[2])
    assert read(place.records) == [RECORDS[0], RECORDS[2]]


def test_a_later_line_counts(tmp_path: Path) -> None:
    later = replace(RECORDS[0], optimal=3)
    found = Records([place_with(tmp_path, *RECORDS, later).records])
    assert found.get(later.key) == later


def test_first_tasks_come_first(tmp_path: Path) -> None:
    assert todo(Place(tmp_path)) == [
        ("grid", 1, "baseline"),
        ("transport", 1, "baseline"),
        ("grid", 1, "10"),
        ("transport", 1, "10"),
        ("grid", 1, "100"),
        ("transport", 1, "100"),
        ("grid", 1, "exact"),
        ("transport", 1, "exact"),
    ]


def test_the_first_task_decides_about_further_ones(tmp_path: Path) -> None:
    done = [r for r in RECORDS if r.task == 1] + [
        record(TRANSPORT, 1, "baseline", 1),
        record(GRID, 1, "100", 1),
    ]
    assert todo(place_with(tmp_path, *done)) == [
        ("grid", 2, "baseline"),
        ("transport", 2, "baseline"),
        ("grid", 2, "10"),
        ("grid", 2, "100"),
        ("grid", 2, "exact"),  # in transport exact did not reach its bound
    ]


def test_a_failed_listing_implies_larger_ones(tmp_path: Path) -> None:
    place = place_with(tmp_path, failed(GRID, 1, "10"))
    assert ("grid", 1, "100") not in todo(place)
    implied = Records([place.records]).get(Run(STUDY, GRID, 10, 1, "100").key)
    assert implied is not None
    assert (implied.reason, implied.implied_by) == ("planner out of time", "10")


def test_more_time_is_another_run(tmp_path: Path) -> None:
    short = [failed(GRID, 1, "10", limit_s=5.0), record(GRID, 1, "exact", 8, at_most=8, limit_s=5)]
    place = place_with(tmp_path, *short)
    assert ("grid", 1, "10") in todo(place)
    assert ("grid", 1, "exact") not in todo(place)  # more time cannot change the cell


def test_an_experiment_can_begin_with_what_is_kept(tmp_path: Path) -> None:
    place = place_with(tmp_path, RECORDS[0])
    copy_kept(place.records)
    assert read(place.records) == [RECORDS[0], *kept()]


def test_the_page_is_of_the_records() -> None:
    written = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    assert written == page(kept()), "run `python -m experiments results`"
    assert sum(path.stat().st_size for path in (ROOT / "experiments/records").iterdir()) < 400_000

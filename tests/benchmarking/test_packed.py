"""Packed records, and the page of results that is made out of those in the repository."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks import results
from benchmarks.packed import PackedRecords, pack

from plancost.errors import InputError
from plancost.experiments.layout import Layout
from plancost.experiments.records import run_key
from plancost.experiments.reproduce import Reproduction
from plancost.experiments.statistics import Results
from support.studies import tiny_study


@pytest.mark.slow
def test_packed_records_say_the_same(tmp_path: Path) -> None:
    study, layout = tiny_study(), Layout(tmp_path)
    Reproduction(study, layout).run()
    file = tmp_path / "runs.jsonl"
    assert pack(layout.records.folder, file) == len(list(study.runs()))
    packed = PackedRecords([file])
    assert Results.load(study, packed) == Results.load(study, layout.records)
    run = next(iter(study.runs()))
    assert packed.load({**run_key(run), "plancost": "99.0"}) is not None  # later versions read it
    assert packed.load({**run_key(run), "task": 77}) is None


RUN = '{"key": {"kind": "run"}, "status": "failed", "reason": "a\u2028b", "seconds": {"total": 1}}'


def test_line_ends_within_a_packed_record(tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text(f"{RUN}\n", encoding="utf-8")
    assert [content["reason"] for content in PackedRecords([file]).contents] == ["a\u2028b"]


@pytest.mark.parametrize(
    "line", ["{", "[]", "{}", '{"status": "solved"}', '{"key": 1}', '{"key": {}, "key": {}}']
)
def test_what_is_no_packed_file(line: str, tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text(f"{RUN}\n{line}")
    with pytest.raises(InputError, match=r"x\.jsonl:2: this is no file of packed records"):
        PackedRecords([file])


def test_every_number_of_the_page_comes_from_the_records() -> None:
    page = (results.DOCS / "results.md").read_text(encoding="utf-8")
    assert page == results.page(results.packed())
    assert "{{" not in page
    for name in results.STUDIES:
        if Results.load(results.STUDIES[name], results.packed()).outcomes:
            assert (results.DOCS / "pictures" / f"overview-{name}.svg").is_file()


def test_exact_equals_all_alternatives_in_table_2() -> None:
    """As the page says of every task."""
    outcomes = Results.load(results.STUDIES["table2"], results.packed()).outcomes
    ratios = {
        row: [outcomes["grid", 10, t, row].ratio for t in range(1, 11)] for row in ("all", "exact")
    }
    assert ratios["all"] == ratios["exact"]
    for (_, _, task, _), outcome in outcomes.items():
        assert (outcome.ratio or 0.0) <= (outcomes["grid", 10, task, "exact"].ratio or 0.0)
